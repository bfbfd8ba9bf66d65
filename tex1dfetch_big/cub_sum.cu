#include "tex1dfetch_big/cub_sum.cuh"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "common/cuda/array.cuh"

namespace cudabook::tex1dfetch_big {

CubSum cub_sum(const std::uint32_t* words, std::size_t size, const Stream& stream, Stopwatch& stopwatch) {
    // CUB before version 2.1, which is in CUDA 12.0 and 12.1, counts in 32 bits. With such a version, CUB
    // adds up pieces of 4 GB, one after another.
    constexpr std::size_t largest =
        CUB_VERSION < 200100 ? std::size_t{1} << 30 : std::numeric_limits<std::size_t>::max();
    const DeviceArray<std::uint32_t> sums((size - 1) / largest + 1);
    std::size_t bytes = 0;
    const auto enqueue = [&](void* storage, std::size_t piece) {
        const std::size_t begin = piece * largest;
        CUDA_CHECK(cub::DeviceReduce::Sum(storage, bytes, words + begin, sums.data() + piece,
                                          static_cast<std::int64_t>(std::min(largest, size - begin)),
                                          stream.get()));
    };
    enqueue(nullptr, 0);
    const DeviceArray<std::byte> storage(bytes);
    stopwatch.start(stream);
    for (std::size_t piece = 0; piece < sums.size(); ++piece) enqueue(storage.data(), piece);
    const double ms = stopwatch.stop(stream);
    const std::vector<std::uint32_t> partial = sums.download();
    return {std::accumulate(partial.begin(), partial.end(), std::uint32_t{0}), ms};
}

}  // namespace cudabook::tex1dfetch_big
