// The GPU: the array in the GPU's memory or the host's, the textures and the surface over it, the launches,
// and the table of the kernels.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/kernels/1_global.cuh"
#include "access_patterns/kernels/2_ldg.cuh"
#include "access_patterns/kernels/3_linear.cuh"
#include "access_patterns/kernels/4_texture2d.cuh"
#include "access_patterns/kernels/5_surface.cuh"
#include "access_patterns/kernels/6_wide.cuh"
#include "access_patterns/kernels/read_ceiling.cuh"
#include "access_patterns/kernels/walk_ceiling.cuh"
#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/surface.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"

namespace cudabook::access_patterns {

namespace {

/// The input of a kernel.
struct Input {
    std::size_t element_bytes;
    const Pattern& pattern;
    Walk walk;
    const std::byte* bytes;
    std::uint64_t object;  ///< the texture or the surface
    Plane plane;
    std::uint32_t* total;
    const Stream& stream;
    int multiprocessors;
};

/// Calls `use` with an element of `bytes` bytes.
template <class Use>
auto with_element(std::size_t bytes, Use use) {
    switch (bytes) {
        case 1:
            return use(static_cast<unsigned char>(0));
        case 2:
            return use(static_cast<unsigned short>(0));
        case 4:
            return use(0U);
        case 8:
            return use(uint2{});
        default:
            return use(uint4{});
    }
}

/// Returns true if a multiprocessor may read a tile of an array again within the next eight passes, while
/// its own cache may still hold the tile. The blocks take the array's tiles in turn, pass after pass.
/// Blocks are spread over the multiprocessors in rounds, and each round has about the same order. So the
/// numbers of two blocks of one multiprocessor differ by about a multiple of `multiprocessors` (on an H200
/// by up to 8 more or less).
bool tiles_come_back(unsigned blocks, unsigned multiprocessors, std::uint32_t tiles_of_array) {
    const auto may_share_one = [=](unsigned apart) {
        const unsigned over = apart % multiprocessors;
        return apart > multiprocessors / 2 && std::min(over, multiprocessors - over) <= multiprocessors / 16;
    };
    for (std::uint64_t pass = 1; pass <= 8; ++pass) {
        const auto apart = static_cast<unsigned>(pass * tiles_of_array % blocks);
        if (apart == 0 || may_share_one(apart) || may_share_one(blocks - apart)) return true;
    }
    return false;
}

/// Returns the number of blocks: as many as the device holds at once, or up to an eighth fewer if then no
/// tile comes back to a multiprocessor's own cache. It is at most the number of the walk's tiles.
template <class... Parameters>
unsigned blocks_of(void (*kernel)(Parameters...), int multiprocessors, std::uint32_t tiles_of_array,
                   std::uint32_t tiles) {
    int resident = 0;
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(walk_threads), 0));
    const auto most = static_cast<unsigned>(resident * multiprocessors);
    for (unsigned blocks = most; blocks > most - most / 8; --blocks)
        if (!tiles_come_back(blocks, static_cast<unsigned>(multiprocessors), tiles_of_array))
            return std::min(blocks, tiles);
    return std::min(most, tiles);
}

template <class... Parameters, class... Arguments>
LaunchedKernel launch_walk(void (*kernel)(Parameters...), const Input& in, Arguments... arguments) {
    const std::uint32_t tile = walk_tile(in.element_bytes);
    launch(kernel, blocks_of(kernel, in.multiprocessors, in.walk.last / tile + 1, in.walk.count / tile),
           walk_threads, in.stream, in.total, arguments...);
    return {reinterpret_cast<const void*>(kernel), static_cast<int>(walk_threads)};
}

/// Calls `use` with an element of the input's element size and with the input's pattern.
template <class Use>
LaunchedKernel with_types(const Input& in, Use use) {
    return with_element(in.element_bytes, [&](auto element) {
        return std::visit([&](const auto& pattern) { return use(element, pattern); }, in.pattern);
    });
}

LaunchedKernel global(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) {
        using Element = decltype(element);
        return launch_walk(global_kernel<Element, decltype(pattern)>, in,
                           reinterpret_cast<const Element*>(in.bytes), pattern, in.walk);
    });
}

