// Runs the kernels of the features, and converts the results to text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/numbers/crc32.hpp"

namespace cudabook::test {

/// Appends a word to a line, after a space unless the line is empty.
inline void add(std::string& line, const std::string& word) {
    if (!line.empty()) line += ' ';
    line += word;
}

/// Returns the numbers as text. If there are more than 16, returns the CRC-32 of their bytes as text.
template <class T>
std::string text_of(const std::vector<T>& numbers) {
    if (numbers.size() > 16) return "crc32 " + hex(crc32(std::as_bytes(std::span(numbers))));
    std::ostringstream text;
    for (const T& number : numbers) text << (text.tellp() == 0 ? "" : " ") << +number;
    return text.str();
}

/// Launches the kernel with an array of `size` zeros as its first argument, and returns the array.
template <class T, class... Parameters, class... Arguments>
std::vector<T> numbers_of(std::size_t size, dim3 blocks, dim3 threads, void (*kernel)(T*, Parameters...),
                          Arguments... arguments) {
    const DeviceArray<T> result(size);
    CUDA_CHECK(cudaMemset(result.data(), 0, size * sizeof(T)));
    const Stream stream;
    launch(kernel, blocks, threads, stream, result.data(), arguments...);
    stream.synchronize();
    return result.download();
}

/// Like numbers_of(), but returns the array as text.
template <class T, class... Parameters, class... Arguments>
std::string result_of(std::size_t size, dim3 blocks, dim3 threads, void (*kernel)(T*, Parameters...),
                      Arguments... arguments) {
    return text_of(numbers_of(size, blocks, threads, kernel, arguments...));
}

/// Returns a pseudo-random number that depends only on i.
__host__ __device__ inline std::uint32_t scrambled(std::uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352dU;
    i = (i ^ i >> 15) * 0x846ca68bU;
    return i ^ i >> 16;
}

}  // namespace cudabook::test
