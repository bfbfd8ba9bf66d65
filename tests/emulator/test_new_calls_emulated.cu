// Current calls of the runtime, only on the emulated GPU: what it refuses, and what pools and graphs count.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cudabook {
namespace {

class NewCallsSmall : public testing::Test {
  protected:
    void TearDown() override { cudaDeviceReset(); }
};

#define EXPECT_SUCCESS(call) EXPECT_EQ(call, cudaSuccess)

/// Expects an error whose text ends with a reason.
void expect_refused(cudaError_t expected, const std::string& reason, cudaError_t got) {
    EXPECT_EQ(got, expected) << cudaGetErrorName(got);
    const std::string text = cudaGetErrorString(got);
    EXPECT_TRUE(text.ends_with(": " + reason)) << text;
    static_cast<void>(cudaGetLastError());
}

TEST_F(NewCallsSmall, WhatIsRefused) {
    const std::string no_sharing =
        "processes cannot share an emulated GPU's memory: copy it through the host";
    cudaIpcMemHandle_t memory{};
    cudaIpcEventHandle_t event{};
    cudaMemPool_t pool = nullptr;
    cudaMemPoolProps properties{};
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    void* function = nullptr;
    expect_refused(cudaErrorNotSupported, no_sharing, cudaIpcGetMemHandle(&memory, nullptr));
    expect_refused(cudaErrorNotSupported, no_sharing, cudaMemPoolCreate(&pool, &properties));
    expect_refused(cudaErrorNotSupported, "processes cannot share an emulated GPU's events",
                   cudaIpcGetEventHandle(&event, nullptr));
    expect_refused(cudaErrorNotSupported, "cuModuleLoad() of the driver API needs real CUDA",
                   cudaGetDriverEntryPoint("cuModuleLoad", &function, cudaEnableDefault));
    expect_refused(
        cudaErrorInvalidDeviceFunction,
        "the emulated GPU must know the kernel's parameters: write (void*)kernel with the kernel's "
        "own name",
        cudaLaunchKernel(static_cast<const void*>(&pool), 1, 1, nullptr));
}

TEST_F(NewCallsSmall, GraphsWithACircle) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t first = nullptr;
    cudaGraphNode_t second = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaGraphCreate(&graph, 0));
    EXPECT_SUCCESS(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
    EXPECT_SUCCESS(cudaGraphAddEmptyNode(&second, graph, &first, 1));
    EXPECT_SUCCESS(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1));
    expect_refused(cudaErrorInvalidValue, "the graph's dependencies have a circle",
                   cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
}

__global__ void write_when_all_are_here(int* to, int value) {
    cooperative_groups::this_grid().sync();
    to[blockIdx.x] = value;
}

__global__ void write_blocks_of_cluster(int* to, int factor) {
    to[blockIdx.x] = factor * static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}

/// Captures a launch with this attribute, and sets the parameters of the node and then of the executable
/// node. Expects that the kernel writes the number in the parameters each time, multiplied by `times`.
void expect_that_parameters_keep(const cudaLaunchAttribute& attribute, void (*kernel)(int*, int), int times) {
    int* to = nullptr;
    EXPECT_SUCCESS(cudaMallocManaged(&to, 4 * sizeof *to));
    cudaStream_t stream = nullptr;
    EXPECT_SUCCESS(cudaStreamCreate(&stream));
    EXPECT_SUCCESS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    cudaLaunchConfig_t config{};
    config.gridDim = 4;
    config.blockDim = 1;
    config.stream = stream;
    cudaLaunchAttribute attributes[] = {attribute};
    config.attrs = attributes;
    config.numAttrs = 1;
    EXPECT_SUCCESS(cudaLaunchKernelEx(&config, kernel, to, 1));
    cudaGraph_t graph = nullptr;
    EXPECT_SUCCESS(cudaStreamEndCapture(stream, &graph));
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    EXPECT_SUCCESS(cudaGraphGetNodes(graph, &node, &count));
    cudaKernelNodeParams parameters{};
    EXPECT_SUCCESS(cudaGraphKernelNodeGetParams(node, &parameters));
    int value = 2;
    void* arguments[] = {static_cast<void*>(&to), &value};
    parameters.kernelParams = arguments;
    EXPECT_SUCCESS(cudaGraphKernelNodeSetParams(node, &parameters));
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
    const auto expect = [&](int expected) {
        EXPECT_SUCCESS(cudaGraphLaunch(executable, stream));
        EXPECT_SUCCESS(cudaStreamSynchronize(stream));
        for (int i = 0; i < 4; ++i) EXPECT_EQ(to[i], expected * times);
    };
    expect(2);
    value = 3;
    EXPECT_SUCCESS(cudaGraphExecKernelNodeSetParams(executable, node, &parameters));
    expect(3);
    EXPECT_SUCCESS(cudaGraphExecDestroy(executable));
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
    EXPECT_SUCCESS(cudaStreamDestroy(stream));
    EXPECT_SUCCESS(cudaFree(to));
}