LaunchedKernel ldg(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) {
        using Element = decltype(element);
        return launch_walk(ldg_kernel<Element, decltype(pattern)>, in,
                           reinterpret_cast<const Element*>(in.bytes), pattern, in.walk);
    });
}

LaunchedKernel linear(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) {
        return launch_walk(linear_kernel<decltype(element), decltype(pattern)>, in, in.object, pattern,
                           in.walk);
    });
}

LaunchedKernel texture2d(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) {
        return launch_walk(texture2d_kernel<decltype(element), decltype(pattern)>, in, in.object, in.plane,
                           pattern, in.walk);
    });
}

LaunchedKernel surface(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) {
        return launch_walk(surface_kernel<decltype(element), decltype(pattern)>, in, in.object, in.plane,
                           pattern, in.walk);
    });
}

LaunchedKernel wide(const Input& in) {
    return with_types(in, [&](auto element, auto pattern) -> LaunchedKernel {
        if constexpr (sizeof(element) < 16)
            return launch_walk(wide_kernel<decltype(element), decltype(pattern)>, in, in.object, pattern,
                               in.walk);
        else
            throw std::logic_error("a texel of 16 bytes is no wide one");
    });
}

struct CudaKernel {
    Kernel kernel;
    LaunchedKernel (*launch)(const Input&);
};

const CudaKernel table[] = {
    {.kernel = {.name = "global",
                .memory = "global",
                .what = "plain loads",
                .device = DeviceKind::cuda,
                .path = Path::global},
     .launch = global},
    {.kernel = {.name = "ldg",
                .memory = "global",
                .what = "__ldg: loads of read-only data",
                .device = DeviceKind::cuda,
                .path = Path::global},
     .launch = ldg},
    {.kernel = {.name = "linear",
                .memory = "texture1d",
                .what = "a texture over the same memory, read by index",
                .device = DeviceKind::cuda,
                .path = Path::linear},
     .launch = linear},
    {.kernel = {.name = "pitched",
                .memory = "texture2d",
                .what = "a texture of two dimensions over the same memory",
                .device = DeviceKind::cuda,
                .path = Path::pitched},
     .launch = texture2d},
    {.kernel = {.name = "array",
                .memory = "texture2d",
                .what = "a texture of two dimensions over a CUDA array",
                .device = DeviceKind::cuda,
                .path = Path::array},
     .launch = texture2d},
    {.kernel = {.name = "surface",
                .memory = "surface",
                .what = "a surface over the same CUDA array",
                .device = DeviceKind::cuda,
                .path = Path::surface},
     .launch = surface},
    {.kernel = {.name = "wide",
                .memory = "texture1d",
                .what = "texels of 16 bytes, of which an element is picked",
                .device = DeviceKind::cuda,
                .path = Path::wide},
     .launch = wide},
};

const CudaKernel& row_of(const Kernel& kernel) {
    return *std::ranges::find(table, kernel.name, [](const CudaKernel& row) { return row.kernel.name; });
}

class GpuData final : public Data {
  public:
    GpuData(const Device& device, std::span<const std::uint32_t> words, Place place)
        : device_(device), size_(words.size_bytes()), memory_(allocate(device, size_, place)), total_(1) {
        CUDA_CHECK(cudaMemcpy(bytes(), words.data(), size_, cudaMemcpyDefault));
    }

    std::uint32_t sum(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern) override {
        CUDA_CHECK(cudaMemsetAsync(total_.data(), 0, sizeof(std::uint32_t), stream_.get()));
        launch_over(kernel, element_bytes, pattern, 1);
        stream_.synchronize();
        std::vector<std::uint32_t> total = total_.download();
        flip_bit_if_asked(kernel.name, std::span(total));
        return total.front();
    }

    Timing measure(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern,
                   const TimeBudget& budget) override {
        const unsigned passes = passes_of_launch();
        LaunchedKernel launched;
        const Measurement time = measure_launch(
            budget, passes, [&] { launched = launch_over(kernel, element_bytes, pattern, passes); });
        return {time, occupancy_of(launched, device_.index)};
    }

