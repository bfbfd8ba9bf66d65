// CUDA's runtime for a host compiler: the language extensions for kernels, and the templates of the runtime
// API. Kernels run on the emulated GPU. Results are those of the CUDA C++ Programming Guide; device code is
// compiled as for compute capability 9.0.
#pragma once

#define __CUDA_RUNTIME_H__

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <cuda_runtime_api.h>

#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_FEAT_SM90_ALL 1

#ifdef CUDABOOK_SECOND_READER  // clang's own attributes, for scripts/cudabook-second-reader
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#elif defined(CUDABOOK_TO_TRANSLATE)  // words for emulator/translator/
#define __global__ __cudabook_global__
#define __device__ __cudabook_device__
#define __host__ __cudabook_host__
#define __constant__ __cudabook_constant__
#define __managed__ __cudabook_variable__
#define __forceinline__ __cudabook_forceinline__
#define __launch_bounds__(...) __attribute__((cudabook_launch_bounds(__VA_ARGS__)))
#else
#if CUDABOOK_THREAD_SANITIZER  // g++ does not instrument loads of structures that are passed by value
#define __global__ __attribute__((flatten))
#elif defined(__wasm__)  // web/kernels.py finds kernels by this annotation
#define __global__ __attribute__((annotate("cudabook_kernel")))
#else
#define __global__
#endif
#define __device__
#define __host__
#ifdef CUDABOOK_COUNTED  // this section tells reads of constants from reads of global memory
#define __constant__ __attribute__((section("cudabook_constant")))
#else
#define __constant__
#endif
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#define __noinline__  // empty, because libstdc++ writes __attribute__((__noinline__))
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#define __grid_constant__

// The tag tells the engine the size of a kernel's clusters: it becomes a part of the kernel's name in the
// symbol table (emulator/engine/program_file.hpp). The sizes are numbers, or macros for numbers. (g++ omits
// the tag in names of templates outside namespaces, so emulator/translator/ puts them into a namespace.)
#define __cluster_dims__(...) CUDABOOK_CLUSTER(__VA_ARGS__, 1, 1, )
#define CUDABOOK_CLUSTER(x, y, z, ...) __attribute__((abi_tag("cudabook_cluster_" #x "_" #y "_" #z)))

#define __align__(bytes) __attribute__((aligned(bytes)))

// Shared memory is thread_local, because the blocks of an operating system's thread run one after another.
// The tag, which becomes a part of the symbol's name, tells it from the program's own thread_local
// variables. (A section cannot do this: GCC does not put a template's variables into the same section as
// others. constinit is not possible: clang refuses it for structures.)
#ifdef CUDABOOK_SECOND_READER
#define __shared__ __attribute__((shared))
#elif defined(__wasm__)  // no thread_local variables, and no symbol table: the section has the shared memory
#define __shared__ thread_local __attribute__((abi_tag("cudabook_shared"), section("cudabook_shared")))
#else
#define __shared__ thread_local __attribute__((abi_tag("cudabook_shared")))
#endif

#ifdef CUDABOOK_SECOND_READER  // clang needs this function for <<<>>>
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr);
#endif

#include "emulator/engine/block.hpp"
#include "emulator/engine/launch.hpp"
#include "emulator/engine/launched.hpp"
#include "emulator/runtime/known.hpp"

#include "channel_descriptor.h"
#ifndef CUDABOOK_HOST_SOURCE  // a source without kernels may have functions of its own with these names
#include "device_functions.h"
#include "math_functions.h"
#include "surface_functions.h"  // old programs have headers of this name
#include "texture_functions.h"
#endif

// ----- The runtime API's templates

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
    return cudaMalloc(static_cast<void**>(static_cast<void*>(memory)), bytes);
}
template <class T>
cudaError_t cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width_bytes, std::size_t height) {
    return cudaMallocPitch(static_cast<void**>(static_cast<void*>(memory)), pitch, width_bytes, height);
}
template <class T>
cudaError_t cudaMallocManaged(T** memory, std::size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(static_cast<void**>(static_cast<void*>(memory)), bytes, flags);
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
    return cudaMallocHost(static_cast<void**>(static_cast<void*>(memory)), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** memory, std::size_t bytes, unsigned flags) {
    return cudaHostAlloc(static_cast<void**>(static_cast<void*>(memory)), bytes, flags);
}
template <class T>
cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(static_cast<void**>(static_cast<void*>(memory)), bytes, stream);
}
#if CUDABOOK_MEMORY_MARKS
// cudaMemset() and cudaMemsetAsync() for an array of numbers of more than one byte.
template <class T>
requires(std::is_arithmetic_v<T> && sizeof(T) > 1) cudaError_t
    cudaMemset(T* memory, int value, std::size_t bytes) {
    cudabook::emulation::check_fill(sizeof(T), value);
    return cudaMemset(static_cast<void*>(memory), value, bytes);
}
template <class T>
requires(std::is_arithmetic_v<T> && sizeof(T) > 1) cudaError_t
    cudaMemsetAsync(T* memory, int value, std::size_t bytes, cudaStream_t stream = nullptr) {
    cudabook::emulation::check_fill(sizeof(T), value);
    return cudaMemsetAsync(static_cast<void*>(memory), value, bytes, stream);
}
#endif
/// `flags` are the flags of cudaEventCreateWithFlags().
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

