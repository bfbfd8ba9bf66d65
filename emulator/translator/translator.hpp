// Translates a CUDA source into C++ for the emulated GPU. The source has been preprocessed with the headers
// of emulator/include/, which put words in the places of CUDA's qualifiers. The left forms become the right
// forms:
//
//     kernel<<<grid, block>>>(a, b)    launched(kernel)(grid, block)(a, b)
//     __global__, __device__           the attribute of device code
//     __device__ int x;                static int x; as each source has its own, unless -rdc=true
//
// A launch's callee may be one of several functions, because it is overloaded, has default arguments or its
// template arguments are deduced. Then each kernel of that name gets a function with the kernel's parameters.
// As in CUDA, the parameters are made once, from the launch's arguments, and live until the launch has
// returned:
//
//     static inline auto kernel__cudabook_arguments(int* a, T b) -> Arguments<void, int*, T> { return {a, b};
//     }
//
//     launched_by([](auto of) { return static_cast<decltype(of)>(kernel); })(grid, block)(
//         kernel__cudabook_arguments(a, b))
//
// Lines keep their numbers. Code that needs real CUDA is an error. So are mistakes that nvcc refuses and
// that can be found without knowing types, such as a kernel's call without <<<>>>.
#pragma once

#include <string>
#include <string_view>

#include "emulator/translator/tokens.hpp"

namespace cudabook::translator {

struct Options {
    std::string attribute;                 ///< for functions that run on the GPU
    std::string lambda_attribute;          ///< for lambdas that run on the GPU, before their parameters
    std::string constant_attribute;        ///< for __constant__ variables that are not const
    bool shares_variables = false;         ///< -rdc=true: all sources share variables that have no `static`
    std::vector<std::string> own_headers;  ///< folders of cudabook's headers, which count as system headers
    std::string cccl;                      ///< the folder of CCCL's headers, which count so, too; or empty
};

/// Returns the translation. If `warnings` is not null, it gets a line, "FILE:LINE: warning: what is wrong",
/// for each use by the host of a variable that only the GPU has, and for a second name for a block's dynamic
/// shared memory. Errors: SourceError.
std::string translate(std::string_view preprocessed, const Options& options, std::string* warnings = nullptr);

}  // namespace cudabook::translator