    double read_gb_per_s(const TimeBudget& budget) override {
        return std::max(rate_of_reads<4>(budget.share(2)), rate_of_reads<8>(budget.share(1)));
    }

    /// Measures the rate, in elements per nanosecond, of a walk over an array of this shape. The walk reads
    /// nothing.
    double walk_rate(const Pattern& pattern, ArrayShape shape, const TimeBudget& budget) {
        const std::uint32_t count = shape.elements() << (gpu_kind == DeviceKind::emulated ? 0U : 7U);
        const Measurement time = measure_launch(budget, 1, [&] {
            std::visit(
                [&](const auto& places) {
                    const auto kernel = walk_ceiling_kernel<std::decay_t<decltype(places)>>;
                    const std::uint32_t tiles = count / walk_tile(sizeof(std::uint32_t));
                    launch(kernel, blocks_of(kernel, device_.units, tiles, tiles), walk_threads, stream_,
                           total_.data(), places, Walk{shape.elements() - 1, count});
                },
                pattern);
        });
        return count / time.median / 1e6;
    }

  private:
    using Memory = std::variant<DeviceArray<std::byte>, MappedArray<std::byte>>;

    /// The texture or surface for elements of one size.
    struct Object {
        Path path;
        std::size_t element_bytes;
        std::variant<TextureObject, SurfaceObject> object;
    };

    static Memory allocate(const Device& device, std::size_t size, Place place) {
        CUDA_CHECK(cudaSetDevice(device.index));
        if (place == Place::device) return DeviceArray<std::byte>(size);
        require_memory(size, "an array in mapped host memory");
        return MappedArray<std::byte>(size);
    }

    [[nodiscard]] std::byte* bytes() const {
        const auto* mapped = std::get_if<MappedArray<std::byte>>(&memory_);
        return mapped != nullptr ? mapped->device_data() : std::get<0>(memory_).data();
    }

    /// The array's elements as a CUDA array, which textures and surfaces share. Only one element size is kept
    /// at a time.
    template <class Element>
    cudaArray_t array_of() {
        if (!array_ || array_element_ != sizeof(Element)) {
            object_.reset();
            array_.reset();
            const ArrayShape shape = shape_of(size_, sizeof(Element));
            array_.emplace(
                CudaArray::plane<Element>(shape.width(), shape.height(), cudaArraySurfaceLoadStore));
            array_->copy_from(reinterpret_cast<const Element*>(bytes()));
            array_element_ = sizeof(Element);
        }
        return array_->get();
    }

    template <class Element>
    std::variant<TextureObject, SurfaceObject> make_object(Path path) {
        const ArrayShape shape = shape_of(size_, sizeof(Element));
        switch (path) {
            case Path::linear:
                return TextureObject::linear(reinterpret_cast<Element*>(bytes()), shape.elements());
            case Path::wide:
                return TextureObject::linear(reinterpret_cast<uint4*>(bytes()), size_ / sizeof(uint4));
            case Path::pitched:
                return TextureObject::pitched(reinterpret_cast<Element*>(bytes()), shape.width(),
                                              shape.height(), shape.width() * sizeof(Element));
            case Path::array:
                return TextureObject::array(array_of<Element>());
            default:
                return SurfaceObject(array_of<Element>());
        }
    }

    /// The kernel's texture or surface, or 0.
    std::uint64_t object_over(const Kernel& kernel, std::size_t element_bytes) {
        if (kernel.path == Path::global) return 0;
        if (!object_ || object_->path != kernel.path || object_->element_bytes != element_bytes) {
            auto object = with_element(
                element_bytes, [&](auto element) { return make_object<decltype(element)>(kernel.path); });
            object_.emplace(Object{kernel.path, element_bytes, std::move(object)});
        }
        return std::visit([](const auto& object) -> std::uint64_t { return object.handle(); },
                          object_->object);
    }

