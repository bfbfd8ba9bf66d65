// The GPU: the array, the textures over it, the launches, and the table of the kernels.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "tex1dfetch_big/cub_sum.cuh"
#include "tex1dfetch_big/kernels/1_book.cuh"
#include "tex1dfetch_big/kernels/2_global.cuh"
#include "tex1dfetch_big/kernels/3_texture.cuh"
#include "tex1dfetch_big/kernels/fill.cuh"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

constexpr int book_blocks = 2;
constexpr int book_threads = 384;

/// A kernel's input, and the memory for its sums.
struct Input {
    const Split& split;
    const std::uint32_t* words;
    const std::vector<TextureObject>& textures;
    IndexedTextures indexed;  ///< the same textures, for the device
    std::uint32_t* sums;      ///< book_blocks · book_threads partial sums, at first 0; added up on the host
    const Stream& stream;
    int multiprocessors;
};

/// Calls `use` with a texel of `components` components.
template <class Use>
LaunchedKernel with_texel(int components, Use use) {
    switch (components) {
        case 1:
            return use(std::uint32_t{});
        case 2:
            return use(uint2{});
        default:
            return use(uint4{});
    }
}

/// Launches as many blocks as are resident on the device at once.
template <class... Parameters, class... Arguments>
LaunchedKernel launch_resident_blocks(void (*kernel)(Parameters...), const Input& in,
                                      Arguments... arguments) {
    int blocks = 0;
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(sum_threads), 0));
    launch(kernel, blocks * in.multiprocessors, sum_threads, in.stream, in.sums, arguments...);
    return {reinterpret_cast<const void*>(kernel), static_cast<int>(sum_threads)};
}

LaunchedKernel book(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        const auto texture = [&](std::size_t i) {
            return in.textures[std::min(i, in.textures.size() - 1)].handle();
        };
        const FourTextures four{.t0 = texture(0),
                                .t1 = texture(1),
                                .t2 = texture(2),
                                .t3 = texture(3),
                                .index_bits = in.indexed.index_bits,
                                .mask = in.indexed.mask};
        const auto kernel = book_kernel<decltype(texel)>;
        launch(kernel, book_blocks, book_threads, in.stream, in.sums, four, in.split.texels);
        return LaunchedKernel{reinterpret_cast<const void*>(kernel), book_threads};
    });
}

LaunchedKernel global(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        using Texel = decltype(texel);
        return launch_resident_blocks(global_kernel<Texel>, in, reinterpret_cast<const Texel*>(in.words),
                                      in.split.texels);
    });
}

LaunchedKernel texture(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        return launch_resident_blocks(texture_kernel<decltype(texel)>, in, in.indexed, in.split.texels);
    });
}

struct CudaKernel {
    Kernel kernel;
    LaunchedKernel (*launch)(const Input&);
};

const CudaKernel table[] = {
    {.kernel = {.name = "book",
                .memory = "texture1d",
                .what = "two blocks, four textures chosen by branches",
                .device = DeviceKind::cuda,
                .performs = as_in_book},
     .launch = book},
    {.kernel = {.name = "global",
                .memory = "global",
                .what = "plain loads, by as many threads as the device holds",
                .device = DeviceKind::cuda},
     .launch = global},
    {.kernel = {.name = "texture",
                .memory = "texture1d",
                .what = "as many textures as it takes, chosen by index",
                .device = DeviceKind::cuda},
     .launch = texture},
};

/// An array in the device's memory or in mapped memory.
class DeviceArrayOfWords final : public ArrayOfWords {
  public:
    DeviceArrayOfWords(const Device& device, std::size_t words, Memory memory,
                       const std::function<void()>& on_fallback)
        : device_(device), size_(words), memory_(allocate(device, words, memory, on_fallback)) {
        const std::size_t threads = 4 * 32 * fill_warps * static_cast<std::size_t>(device.units);
        const std::size_t run = ((words - 1) / threads / RandStream::order + 1) * RandStream::order;
        // The launch is asynchronous, and the host computes the expected sum meanwhile. Kernels that read
        // the words are enqueued later in the same stream.
        launch<fill_kernel>(4 * device.units, 32 * fill_warps, stream_, this->words(), words, run);
    }

    [[nodiscard]] std::string memory() const override { return memory_.index() == 0 ? "device" : "mapped"; }

    [[nodiscard]] int index_bits(int components) const override {
        const std::size_t limit = components == 1 ? TextureObject::linear_limit<std::uint32_t>(device_.index)
                                  : components == 2 ? TextureObject::linear_limit<uint2>(device_.index)
                                                    : TextureObject::linear_limit<uint4>(device_.index);
        int bits = 0;
        while (bits < 30 && std::size_t{2} << bits <= limit) ++bits;  // tex1Dfetch's index is an int
        return bits;
    }

