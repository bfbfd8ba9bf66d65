// Small programs that each test one feature of a GPU. Their results are the same on every GPU of compute
// capability 9.0, real or emulated. features-h200.txt has the results of an H200, one line for each feature.
// To make features-h200.txt again:
//
//   nvcc -std=c++20 -arch=sm_90a -fmad=false -DFMT_USE_CONSTEXPR=1 -I. -o build/features
//       tests/emulator/features/*.{cu,cpp} common/program/memory.cpp common/numbers/crc32.cpp -lfmt -lz
//   build/features > tests/emulator/features-h200.txt
#pragma once

#include <span>
#include <string>

namespace cudabook::test {

struct Feature {
    const char* name;
    std::string (*result)();  ///< numbers as text, or the CRC-32 of more than 16. Errors: CudaError.
    bool by_kind = false;     ///< the result depends on the kind of GPU
};

// Blocks and warps: barriers, shuffles, votes, atomics, copies to shared memory, tensor cores.
std::span<const Feature> thread_features();
// The functions of a single thread: integers, floats, halves.
std::span<const Feature> number_features();
// The host's calls: memory, streams, graphs, launches and their errors.
std::span<const Feature> runtime_features();
// Textures and surfaces.
std::span<const Feature> texture_features();

}  // namespace cudabook::test
