// The GPU: texels in mapped or device memory, textures over them, the launches, and the table of the kernels.
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "tex1dfetch_int2float/kernels/1_texture.cuh"
#include "tex1dfetch_int2float/kernels/2_global.cuh"
#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {

namespace {

/// Bytes in the device's memory, or in mapped host memory.
class Bytes {
  public:
    Bytes(bool mapped, std::size_t size) {
        if (mapped)
            memory_.emplace<MappedArray<std::byte>>(size);
        else
            memory_.emplace<DeviceArray<std::byte>>(size);
    }
    [[nodiscard]] std::byte* data() const {
        const auto* mapped = std::get_if<MappedArray<std::byte>>(&memory_);
        return mapped != nullptr ? mapped->device_data() : std::get<DeviceArray<std::byte>>(memory_).data();
    }

  private:
    std::variant<std::monostate, DeviceArray<std::byte>, MappedArray<std::byte>> memory_;
};

/// Texels, and the memory for a kernel's output.
struct Input {
    Format format;
    int components;
    std::byte* texels;
    std::size_t size;  ///< the number of texels in memory
    std::byte* out;
    int first;          ///< the first texel to read
    std::size_t count;  ///< the number of texels to read
    const Stream& stream;
    int multiprocessors;

    [[nodiscard]] std::size_t texel_bytes() const {
        return format.bytes() * static_cast<std::size_t>(components);
    }
};

/// Calls `use` with a value of the type that has `components` components, and with a vector of as many words.
template <class One, class Two, class Four, class Use>
LaunchedKernel with_width(int components, Use use) {
    switch (components) {
        case 1:
            return use(One{}, std::uint32_t{});
        case 2:
            return use(Two{}, uint2{});
        default:
            return use(Four{}, uint4{});
    }
}

/// Calls `use` with a value of the integer type in which texels are stored.
template <class Use>
LaunchedKernel with_integer(Element element, int components, Use use) {
    switch (element) {
        case Element::signed_char:
            return with_width<signed char, char2, char4>(components, use);
        case Element::unsigned_char:
            return with_width<unsigned char, uchar2, uchar4>(components, use);
        case Element::signed_short:
            return with_width<short, short2, short4>(components, use);
        default:
            return with_width<unsigned short, ushort2, ushort4>(components, use);
    }
}

TextureObject texture_over(const Input& in) {
    cudaChannelFormatDesc format{};
    format.f = in.format.element == Element::half ? cudaChannelFormatKindFloat
               : in.format.is_signed()            ? cudaChannelFormatKindSigned
                                                  : cudaChannelFormatKindUnsigned;
    const auto bits = static_cast<int>(8 * in.format.bytes());
    format.x = bits;
    if (in.components >= 2) format.y = bits;
    if (in.components == 4) format.z = format.w = bits;
    return TextureObject::linear(
        in.texels, in.size * in.texel_bytes(), format,
        in.format.normalised ? cudaReadModeNormalizedFloat : cudaReadModeElementType);
}

constexpr int threads_per_block = 256;

/// The number of blocks that the device holds at once.
int resident_blocks(const void* kernel, const Input& in) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads_per_block, 0));
    return blocks * in.multiprocessors;
}

/// If `blocks` is 0, launches as many blocks as the device holds.
LaunchedKernel launch_texture(const Input& in, cudaTextureObject_t texture, int blocks, int threads) {
    const auto use = [&](auto texel, auto bits) {
        const auto kernel = texture_kernel<decltype(texel), decltype(bits)>;
        const auto* pointer = reinterpret_cast<const void*>(kernel);
        launch(kernel, blocks > 0 ? blocks : resident_blocks(pointer, in), threads, in.stream,
               reinterpret_cast<decltype(bits)*>(in.out), texture, in.first, in.count);
        return LaunchedKernel{pointer, threads};
    };
    return in.format.gives_float() ? with_width<float, float2, float4>(in.components, use)
                                   : with_integer(in.format.element, in.components, use);
}

LaunchedKernel book(const Input& in, cudaTextureObject_t texture) {
    return launch_texture(in, texture, 2, 384);
}

LaunchedKernel texture(const Input& in, cudaTextureObject_t texture) {
    return launch_texture(in, texture, 0, threads_per_block);
}

template <class Texel, class Bits, class Convert>
LaunchedKernel launch_global(const Input& in, Texel, Bits, Convert convert) {
    const auto kernel = global_kernel<Texel, Convert, Bits>;
    const auto* pointer = reinterpret_cast<const void*>(kernel);
    launch(kernel, resident_blocks(pointer, in), threads_per_block, in.stream,
           reinterpret_cast<Bits*>(in.out), reinterpret_cast<const Texel*>(in.texels) + in.first, in.count,
           convert);
    return {pointer, threads_per_block};
}

LaunchedKernel global(const Input& in, cudaTextureObject_t) {
    if (in.format.element == Element::half)
        return with_width<unsigned short, ushort2, ushort4>(in.components, [&](auto texel, auto bits) {
            return launch_global(in, texel, bits, ConvertHalf{});
        });
    const std::size_t codes = in.format.is_signed() ? in.format.values() / 2 : in.format.values();
    const Normalise normalise{static_cast<float>(codes - 1)};
    return with_integer(in.format.element, in.components, [&](auto texel, auto bits) {
        return in.format.normalised ? launch_global(in, texel, bits, normalise)
                                    : launch_global(in, texel, bits, KeepInteger{});
    });
}