    /// Measures the rate of reading in GB/s, with `at_once` loads in flight per thread.
    template <unsigned at_once>
    double rate_of_reads(const TimeBudget& budget) {
        constexpr unsigned tile = walk_threads * at_once;
        const auto size = static_cast<std::uint32_t>(size_ / sizeof(uint4));
        const std::uint32_t count = std::max(passes_of_launch() * size, tile);
        const auto kernel = read_ceiling_kernel<at_once>;
        const unsigned blocks = blocks_of(kernel, device_.units, size / tile, count / tile);
        const Measurement time = measure_launch(budget, 1, [&] {
            launch(kernel, blocks, walk_threads, stream_, total_.data(),
                   reinterpret_cast<const uint4*>(bytes()), Walk{size - 1, count});
        });
        return static_cast<double>(count) * sizeof(uint4) / time.median / 1e6;
    }

    /// The number of times that a measured launch reads the array: so many that the launch itself takes a
    /// negligible time, but one on an emulated GPU and for mapped memory.
    [[nodiscard]] unsigned passes_of_launch() const {
        constexpr std::size_t bytes_of_launch = std::size_t{1} << 29U;
        if (gpu_kind == DeviceKind::emulated || memory_.index() != 0) return 1;
        return static_cast<unsigned>(bytes_of_launch / size_);
    }

    /// Measures the time of one pass over the array. enqueue() enqueues `passes` passes.
    template <class Enqueue>
    Measurement measure_launch(const TimeBudget& budget, unsigned passes, Enqueue enqueue) {
        enqueue();  // the first call makes the textures and arrays
        stream_.synchronize();
        return cudabook::measure(
            [&] {
                stopwatch_.start(stream_);
                enqueue();
                return stopwatch_.stop(stream_) / passes;
            },
            budget);
    }

    LaunchedKernel launch_over(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern,
                               unsigned passes) {
        const ArrayShape shape = shape_of(size_, element_bytes);
        return row_of(kernel).launch({.element_bytes = element_bytes,
                                      .pattern = pattern,
                                      .walk = {shape.elements() - 1, passes * shape.elements()},
                                      .bytes = bytes(),
                                      .object = object_over(kernel, element_bytes),
                                      .plane = {shape.width_bits},
                                      .total = total_.data(),
                                      .stream = stream_,
                                      .multiprocessors = device_.units});
    }

    Device device_;
    std::size_t size_;
    Memory memory_;
    DeviceArray<std::uint32_t> total_;
    std::optional<CudaArray> array_;
    std::size_t array_element_ = 0;
    std::optional<Object> object_;  ///< destroyed before the array
    Stream stream_;
    Stopwatch stopwatch_;
};

double unit_rate(const Device& device, const Kernel& kernel, std::size_t element_bytes,
                 const TimeBudget& budget) {
    const std::vector<std::uint32_t> words = random_words(least_bytes / sizeof(std::uint32_t));
    GpuData data(device, words, Place::device);
    const Pattern rows = patterns().front().make(shape_of(least_bytes, element_bytes), 0);
    const Timing timing = data.measure(kernel, element_bytes, rows, budget);
    return static_cast<double>(least_bytes / element_bytes) / timing.time.median / 1e6;
}

double walk_rate(const Device& device, const NamedPattern& pattern, double degrees,
                 const TimeBudget& budget) {
    const std::vector<std::uint32_t> words = random_words(least_bytes / sizeof(std::uint32_t));
    GpuData data(device, words, Place::device);
    const ArrayShape shape = gpu_kind == DeviceKind::emulated ? ArrayShape{6, 6} : ArrayShape{10, 10};
    return data.walk_rate(pattern.make(shape, degrees), shape, budget);
}

}  // namespace

GpuBackend gpu() {
    GpuBackend backend{
        .find_devices = cuda_devices,
        .kernels = {},
        .make = [](const Device& device, std::span<const std::uint32_t> words,
                   Place place) { return std::make_unique<GpuData>(device, words, place); },
        .unit_rate = unit_rate,
        .walk_rate = walk_rate,
        .cache_bytes =
            [](const Device& device) {
                return static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize, device.index));
            }};
    for (const CudaKernel& row : table) backend.kernels.push_back(row.kernel);
    return backend;
}

}  // namespace cudabook::access_patterns