TEST_F(NewCallsSmall, ParametersOfANodeKeepACooperativeLaunch) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    expect_that_parameters_keep(attribute, write_when_all_are_here, 1);
}

TEST_F(NewCallsSmall, ParametersOfANodeKeepClusters) {
    int has_clusters = 0;
    EXPECT_SUCCESS(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    if (has_clusters == 0) GTEST_SKIP() << "needs clusters, which compute capability 9.0 has";
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    expect_that_parameters_keep(attribute, write_blocks_of_cluster, 2);
}

std::uint64_t graph_memory(cudaGraphMemAttributeType attribute) {
    std::uint64_t bytes = 0;
    EXPECT_SUCCESS(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

/// A graph's memory is used from its launch until it is freed, and reserved until it is trimmed.
TEST_F(NewCallsSmall, MemoryOfAGraph) {
    constexpr std::size_t bytes = 4096;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaMemAllocNodeParams parameters{};
    parameters.poolProps.allocType = cudaMemAllocationTypePinned;
    parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
    parameters.bytesize = bytes;
    EXPECT_SUCCESS(cudaGraphCreate(&graph, 0));
    EXPECT_SUCCESS(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_EQ(cudaFree(parameters.dptr), cudaErrorInvalidValue);  // it is not allocated yet
    static_cast<void>(cudaGetLastError());
    EXPECT_SUCCESS(cudaGraphLaunch(executable, nullptr));
    EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), bytes);
    expect_refused(cudaErrorInvalidValue,
                   "memory that the graph allocates was not freed since its last launch",
                   cudaGraphLaunch(executable, nullptr));
    EXPECT_SUCCESS(cudaFree(parameters.dptr));
    EXPECT_EQ(graph_memory(cudaGraphMemAttrUsedMemCurrent), 0U);
    EXPECT_EQ(graph_memory(cudaGraphMemAttrReservedMemCurrent), bytes);
    EXPECT_SUCCESS(cudaDeviceGraphMemTrim(0));
    EXPECT_EQ(graph_memory(cudaGraphMemAttrReservedMemCurrent), 0U);
    EXPECT_SUCCESS(cudaGraphLaunch(executable, nullptr));
    EXPECT_SUCCESS(cudaGraphExecDestroy(executable));
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
    EXPECT_SUCCESS(cudaMemset(parameters.dptr, 1, bytes));  // it stays until it is freed
    EXPECT_SUCCESS(cudaFree(parameters.dptr));
}

TEST_F(NewCallsSmall, PoolsCount) {
    cudaMemPool_t pool = nullptr;
    EXPECT_SUCCESS(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t threshold = 1000;
    EXPECT_SUCCESS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    const auto count = [pool](cudaMemPoolAttr attribute) {
        std::uint64_t bytes = 0;
        EXPECT_SUCCESS(cudaMemPoolGetAttribute(pool, attribute, &bytes));
        return bytes;
    };
    void* memory = nullptr;
    EXPECT_SUCCESS(cudaMallocAsync(&memory, 4000, nullptr));
    EXPECT_EQ(count(cudaMemPoolAttrUsedMemCurrent), 4000U);
    EXPECT_SUCCESS(cudaFree(memory));
    EXPECT_EQ(count(cudaMemPoolAttrUsedMemCurrent), 0U);
    EXPECT_EQ(count(cudaMemPoolAttrUsedMemHigh), 4000U);
    EXPECT_EQ(count(cudaMemPoolAttrReservedMemCurrent), threshold);
    EXPECT_SUCCESS(cudaMemPoolTrimTo(pool, 0));
    EXPECT_EQ(count(cudaMemPoolAttrReservedMemCurrent), 0U);
    EXPECT_SUCCESS(cudaMallocAsync(&memory, 4000, nullptr));
    EXPECT_SUCCESS(cudaDeviceReset());
    EXPECT_EQ(count(cudaMemPoolAttrUsedMemCurrent), 0U);
}

}  // namespace
}  // namespace cudabook
