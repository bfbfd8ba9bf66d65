// Translates a CUDA source into C++ for the emulated GPU. The source has been preprocessed with the headers
// of emulator/include/, which replace CUDA's qualifiers with words such as __cudabook_global__. The
// translator replaces the forms on the left with the forms on the right:
//
//     kernel<<<grid, block>>>(a, b)    launched(kernel)(grid, block)(a, b)
//     __global__, __device__           the attribute of device code
//     __device__ int x;                static int x; unless -rdc=true lets all sources share x
//
// The kernel's name in a launch may stand for several functions, because the kernel is overloaded, has
// default arguments, or deduces its template arguments. Then each kernel of this name gets a second function,
// with the kernel's parameters. As in CUDA, the parameters are made once, from the launch's arguments, and
// live until the launch has returned:
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
    std::string lambda_attribute;          ///< for lambdas that run on the GPU; before their parameters
    std::string constant_attribute;        ///< for __constant__ variables that are not const
    bool shares_variables = false;         ///< -rdc=true: all sources share variables that have no `static`
    std::vector<std::string> own_headers;  ///< folders of cudabook's headers, which count as system headers
    std::string cccl;                      ///< the folder of CCCL's headers, also system headers; or empty
};

/// Returns the translation. If `warnings` is not null, it gets lines "FILE:LINE: warning: what is wrong".
/// Host code that uses a variable of the GPU gives a warning, as does a second name for a block's dynamic
/// shared memory. Errors: SourceError.
std::string translate(std::string_view preprocessed, const Options& options, std::string* warnings = nullptr);

}  // namespace cudabook::translator
