// cub::DeviceRadixSort: stable sorts by some of the bits of keys that are numbers. -0 and +0 are equal.
// Source: CUB API Reference, "DeviceRadixSort".
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "../details/device_call.hpp"

namespace cub {

class DeviceRadixSort {
    /// The type of values if no values are sorted with the keys.
    struct NoValue {};

    template <class Key>
    static constexpr int bits = static_cast<int>(sizeof(Key)) * CHAR_BIT;

    /// Returns a number whose order is the order of the keys: it is larger for a larger key.
    template <class Key>
    static std::uint64_t rank(Key key) {
        static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                      "cub::DeviceRadixSort sorts integers, floats and doubles here: use thrust::sort");
        constexpr std::uint64_t sign = std::uint64_t{1} << (bits<Key> - 1);
        constexpr std::uint64_t all = sign | (sign - 1);
        if constexpr (std::is_floating_point_v<Key>) {
            using Bits = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
            const std::uint64_t number = key == 0 ? 0 : std::bit_cast<Bits>(key);
            return (number & sign) != 0 ? ~number & all : number | sign;
        } else {
            const std::uint64_t number = static_cast<std::uint64_t>(key) & all;
            return std::is_signed_v<Key> ? number ^ sign : number;
        }
    }

    template <bool is_descending, class Key, class T, class Count>
    static cudaError_t sort(void* storage, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                            const T* values, T* sorted_values, Count count, int begin, int end,
                            cudaStream_t stream) {
        return details::call(storage, bytes, stream, [=] {
            std::vector<std::pair<Key, T>> all;
            all.reserve(static_cast<std::size_t>(count));
            for (Count i = 0; i < count; ++i) {
                if constexpr (std::is_same_v<T, NoValue>)
                    all.emplace_back(keys[i], T());
                else
                    all.emplace_back(keys[i], values[i]);
            }
            const auto digits = [=](Key key) {
                const std::uint64_t from_begin = begin >= 64 ? 0 : rank(key) >> begin;
                return end - begin >= 64 ? from_begin
                                         : from_begin & ((std::uint64_t{1} << (end - begin)) - 1);
            };
            std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
                return is_descending ? digits(a.first) > digits(b.first) : digits(a.first) < digits(b.first);
            });
            for (Count i = 0; i < count; ++i) {
                const auto& [key, value] = all[static_cast<std::size_t>(i)];
                sorted_keys[i] = key;
                if constexpr (!std::is_same_v<T, NoValue>) sorted_values[i] = value;
            }
        });
    }

    template <class T>
    static void use_alternate(const void* storage, DoubleBuffer<T>& buffer) {
        if (storage != nullptr) buffer.selector ^= 1;
    }

    template <bool is_descending, class Key, class T, class Count>
    static cudaError_t sort(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,
                            DoubleBuffer<T>& values, Count count, int begin, int end, cudaStream_t stream) {
        const cudaError_t error =
            sort<is_descending>(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                                values.Alternate(), count, begin, end, stream);
        use_alternate(storage, keys);
        use_alternate(storage, values);
        return error;
    }

  public:
#define CUDABOOK_SORTS(name, is_descending)                                                                  \
    template <class Key, class Count>                                                                        \
    static cudaError_t SortKeys##name(void* storage, std::size_t& bytes, const Key* keys, Key* sorted_keys,  \
                                      Count count, int begin_bit = 0, int end_bit = bits<Key>,               \
                                      cudaStream_t stream = nullptr) {                                       \
        return sort<is_descending, Key, NoValue>(storage, bytes, keys, sorted_keys, nullptr, nullptr, count, \
                                                 begin_bit, end_bit, stream);                                \
    }                                                                                                        \
    template <class Key, class Count>                                                                        \
    static cudaError_t SortKeys##name(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,            \
                                      Count count, int begin_bit = 0, int end_bit = bits<Key>,               \
                                      cudaStream_t stream = nullptr) {                                       \
        DoubleBuffer<NoValue> none;                                                                          \
        return sort<is_descending>(storage, bytes, keys, none, count, begin_bit, end_bit, stream);           \
    }                                                                                                        \
    template <class Key, class T, class Count>                                                               \
    static cudaError_t SortPairs##name(void* storage, std::size_t& bytes, const Key* keys, Key* sorted_keys, \
                                       const T* values, T* sorted_values, Count count, int begin_bit = 0,    \
                                       int end_bit = bits<Key>, cudaStream_t stream = nullptr) {             \
        return sort<is_descending>(storage, bytes, keys, sorted_keys, values, sorted_values, count,          \
                                   begin_bit, end_bit, stream);                                              \
    }                                                                                                        \
    template <class Key, class T, class Count>                                                               \
    static cudaError_t SortPairs##name(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,           \
                                       DoubleBuffer<T>& values, Count count, int begin_bit = 0,              \
                                       int end_bit = bits<Key>, cudaStream_t stream = nullptr) {             \
        return sort<is_descending>(storage, bytes, keys, values, count, begin_bit, end_bit, stream);         \
    }
    CUDABOOK_SORTS(, false)
    CUDABOOK_SORTS(Descending, true)
#undef CUDABOOK_SORTS
};

}  // namespace cub
