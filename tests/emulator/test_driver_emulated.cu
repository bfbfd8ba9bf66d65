// The driver API on the emulated GPU. (The tests of a real GPU do not link the driver's library.)
#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace cudabook {
namespace {

#define EXPECT_DONE(call) EXPECT_EQ(call, CUDA_SUCCESS)

/// Each test begins with a context of device 0.
class DriverSmall : public testing::Test {
  protected:
    void SetUp() override {
        EXPECT_DONE(cuInit(0));
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        EXPECT_DONE(cuCtxCreate(&context_, nullptr, CU_CTX_SCHED_AUTO, 0));
    }
    void TearDown() override {
        EXPECT_DONE(cuCtxDestroy(context_));
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the driver API leaves the runtime's last error";
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    }

    CUcontext context_ = nullptr;
};

__global__ void scale_for_driver(float* numbers, float by, int size) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < size) numbers[i] *= by;
}

std::string driver_name_of(CUresult error) {
    const char* name = nullptr;
    EXPECT_DONE(cuGetErrorName(error, &name));
    return name;
}

TEST_F(DriverSmall, ErrorsHaveNames) {
    EXPECT_EQ(driver_name_of(CUDA_ERROR_INVALID_CONTEXT), "CUDA_ERROR_INVALID_CONTEXT");
    const char* text = nullptr;
    EXPECT_DONE(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    EXPECT_EQ(std::string(text), "out of memory");
    EXPECT_EQ(cuGetErrorString(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(text, nullptr);
}

TEST_F(DriverSmall, DevicesAreTheRuntimes) {
    cudaDeviceProp properties{};
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    int count = 0;
    EXPECT_DONE(cuDeviceGetCount(&count));
    CUdevice device = -1;
    EXPECT_DONE(cuDeviceGet(&device, 0));
    EXPECT_EQ(device, 0);
    EXPECT_EQ(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
    char name[100];
    EXPECT_DONE(cuDeviceGetName(name, sizeof name, 0));
    EXPECT_EQ(std::string(name), properties.name);
    EXPECT_DONE(cuDeviceGetName(name, 5, 0));
    EXPECT_EQ(std::string(name), std::string(properties.name).substr(0, 4));
    std::size_t bytes = 0;
    EXPECT_DONE(cuDeviceTotalMem(&bytes, 0));
    EXPECT_EQ(bytes, properties.totalGlobalMem);
    int value = 0;
    EXPECT_DONE(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    EXPECT_EQ(value, properties.multiProcessorCount);
    EXPECT_DONE(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    EXPECT_EQ(value, 0);
    EXPECT_EQ(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0),
              CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverSmall, ContextsAreAStackOfTheThread) {
    CUcontext current = nullptr;
    EXPECT_DONE(cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context_);
    CUcontext second = nullptr;
    EXPECT_DONE(cuCtxCreate(&second, nullptr, CU_CTX_MAP_HOST, 0));
    EXPECT_NE(second, context_);
    EXPECT_DONE(cuCtxPopCurrent(&current));
    EXPECT_EQ(current, second);
    EXPECT_DONE(cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context_);
    std::thread([&] {
        CUcontext of_thread = context_;
        EXPECT_DONE(cuCtxGetCurrent(&of_thread));
        EXPECT_EQ(of_thread, nullptr);
        CUdeviceptr memory = 0;
        EXPECT_EQ(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
        EXPECT_DONE(cuCtxPushCurrent(second));
        EXPECT_DONE(cuMemAlloc(&memory, 4));
        EXPECT_DONE(cuCtxDestroy(second));
        EXPECT_EQ(cuCtxPopCurrent(nullptr), CUDA_ERROR_INVALID_CONTEXT);
    }).join();
    EXPECT_EQ(cuCtxPushCurrent(second), CUDA_ERROR_INVALID_CONTEXT) << "it is destroyed";
}

TEST_F(DriverSmall, ADestroyedContextFreesItsMemory) {
    std::size_t before = 0;
    std::size_t total = 0;
    EXPECT_DONE(cuMemGetInfo(&before, &total));
    CUcontext second = nullptr;
    EXPECT_DONE(cuCtxCreate(&second, 0, 0));
    CUdeviceptr memory = 0;
    EXPECT_DONE(cuMemAlloc(&memory, 1 << 20));
    CUcontext owner = nullptr;
    EXPECT_DONE(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
    EXPECT_EQ(owner, second);
    EXPECT_DONE(cuCtxDestroy(second));
    std::size_t after = 0;
    EXPECT_DONE(cuMemGetInfo(&after, &total));
    EXPECT_EQ(after, before);
}

TEST_F(DriverSmall, TheRuntimeUsesThePrimaryContext) {
    CUcontext primary = nullptr;
    unsigned flags = 9;
    int active = 9;
    EXPECT_DONE(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 0);
    EXPECT_DONE(cuDevicePrimaryCtxRetain(&primary, 0));
    EXPECT_DONE(cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 1);
    CUcontext current = nullptr;
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_DONE(cuCtxGetCurrent(&current));
    EXPECT_EQ(current, context_) << "the runtime uses the context that is there";
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_DONE(cuCtxGetCurrent(&current));
    EXPECT_EQ(current, primary);
    EXPECT_DONE(cuCtxSetCurrent(context_));
    EXPECT_DONE(cuDevicePrimaryCtxRelease(0));
    EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    std::thread([&] {
        EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
        CUcontext of_thread = nullptr;
        EXPECT_DONE(cuCtxGetCurrent(&of_thread));
        EXPECT_EQ(of_thread, primary);
    }).join();
}

TEST_F(DriverSmall, MemoryIsCopiedAndFilled) {
    CUdeviceptr memory = 0;
    EXPECT_EQ(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_DONE(cuMemAlloc(&memory, 64));
    EXPECT_DONE(cuMemsetD8(memory, 0xab, 64));
    EXPECT_DONE(cuMemsetD32(memory + 16, 0x01020304, 2));
    EXPECT_DONE(cuMemsetD16(memory + 32, 0x0506, 2));
    EXPECT_EQ(cuMemsetD32(memory + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
    std::vector<std::uint8_t> bytes(64);
    EXPECT_DONE(cuMemcpyDtoH(bytes.data(), memory, 64));
    std::vector<std::uint8_t> expected(64, 0xab);
    for (const int at : {16, 20})
        for (int i = 0; i < 4; ++i)
            expected[static_cast<std::size_t>(at + i)] = static_cast<std::uint8_t>(4 - i);
    for (const int at : {32, 34}) {
        expected[static_cast<std::size_t>(at)] = 6;
        expected[static_cast<std::size_t>(at + 1)] = 5;
    }
    EXPECT_EQ(bytes, expected);

    CUDA_MEMCPY2D rows{};  // the second and the third byte of rows 1 and 2, of 8 bytes each
    rows.srcMemoryType = CU_MEMORYTYPE_HOST;
    rows.srcHost = bytes.data();
    rows.srcPitch = 16;
    rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    rows.dstDevice = memory;
    rows.dstPitch = 8;
    rows.dstXInBytes = 1;
    rows.dstY = 1;
    rows.WidthInBytes = 2;
    rows.Height = 2;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    EXPECT_DONE(cuMemsetD8(memory, 0, 64));
    EXPECT_DONE(cuMemcpy2D(&rows));
    EXPECT_DONE(cuMemcpyDtoH(bytes.data(), memory, 64));
    expected.assign(64, 0);
    expected[9] = 0;
    expected[10] = 1;
    expected[17] = 16;
    expected[18] = 17;
    EXPECT_EQ(bytes, expected);
    EXPECT_DONE(cuMemFree(memory));
    EXPECT_EQ(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverSmall, PointersHaveAttributes) {
    CUdeviceptr memory = 0;
    EXPECT_DONE(cuMemAlloc(&memory, 1000));
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    EXPECT_DONE(cuMemGetAddressRange(&begin, &bytes, memory + 10));
    EXPECT_EQ(begin, memory);
    EXPECT_EQ(bytes, 1000U);
    unsigned type = 0;
    int device = -1;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void* values[] = {&type, &device};
    EXPECT_DONE(cuPointerGetAttributes(2, attributes, values, memory));
    EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
    EXPECT_EQ(device, 0);
    const auto unknown = reinterpret_cast<CUdeviceptr>(&type);
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, unknown),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_DONE(cuPointerGetAttributes(2, attributes, values, unknown));
    EXPECT_EQ(type, 0U);
    EXPECT_EQ(device, CU_DEVICE_INVALID);
    EXPECT_DONE(cuMemFree(memory));
}

TEST_F(DriverSmall, KernelsOfTheProgram) {
    constexpr int size = 300;
    std::vector<float> numbers(size);
    for (int i = 0; i < size; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<float>(i);
    CUfunction function = nullptr;
    EXPECT_EQ(cudaGetFuncBySymbol(&function, scale_for_driver), cudaSuccess);
    CUdeviceptr memory = 0;
    CUstream stream = nullptr;
    CUevent begin = nullptr;
    CUevent end = nullptr;
    EXPECT_DONE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_DONE(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    EXPECT_DONE(cuEventCreate(&end, CU_EVENT_DEFAULT));
    EXPECT_DONE(cuMemAlloc(&memory, size * sizeof(float)));
    EXPECT_DONE(cuMemcpyHtoDAsync(memory, numbers.data(), size * sizeof(float), stream));
    float by = 2;
    int count = size;
    void* arguments[] = {&memory, &by, &count};
    EXPECT_DONE(cuEventRecord(begin, stream));
    EXPECT_DONE(cuLaunchKernel(function, 3, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
    CUlaunchConfig config{};
    config.gridDimX = 3;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 128;
    config.hStream = stream;
    EXPECT_DONE(cuLaunchKernelEx(&config, function, arguments, nullptr));
    EXPECT_DONE(cuEventRecord(end, stream));
    EXPECT_DONE(cuMemcpyDtoHAsync(numbers.data(), memory, size * sizeof(float), stream));
    EXPECT_DONE(cuStreamSynchronize(stream));
    for (int i = 0; i < size; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], 4 * static_cast<float>(i));
    float ms = -1;
    EXPECT_DONE(cuEventElapsedTime(&ms, begin, end));
    EXPECT_GE(ms, 0);

    EXPECT_EQ(cuLaunchKernel(function, 0, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr),
              CUDA_ERROR_INVALID_HANDLE);
    void* extra[] = {nullptr};
    EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra),
              CUDA_ERROR_NOT_SUPPORTED);
    int value = 0;
    EXPECT_DONE(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    EXPECT_EQ(value, 1024);
    int blocks = 0;
    int of_runtime = 0;
    EXPECT_DONE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0));
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_runtime, scale_for_driver, 128, 0),
              cudaSuccess);
    EXPECT_EQ(blocks, of_runtime);
    EXPECT_DONE(cuEventDestroy(begin));
    EXPECT_DONE(cuEventDestroy(end));
    EXPECT_DONE(cuStreamDestroy(stream));
    EXPECT_DONE(cuMemFree(memory));
}

TEST_F(DriverSmall, VirtualMemory) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    std::size_t piece = 0;
    EXPECT_DONE(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUdeviceptr at = 0;
    EXPECT_EQ(cuMemAddressReserve(&at, piece + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_DONE(cuMemAddressReserve(&at, 2 * piece, 0, 0, 0));
    EXPECT_EQ(at % piece, 0U);
    CUmemGenericAllocationHandle handles[2] = {};
    for (int i = 0; i < 2; ++i) {
        EXPECT_DONE(cuMemCreate(&handles[i], piece, &properties, 0));
        EXPECT_DONE(cuMemMap(at + static_cast<unsigned>(i) * piece, piece, 0, handles[i], 0));
        EXPECT_EQ(cuMemMap(at + static_cast<unsigned>(i) * piece, piece, 0, handles[i], 0),
                  CUDA_ERROR_INVALID_VALUE);
        EXPECT_DONE(cuMemRelease(handles[i]));
    }
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT_DONE(cuMemSetAccess(at, 2 * piece, &access, 1));
    EXPECT_DONE(cuMemsetD32(at, 7, 2 * piece / 4)) << "two pieces side by side are filled at once";
    std::vector<unsigned> numbers(2 * piece / 4);
    EXPECT_DONE(cuMemcpyDtoH(numbers.data(), at, 2 * piece));
    EXPECT_EQ(numbers, std::vector<unsigned>(2 * piece / 4, 7));
    EXPECT_EQ(cuMemAddressFree(at, 2 * piece), CUDA_ERROR_INVALID_VALUE) << "something is mapped there";
    EXPECT_DONE(cuMemUnmap(at, 2 * piece));
    EXPECT_DONE(cuMemAddressFree(at, 2 * piece));
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT_EQ(cuMemCreate(&handles[0], piece, &properties, 0), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverSmall, EntryPoints) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    EXPECT_EQ(cudaGetDriverEntryPoint("cuDeviceGetCount", &function, cudaEnableDefault, &found), cudaSuccess);
    EXPECT_EQ(found, cudaDriverEntryPointSuccess);
    int count = 0;
    EXPECT_DONE(reinterpret_cast<CUresult (*)(int*)>(function)(&count));
    EXPECT_GE(count, 1);
    EXPECT_EQ(cuGetProcAddress("cuModuleLoad", &function, 13000, 0), CUDA_ERROR_NOT_FOUND);
}

}  // namespace
}  // namespace cudabook
