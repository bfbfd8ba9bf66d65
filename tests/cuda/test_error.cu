// common/cuda/error.cuh: the exception's message, and that a reported error is cleared.
#include <cuda_runtime.h>

#include <string>

#include <fmt/format.h>

#include "common/cuda/error.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::error_text;

__global__ void nothing() {}

// These need no GPU.

TEST(CudaErrorText, NamesCallErrorFileAndLine) {
    const int line = __LINE__ + 1;
    const std::string error = error_text<CudaError>([] { CUDA_CHECK(cudaErrorInvalidValue); });
    EXPECT_EQ(error,
              fmt::format("cudaErrorInvalidValue failed: cudaErrorInvalidValue (invalid argument), at {}:{}",
                          __FILE__, line));
}

TEST(CudaErrorText, QuotesTheCall) {
    const auto some_call = [](int, int) { return cudaErrorMemoryAllocation; };
    const std::string error = error_text<CudaError>([&] { CUDA_CHECK(some_call(1 + 1, 3)); });
    EXPECT_EQ(error.find("some_call(1 + 1, 3) failed: cudaErrorMemoryAllocation (out of memory), at "), 0U)
        << error;
    EXPECT_TRUE(test::is_one_line(error)) << error;
}

TEST(CudaErrorText, HandleErrorIsTheSame) {
    const int line = __LINE__ + 1;
    const std::string error = error_text<CudaError>([] { HANDLE_ERROR(cudaErrorInvalidValue); });
    EXPECT_NE(error.find("cudaErrorInvalidValue (invalid argument), at "), std::string::npos) << error;
    EXPECT_NE(error.find(fmt::format("test_error.cu:{}", line)), std::string::npos) << error;
}

TEST(CudaErrorText, SuccessIsNoError) {
    EXPECT_EQ(error_text<CudaError>([] { CUDA_CHECK(cudaSuccess); }), "no error");
    EXPECT_EQ(error_text<CudaError>([] { HANDLE_ERROR(cudaSuccess); }), "no error");
}

TEST(CudaErrorText, IsAMachineErrorWithItsCode) {
    try {
        CUDA_CHECK(cudaErrorNoDevice);
        FAIL() << "no error";
    } catch (const MachineError& error) {
        const auto* cuda_error = dynamic_cast<const CudaError*>(&error);
        ASSERT_NE(cuda_error, nullptr);
        EXPECT_EQ(cuda_error->code(), cudaErrorNoDevice);
    }
}

TEST(CudaErrorText, EvaluatesTheCallOnce) {
    int calls = 0;
    CUDA_CHECK((++calls, cudaSuccess));
    HANDLE_ERROR((++calls, cudaSuccess));
    EXPECT_EQ(calls, 2);
}

TEST(HandleNull, NamesThePointer) {
    int value = 0;
    int* pointer = &value;
    EXPECT_EQ(error_text<MachineError>([&] { HANDLE_NULL(pointer); }), "no error");
    pointer = nullptr;
    EXPECT_EQ(error_text<MachineError>([&] { HANDLE_NULL(pointer); }), "out of host memory: pointer");
}

TEST(HandleNull, IsOneStatement) {
    int value = 0;
    int* pointer = &value;
    bool other_branch = false;
    if (pointer == nullptr)
        HANDLE_NULL(pointer);
    else
        other_branch = true;
    EXPECT_TRUE(other_branch);
}

class CudaErrorOnGpu : public test::Gpu {};

TEST_F(CudaErrorOnGpu, FailedCallLeavesNothingBehind) {
    void* memory = nullptr;
    EXPECT_NE(error_text<CudaError>([&] { CUDA_CHECK(cudaMalloc(&memory, std::size_t{1} << 50U)); }),
              "no error");
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(CudaErrorOnGpu, FailedLaunchLeavesNothingBehind) {
    // more threads than a block can have on any GPU
    static_cast<void>(cudaLaunchKernel(nothing, dim3(1), dim3(4096), nullptr, 0, nullptr));
    const std::string error = error_text<CudaError>([] { CUDA_CHECK(cudaPeekAtLastError()); });
    EXPECT_EQ(error.find("cudaPeekAtLastError() failed: cudaErrorInvalid"), 0U) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
}  // namespace cudabook
