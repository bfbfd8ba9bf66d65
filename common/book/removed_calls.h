// Runtime functions that CUDA 13 removed or changed, as they were before.
#ifndef CUDABOOK_REMOVED_CALLS_H
#define CUDABOOK_REMOVED_CALLS_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#if CUDART_VERSION >= 13000

static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
    return cudaDeviceGetCacheConfig(config);
}

// There is nothing to set: every GPU that CUDA 13 supports computes in double precision.
static inline cudaError_t cudaSetDoubleForDevice(double* /*number*/) { return cudaSuccess; }
static inline cudaError_t cudaSetDoubleForHost(double* /*number*/) { return cudaSuccess; }

// Before CUDA 13, a memory location was a device index or cudaCpuDeviceId.
static inline cudaMemLocation cudabook_location(int device) {
    cudaMemLocation location{};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
static inline cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
    return cudaMemAdvise(memory, bytes, advice, cudabook_location(device));
}
static inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(memory, bytes, cudabook_location(device), 0, stream);
}

// Before CUDA 13, these functions had no argument for the data of a graph's edges.
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                            size_t* count) {
    return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                       size_t* count) {
    return cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                         size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           cudaGraphNodeParams* parameters) {
    return cudaGraphAddNode(node, graph, after, nullptr, count, parameters);
}

#endif

#endif
