// cub::DeviceHistogram for one channel: counts the samples between neighbouring levels. Source: CUB API
// Reference, "DeviceHistogram".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../details/device_call.hpp"

namespace cub {

struct DeviceHistogram {
    /// There are `levels` levels from `lower` to `upper`, at equal distances.
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramEven(void* storage, std::size_t& bytes, Samples samples, Counter* histogram,
                                     int levels, Level lower, Level upper, Count count,
                                     cudaStream_t stream = nullptr) {
        using T = std::common_type_t<Level, details::Value<Samples>>;
        return details::call(storage, bytes, stream, [=] {
            const int bins = levels - 1;
            std::fill(histogram, histogram + bins, Counter{});
            for (Count i = 0; i < count; ++i) {
                const T sample = static_cast<T>(samples[i]);
                if (!(sample >= static_cast<T>(lower) && sample < static_cast<T>(upper))) continue;
                ++histogram[bin_of<T>(sample, lower, upper, bins)];
            }
        });
    }
    /// Bin i is from level i to level i + 1. The levels ascend.
    template <class Samples, class Counter, class Level, class Count>
    static cudaError_t HistogramRange(void* storage, std::size_t& bytes, Samples samples, Counter* histogram,
                                      int levels, const Level* level, Count count,
                                      cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            std::fill(histogram, histogram + levels - 1, Counter{});
            for (Count i = 0; i < count; ++i) {
                const auto above = std::upper_bound(level, level + levels, static_cast<Level>(samples[i]));
                if (above != level && above != level + levels) ++histogram[above - level - 1];
            }
        });
    }

  private:
    template <class T>
    static int bin_of(T sample, T lower, T upper, int bins) {
        if constexpr (std::is_integral_v<T>) {
            const auto distance = static_cast<std::uint64_t>(sample) - static_cast<std::uint64_t>(lower);
            const auto range = static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower);
            return static_cast<int>(static_cast<unsigned __int128>(distance) * static_cast<unsigned>(bins) /
                                    range);
        } else {
            const T scale = static_cast<T>(bins) / (upper - lower);
            return std::min(static_cast<int>((sample - lower) * scale), bins - 1);
        }
    }
};

}  // namespace cub
