// threadIdx and its kin. Device code takes them for constants, and the emulated GPU sets them by other names
// (block.hpp); so this includes neither. A debugger knows them from here.
#include <vector_types.h>

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};
