// Turns a CUDA source into C++ for the emulated GPU. The source has been preprocessed with the headers of
// common/emulation/include/, which leave words in CUDA's qualifiers' places:
//
//     kernel<<<grid, block>>>(a, b)    launched(kernel)(grid, block)(a, b)
//     __global__, __device__           the attribute of device code
//     __device__ int x;                static int x; as each source has its own, unless -rdc=true
//
// A launch's callee that may be one of several functions, because it is overloaded, has default arguments or
// its template arguments are deduced, is handed over in a lambda that calls it:
//
//     kernel<<<grid, block>>>(a, b)    launched_by("kernel", [&](auto... of) { kernel(of...); })(grid,
//     block)(a, b)
//
// No line moves. What needs real CUDA is an error.
#pragma once

#include <string>
#include <string_view>

#include "common/emulation/translator/tokens.hpp"

namespace cudabook::translator {

struct Options {
    std::string attribute;           ///< of functions that run on the GPU
    std::string constant_attribute;  ///< of __constant__ variables that are not const
    bool shares_variables = false;   ///< -rdc=true: all sources share variables that have no `static`
    std::string own_headers;         ///< the folder of cudabook's headers, which count as a system's
};

/// The translation. Errors: SourceError.
std::string translate(std::string_view preprocessed, const Options& options);

}  // namespace cudabook::translator
