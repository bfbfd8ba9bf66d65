// The paths of the programs of tests/legacy/. With CUDABOOK_OLD_PROGRAMS_ARE_EMULATED, these are the builds
// for the emulated GPU. Otherwise they are the builds by nvcc or, without CUDA, by the host's compiler.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/process.hpp"

namespace cudabook::test {

#ifdef CUDABOOK_OLD_PROGRAMS_ARE_EMULATED
inline constexpr bool old_programs_are_emulated = true;
#else
inline constexpr bool old_programs_are_emulated = false;
#endif

/// Returns the path of a program in the style of CUDA by Example.
inline std::string book_program(const std::string& name) {
    return (old_programs_are_emulated ? "legacy-emulated/" : "") + name;
}

/// Returns the path of a program with texture references.
inline std::string texture_program(const std::string& name) {
    return (old_programs_are_emulated ? "legacy-emulated/" : "legacy/") + name;
}

/// Returns true if a program ended because there is no GPU, and CUDABOOK_REQUIRE_GPU is not 1.
inline bool no_gpu(const Ending& ending) {
    const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
    if (required != nullptr && std::string_view(required) == "1") return false;
    return ending.status == 77 || ending.err.find("cudaErrorNoDevice") != std::string::npos ||
           ending.err.find("cudaErrorInsufficientDriver") != std::string::npos ||
           ending.err.find("no CUDA-capable device") != std::string::npos;
}

}  // namespace cudabook::test