    Reading read(const Kernel& kernel, const Split& split, const OnProgress&) override {
        const auto row =
            std::ranges::find(table, kernel.name, [](const CudaKernel& k) { return k.kernel.name; });
        const std::vector<TextureObject> textures =
            kernel.memory == "texture1d" ? textures_over(split) : std::vector<TextureObject>{};
        std::vector<cudaTextureObject_t> handles;
        for (const TextureObject& texture : textures) handles.push_back(texture.handle());
        const DeviceArray<cudaTextureObject_t> indexed{std::span<const cudaTextureObject_t>(handles)};
        const DeviceArray<std::uint32_t> sums(book_blocks * book_threads);
        CUDA_CHECK(cudaMemsetAsync(sums.data(), 0, sums.size() * sizeof(std::uint32_t), stream_.get()));

        const std::size_t mask = ((std::size_t{1} << split.index_bits) - 1) | (alignment(split) - 1);
        stopwatch_.start(stream_);
        const LaunchedKernel launched = row->launch({.split = split,
                                                     .words = words(),
                                                     .textures = textures,
                                                     .indexed = {.textures = indexed.data(),
                                                                 .index_bits = split.index_bits,
                                                                 .mask = static_cast<unsigned>(mask)},
                                                     .sums = sums.data(),
                                                     .stream = stream_,
                                                     .multiprocessors = device_.units});
        const double ms = stopwatch_.stop(stream_);
        std::vector<std::uint32_t> partial = sums.download();
        flip_bit_if_asked(kernel.name, std::span(partial));
        return {std::accumulate(partial.begin(), partial.end(), std::uint32_t{0}), ms,
                occupancy_of(launched, device_.index)};
    }

    [[nodiscard]] std::string peer() const override { return "cub"; }
    Reading read_by_peer() override {
        const CubSum found = cub_sum(words(), size_, stream_, stopwatch_);
        std::uint32_t sum = found.sum;
        flip_bit_if_asked(peer(), std::span(&sum, 1));
        return {sum, found.ms, std::nullopt};
    }

  private:
    using Words = std::variant<DeviceArray<std::uint32_t>, MappedArray<std::uint32_t>>;

    static Words allocate(const Device& device, std::size_t words, Memory memory,
                          const std::function<void()>& on_fallback) {
        CUDA_CHECK(cudaSetDevice(device.index));
        if (memory != Memory::mapped) {
            try {
                return DeviceArray<std::uint32_t>(words);
            } catch (const OutOfMemory&) {
                if (memory == Memory::device) throw;
                on_fallback();
            }
        }
        require_memory(words * sizeof(std::uint32_t), "an array in mapped host memory");
        return MappedArray<std::uint32_t>(words);
    }

    [[nodiscard]] std::uint32_t* words() const {
        const auto* mapped = std::get_if<MappedArray<std::uint32_t>>(&memory_);
        return mapped != nullptr ? mapped->device_data() : std::get<0>(memory_).data();
    }

    /// The alignment of a texture's first texel, in texels: a power of two.
    [[nodiscard]] std::size_t alignment(const Split& split) const {
        int bytes = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrTextureAlignment, device_.index));
        const std::size_t texel_bytes = sizeof(std::uint32_t) * static_cast<std::size_t>(split.components);
        return std::max<std::size_t>(1, static_cast<std::size_t>(bytes) / texel_bytes);
    }

    static TextureObject texture_over(std::uint32_t* memory, std::size_t texels, int components) {
        switch (components) {
            case 1:
                return TextureObject::linear(memory, texels);
            case 2:
                return TextureObject::linear(reinterpret_cast<uint2*>(memory), texels);
            default:
                return TextureObject::linear(reinterpret_cast<uint4*>(memory), texels);
        }
    }

    [[nodiscard]] std::vector<TextureObject> textures_over(const Split& split) const {
        const std::size_t aligned = alignment(split);
        std::vector<TextureObject> textures;
        for (std::size_t t = 0; t < split.textures(); ++t) {
            const std::size_t begin = split.begin(t) & ~(aligned - 1);
            const std::size_t texels = split.begin(t) + split.size(t) - begin;
            std::uint32_t* memory = words() + begin * static_cast<std::size_t>(split.components);
            try {
                textures.push_back(texture_over(memory, texels, split.components));
            } catch (const CudaError&) {
                if (t == 0) throw;
                throw MachineError(fmt::format(
                    "--index-bits {}: {} textures are needed, and the device holds {}; use a larger number",
                    split.index_bits, split.textures(), t));
            }
        }
        return textures;
    }

    Device device_;
    std::size_t size_;
    Words memory_;
    Stream stream_;
    Stopwatch stopwatch_;
};

}  // namespace

GpuBackend gpu() {
    GpuBackend backend;
    backend.find_devices = cuda_devices;
    for (const CudaKernel& row : table) backend.kernels.push_back(row.kernel);
    backend.make = [](const Device& device, std::size_t words, Memory memory,
                      const std::function<void()>& on_fallback) {
        return std::make_unique<DeviceArrayOfWords>(device, words, memory, on_fallback);
    };
    backend.copy_gb_per_s = device_copy_gb_per_s;
    return backend;
}

}  // namespace cudabook::tex1dfetch_big
