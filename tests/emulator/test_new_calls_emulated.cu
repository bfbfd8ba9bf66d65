// Calls of today's runtime on the emulated GPU alone: what it refuses, and what its pools and graphs count.
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
    expect_refused(cudaErrorNotSupported, "cuInit() of the driver API needs real CUDA",
                   cudaGetDriverEntryPoint("cuInit", &function, cudaEnableDefault));
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