/// A __constant__ or __device__ variable is a variable of the host, which all emulated GPUs share.
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    cudabook::emulation::make_known(&symbol, sizeof symbol);
    *address = const_cast<T*>(&symbol);
    return cudabook::emulation::result(cudaSuccess);
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
    *bytes = sizeof symbol;
    return cudabook::emulation::result(cudaSuccess);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
    cudabook::emulation::make_known(&symbol, sizeof symbol);
    return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
    cudabook::emulation::make_known(&symbol, sizeof symbol);
    return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    cudabook::emulation::make_known(&symbol, sizeof symbol);
    return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    cudabook::emulation::make_known(&symbol, sizeof symbol);
    return cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}

// These refuse a variable of the host, which is no symbol.
inline cudaError_t cudaGetSymbolAddress(void** /*address*/, const cudabook::emulation::NoSymbol& symbol) {
    return cudabook::emulation::refuse_symbol(symbol);
}
inline cudaError_t cudaGetSymbolSize(std::size_t* /*bytes*/, const cudabook::emulation::NoSymbol& symbol) {
    return cudabook::emulation::refuse_symbol(symbol);
}
inline cudaError_t cudaMemcpyToSymbol(const cudabook::emulation::NoSymbol& symbol, const void* /*from*/,
                                      std::size_t /*bytes*/, std::size_t /*offset*/ = 0,
                                      cudaMemcpyKind /*kind*/ = cudaMemcpyHostToDevice) {
    return cudabook::emulation::refuse_symbol(symbol);
}
inline cudaError_t cudaMemcpyFromSymbol(void* /*to*/, const cudabook::emulation::NoSymbol& symbol,
                                        std::size_t /*bytes*/, std::size_t /*offset*/ = 0,
                                        cudaMemcpyKind /*kind*/ = cudaMemcpyDeviceToHost) {
    return cudabook::emulation::refuse_symbol(symbol);
}
inline cudaError_t cudaMemcpyToSymbolAsync(const cudabook::emulation::NoSymbol& symbol, const void* /*from*/,
                                           std::size_t /*bytes*/, std::size_t /*offset*/ = 0,
                                           cudaMemcpyKind /*kind*/ = cudaMemcpyHostToDevice,
                                           cudaStream_t /*stream*/ = nullptr) {
    return cudabook::emulation::refuse_symbol(symbol);
}
inline cudaError_t cudaMemcpyFromSymbolAsync(void* /*to*/, const cudabook::emulation::NoSymbol& symbol,
                                             std::size_t /*bytes*/, std::size_t /*offset*/ = 0,
                                             cudaMemcpyKind /*kind*/ = cudaMemcpyDeviceToHost,
                                             cudaStream_t /*stream*/ = nullptr) {
    return cudabook::emulation::refuse_symbol(symbol);
}

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
    return [&](Parameters... parameters) {
        return cudabook::emulation::launch_kernel(*config, kernel, parameters...);
    }(static_cast<Parameters>(std::forward<Arguments>(arguments))...);
}
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr) {
    const cudaLaunchConfig_t config{grid, block, dynamic_shared_bytes, stream, nullptr, 0};
    return cudabook::emulation::launch_by_pointers(config, kernel, arguments,
                                                   std::make_index_sequence<sizeof...(Parameters)>());
}
/// Launches a kernel whose blocks run at the same time, so that they can wait for each other. Errors:
/// cudaErrorCooperativeLaunchTooLarge if the GPU cannot hold all the blocks at once.
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t dynamic_shared_bytes = 0,
                                        cudaStream_t stream = nullptr) {
    cudaLaunchAttribute cooperative = cudabook::emulation::cooperative();
    const cudaLaunchConfig_t config{grid, block, dynamic_shared_bytes, stream, &cooperative, 1};
    return cudabook::emulation::launch_by_pointers(config, kernel, arguments,
                                                   std::make_index_sequence<sizeof...(Parameters)>());
}

/// These launch a kernel whose address was cast to a void pointer. Errors: cudaErrorInvalidDeviceFunction if
/// the kernel's parameters are unknown, because the operand of the cast was not the kernel's own name.
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr) {
    return cudabook::emulation::launch_by_address({grid, block, dynamic_shared_bytes, stream, nullptr, 0},
                                                  kernel, arguments);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               std::size_t dynamic_shared_bytes = 0,
                                               cudaStream_t stream = nullptr) {
    cudaLaunchAttribute cooperative = cudabook::emulation::cooperative();
    return cudabook::emulation::launch_by_address(
        {grid, block, dynamic_shared_bytes, stream, &cooperative, 1}, kernel, arguments);
}

/// Launches a kernel whose address was cast to a void pointer, with a configuration.
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
    return cudabook::emulation::launch_by_address(*config, kernel, arguments);
}

