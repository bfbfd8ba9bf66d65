// threadIdx, blockIdx, blockDim and gridDim. This file does not include block.hpp, which declares them as
// constants for most device code, and as variables of other names for the engine. A debugger finds them here.
#include <vector_types.h>

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};
