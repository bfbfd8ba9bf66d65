// The room on the GPU: the array, the textures over it, and the launches.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "tex1dfetch_big/kernels/1_book.cuh"
#include "tex1dfetch_big/kernels/2_global.cuh"
#include "tex1dfetch_big/kernels/3_texture.cuh"
#include "tex1dfetch_big/kernels/fill.cuh"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

constexpr int book_blocks = 2;
constexpr int book_threads = 384;

/// What a kernel reads, and where its sums go.
struct Input {
    const Split& split;
    const std::uint32_t* words;
    const std::vector<TextureObject>& textures;
    IndexedTextures indexed;  ///< the same textures, for the device
    std::uint32_t* sums;      ///< zeros for book_blocks · book_threads sums, which are added up on the host
    const Stream& stream;
    int multiprocessors;
};

/// A kernel that was launched.
struct Launched {
    const void* kernel;
    int threads_per_block;
};

/// Calls `use` with a texel of so many components.
template <class Use>
Launched with_texel(int components, Use use) {
    switch (components) {
        case 1:
            return use(std::uint32_t{});
        case 2:
            return use(uint2{});
        default:
            return use(uint4{});
    }
}

/// Launches as many blocks as the device holds at once.
template <class... Parameters, class... Arguments>
Launched fill_device(void (*kernel)(Parameters...), const Input& in, Arguments... arguments) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, sum_threads, 0));
    launch(kernel, blocks * in.multiprocessors, sum_threads, in.stream, in.sums, arguments...);
    return {reinterpret_cast<const void*>(kernel), sum_threads};
}

Launched book(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        const auto texture = [&](std::size_t i) {
            return in.textures[std::min(i, in.textures.size() - 1)].handle();
        };
        const FourTextures four{texture(0),     texture(1), texture(2), texture(3), in.indexed.index_bits,
                                in.indexed.mask};
        const auto kernel = book_kernel<decltype(texel)>;
        launch(kernel, book_blocks, book_threads, in.stream, in.sums, four, in.split.texels);
        return Launched{reinterpret_cast<const void*>(kernel), book_threads};
    });
}

Launched global(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        using Texel = decltype(texel);
        return fill_device(global_kernel<Texel>, in, reinterpret_cast<const Texel*>(in.words),
                           in.split.texels);
    });
}

Launched texture(const Input& in) {
    return with_texel(in.split.components, [&](auto texel) {
        return fill_device(texture_kernel<decltype(texel)>, in, in.indexed, in.split.texels);
    });
}

struct CudaKernel {
    Kernel kernel;
    Launched (*launch)(const Input&);
};

const CudaKernel table[] = {
    {{"book", "texture1d", "two blocks, four textures chosen by branches", DeviceKind::cuda, as_in_book},
     book},
    {{"global", "global", "plain loads, by as many threads as the device holds", DeviceKind::cuda}, global},
    {{"texture", "texture1d", "as many textures as it takes, chosen by index", DeviceKind::cuda}, texture},
};

/// The words in memory that the device reads.
class DeviceData final : public Data {
  public:
    DeviceData(const Device& device, std::size_t words, Memory memory,
               const std::function<void()>& on_fallback)
        : device_(device), size_(words), memory_(allocate(device, words, memory, on_fallback)) {
        const std::size_t threads = 4 * 32 * fill_warps * static_cast<std::size_t>(device.units);
        const std::size_t run = ((words - 1) / threads / RandStream::order + 1) * RandStream::order;
        launch(fill_kernel, 4 * device.units, 32 * fill_warps, stream_, this->words(), words, run);
        stream_.synchronize();
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
        const Launched launched =
            row->launch({split,
                         words(),
                         textures,
                         {indexed.data(), split.index_bits, static_cast<unsigned>(mask)},
                         sums.data(),
                         stream_,
                         device_.units});
        const double ms = stopwatch_.stop(stream_);
        std::vector<std::uint32_t> partial = sums.download();
        flip_bit_if_asked(kernel.name, std::span(partial));
        return {std::accumulate(partial.begin(), partial.end(), std::uint32_t{0}), ms,
                occupancy_of(launched.kernel, launched.threads_per_block, device_.index)};
    }

    [[nodiscard]] std::string peer() const override { return "cub"; }
    Reading read_by_peer() override {
        // Before 2.1, as in CUDA 12.0 and 12.1, CUB counts in 32 bits: there it reads pieces of 4 GB, one
        // after another.
        constexpr std::size_t largest =
            CUB_VERSION < 200100 ? std::size_t{1} << 30 : std::numeric_limits<std::size_t>::max();
        const DeviceArray<std::uint32_t> sums((size_ - 1) / largest + 1);
        std::size_t bytes = 0;
        const auto enqueue = [&](void* storage, std::size_t piece) {
            const std::size_t begin = piece * largest;
            CUDA_CHECK(cub::DeviceReduce::Sum(storage, bytes, words() + begin, sums.data() + piece,
                                              static_cast<std::int64_t>(std::min(largest, size_ - begin)),
                                              stream_.get()));
        };
        enqueue(nullptr, 0);
        const DeviceArray<std::byte> storage(bytes);
        stopwatch_.start(stream_);
        for (std::size_t piece = 0; piece < sums.size(); ++piece) enqueue(storage.data(), piece);
        const double ms = stopwatch_.stop(stream_);
        const std::vector<std::uint32_t> partial = sums.download();
        std::uint32_t sum = std::accumulate(partial.begin(), partial.end(), std::uint32_t{0});
        flip_bit_if_asked(peer(), std::span(&sum, 1));
        return {sum, ms, std::nullopt};
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

    /// The texels at whose multiples a texture may begin: a power of two.
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
    GpuBackend side;
    side.find_devices = cuda_devices;
    for (const CudaKernel& row : table) side.kernels.push_back(row.kernel);
    side.make = [](const Device& device, std::size_t words, Memory memory,
                   const std::function<void()>& on_fallback) {
        return std::make_unique<DeviceData>(device, words, memory, on_fallback);
    };
    side.copy_gb_per_s = device_copy_gb_per_s;
    return side;
}

}  // namespace cudabook::tex1dfetch_big