/// The signature of CUDA 11, with a failed node and a log, which the emulated GPU does not fill in.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        cudaGraphNode_t* /*wrong*/, char* /*log*/, std::size_t /*bytes*/) {
    return cudaGraphInstantiate(executable, graph, 0ULL);
}

/// The signature of CUDA 11, with two results.
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* wrong,
                                       cudaGraphExecUpdateResult* found) {
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
    if (wrong != nullptr) *wrong = info.errorNode;
    if (found != nullptr) *found = info.result;
    return error;
}

// Nodes that copy to and from a __constant__ or __device__ variable.
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, std::size_t count, const T& symbol,
                                           const void* from, std::size_t bytes, std::size_t offset,
                                           cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNode1D(node, graph, after, count,
                                    cudabook::emulation::place_in_symbol(symbol, offset), from, bytes, kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, std::size_t count, void* to,
                                             const T& symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNode1D(node, graph, after, count, to,
                                    cudabook::emulation::place_in_symbol(symbol, offset), bytes, kind);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParams1D(node, cudabook::emulation::place_in_symbol(symbol, offset), from,
                                          bytes, kind);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParams1D(node, to, cudabook::emulation::place_in_symbol(symbol, offset),
                                          bytes, kind);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const T& symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParams1D(
        executable, node, cudabook::emulation::place_in_symbol(symbol, offset), from, bytes, kind);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       void* to, const T& symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParams1D(
        executable, node, to, cudabook::emulation::place_in_symbol(symbol, offset), bytes, kind);
}

template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... Parameters>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, void (*kernel)(Parameters...)) {
    return cudaGetFuncBySymbol(function, reinterpret_cast<const void*>(cudabook::emulation::known(kernel)));
}
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class... Parameters>
cudaError_t cudaFuncSetCacheConfig(void (*kernel)(Parameters...), cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... Parameters>
cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(Parameters...), cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(Parameters...),
                                                          int threads, std::size_t dynamic_shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                                         threads, dynamic_shared_bytes);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(Parameters...),
                                                                   int threads,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, reinterpret_cast<const void*>(kernel), threads, dynamic_shared_bytes, flags);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, void (*kernel)(Parameters...),
                                                 const cudaLaunchConfig_t* config) {
    return cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void (*kernel)(Parameters...),
                                           const cudaLaunchConfig_t* config) {
    return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
template <class... Parameters>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, void (*kernel)(Parameters...),
                                                      int blocks, int threads) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(kernel), blocks,
                                                     threads);
}
/// Returns the largest block with the highest occupancy, and the smallest grid that reaches this occupancy.
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, const void* kernel,
                                                      std::size_t dynamic_shared_bytes = 0,
                                                      int most_threads = 0) {
    return cudabook::emulation::best_block(blocks, threads, kernel, dynamic_shared_bytes, most_threads);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, void (*kernel)(Parameters...),
                                               std::size_t dynamic_shared_bytes = 0, int most_threads = 0) {
    return cudabook::emulation::best_block(blocks, threads, reinterpret_cast<const void*>(kernel),
                                           dynamic_shared_bytes, most_threads);
}
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* threads, const void* kernel,
                                                               std::size_t dynamic_shared_bytes = 0,
                                                               int most_threads = 0, unsigned /*flags*/ = 0) {
    return cudabook::emulation::best_block(blocks, threads, kernel, dynamic_shared_bytes, most_threads);
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* blocks, int* threads,
                                                        void (*kernel)(Parameters...),
                                                        std::size_t dynamic_shared_bytes = 0,
                                                        int most_threads = 0, unsigned /*flags*/ = 0) {
    return cudabook::emulation::best_block(blocks, threads, reinterpret_cast<const void*>(kernel),
                                           dynamic_shared_bytes, most_threads);
}
/// bytes_of(threads) returns the dynamic shared memory of a block with this many threads.
template <class Kernel, class BytesOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* blocks, int* threads, Kernel kernel,
                                                           BytesOf bytes_of, int most_threads = 0) {
    const auto call = [](int of, const void* function) {
        return static_cast<std::size_t>((*static_cast<const BytesOf*>(function))(of));
    };
    return cudabook::emulation::best_block(blocks, threads, reinterpret_cast<const void*>(kernel), call,
                                           &bytes_of, most_threads);
}
template <class Kernel, class BytesOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* blocks, int* threads, Kernel kernel,
                                                                    BytesOf bytes_of, int most_threads = 0,
                                                                    unsigned /*flags*/ = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(blocks, threads, kernel, bytes_of, most_threads);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(static_cast<void**>(static_cast<void*>(memory)), bytes, pool, stream);
}
/// cudaMallocAsync() for memory of a pool.
template <class T>
cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(static_cast<void**>(static_cast<void*>(memory)), bytes, pool, stream);
}

#ifdef CUDABOOK_HOST_SOURCE  // calls that CUDA 12 has removed
#include "common/book/texture_reference.h"
#endif