struct CudaKernel {
    const char* name;
    const char* memory;
    const char* what;
    bool mapped;
    LaunchedKernel (*launch)(const Input&, cudaTextureObject_t);
};

const CudaKernel table[] = {
    {.name = "book",
     .memory = "texture1d",
     .what = "two blocks, texels in mapped host memory",
     .mapped = true,
     .launch = book},
    {.name = "texture",
     .memory = "texture1d",
     .what = "as many threads as the device holds, texels in its memory",
     .mapped = false,
     .launch = texture},
    {.name = "global",
     .memory = "global",
     .what = "plain loads, and arithmetic for what the texture unit does",
     .mapped = false,
     .launch = global},
};

/// Reads every value, and with a texture also indices past its end.
Readout read(const CudaKernel& row, const Device& device, const Format& format, int components) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const auto width = static_cast<std::size_t>(components);
    const std::size_t size = format.values();
    const bool textured = row.launch != global;
    // The memory after the texture's end is filled with ones, so that a read past the end shows.
    std::vector<std::byte> texels((size + 2) * width * format.bytes(), std::byte{0xff});
    for (std::size_t i = 0; i < size; ++i)
        for (int c = 0; c < components; ++c) {
            const std::uint32_t bits = stored(format, i, c);
            std::memcpy(&texels[(i * width + static_cast<std::size_t>(c)) * format.bytes()], &bits,
                        format.bytes());
        }
    const Bytes in(row.mapped, texels.size());
    CUDA_CHECK(cudaMemcpy(in.data(), texels.data(), texels.size(), cudaMemcpyDefault));

    const Stream stream;
    const auto read_from = [&](int first, std::size_t count) {
        std::vector<std::uint32_t> values(count * width);
        const Bytes out(row.mapped, values.size() * sizeof(std::uint32_t));
        const Input input{.format = format,
                          .components = components,
                          .texels = in.data(),
                          .size = size,
                          .out = out.data(),
                          .first = first,
                          .count = count,
                          .stream = stream,
                          .multiprocessors = device.units};
        const TextureObject texture = texture_over(input);
        row.launch(input, texture.handle());
        stream.synchronize();
        CUDA_CHECK(
            cudaMemcpy(values.data(), out.data(), values.size() * sizeof(std::uint32_t), cudaMemcpyDefault));
        return values;
    };
    Readout readout{read_from(0, size), {}};
    flip_bit_if_asked(row.name, std::span(readout.values));
    if (textured)
        for (const int past : {static_cast<int>(size), static_cast<int>(size) + 1, 1 << 27, INT_MAX, -1})
            std::ranges::copy(read_from(past, 1), std::back_inserter(readout.past_the_end));
    return readout;
}

/// Measures with an array larger than any cache; on an emulated GPU, with a small array.
Rate measure_rate(const CudaKernel& row, const Device& device, const Format& format, int components) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const unsigned log2_size = gpu_kind == DeviceKind::emulated ? 16 : row.mapped ? 20 : 26;
    const std::size_t size = std::size_t{1} << log2_size;
    const auto width = static_cast<std::size_t>(components);
    const std::size_t in_bytes = size * width * format.bytes();
    const std::size_t out_bytes = size * width * sizeof(std::uint32_t);
    const Bytes in(row.mapped, in_bytes);
    const Bytes out(row.mapped, out_bytes);
    CUDA_CHECK(cudaMemset(in.data(), 1, in_bytes));
    const Stream stream;
    const Input input{.format = format,
                      .components = components,
                      .texels = in.data(),
                      .size = size,
                      .out = out.data(),
                      .first = 0,
                      .count = size,
                      .stream = stream,
                      .multiprocessors = device.units};
    const TextureObject texture = texture_over(input);
    Stopwatch stopwatch;
    LaunchedKernel launched{};
    Rate rate{};
    rate.time = cudabook::measure([&] {
        stopwatch.start(stream);
        launched = row.launch(input, texture.handle());
        return stopwatch.stop(stream);
    });
    rate.gb_per_s = static_cast<double>(in_bytes + out_bytes) / rate.time.median / 1e6;
    rate.occupancy = occupancy_of(launched, device.index);
    return rate;
}

}  // namespace

GpuBackend gpu() {
    GpuBackend backend{.find_devices = cuda_devices, .kernels = {}, .copy_gb_per_s = device_copy_gb_per_s};
    for (const CudaKernel& row : table)
        backend.kernels.push_back(
            {.name = row.name,
             .memory = row.memory,
             .what = row.what,
             .device = DeviceKind::cuda,
             .place = row.mapped ? "mapped" : "device",
             .read = [&row](const Device& device, const Format& format,
                            int components) { return read(row, device, format, components); },
             .measure = [&row](const Device& device, const Format& format,
                               int components) { return measure_rate(row, device, format, components); }});
    return backend;
}

}  // namespace cudabook::tex1dfetch_int2float
