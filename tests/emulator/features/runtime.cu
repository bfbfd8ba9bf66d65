#include <cstring>

#include "common/cuda/error.cuh"
#include "common/cuda/previous_launch.cuh"
#include "tests/emulator/features.hpp"
#include "tests/emulator/features/result.cuh"

namespace cudabook::test {
namespace {

/// A result that is too large for an int wraps around.
__device__ int product_and_sum(int number, int factor, int summand) {
    return static_cast<int>(static_cast<unsigned>(number) * static_cast<unsigned>(factor) +
                            static_cast<unsigned>(summand));
}

__global__ void multiply_and_add(int* numbers, int factor, int summand) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    numbers[i] = product_and_sum(numbers[i], factor, summand);
}

/// Does the same as multiply_and_add(), after the previous launch has ended.
__global__ void multiply_and_add_overlapped(int* numbers, int factor, int summand) {
    await_previous_launch();
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    numbers[i] = product_and_sum(numbers[i], factor, summand);
}

/// The name of an error, which is cleared.
std::string name_of(cudaError_t error) {
    static_cast<void>(cudaGetLastError());
    return cudaGetErrorName(error);
}

std::vector<int> ones(std::size_t size) { return std::vector<int>(size, 1); }

// ----- Streams, events, graphs

std::string streams() {
    const DeviceArray<int> numbers{std::span<const int>(ones(256))};
    const Stream first;
    const Stream second;
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int i = 0; i < 10; ++i) {
        launch(multiply_and_add, 2, 128, first, numbers.data(), 3, i);
        CUDA_CHECK(cudaEventRecord(event, first.get()));
        CUDA_CHECK(cudaStreamWaitEvent(second.get(), event, 0));
        launch(multiply_and_add, 2, 128, second, numbers.data(), 5, -i);
        CUDA_CHECK(cudaEventRecord(event, second.get()));
        CUDA_CHECK(cudaStreamWaitEvent(first.get(), event, 0));
    }
    first.synchronize();
    second.synchronize();
    const std::string queried = name_of(cudaStreamQuery(first.get())) + " " + name_of(cudaEventQuery(event));
    CUDA_CHECK(cudaEventDestroy(event));
    return text_of(numbers.download()) + " " + queried;
}

std::string events() {
    const Stream stream;
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
    cudaEvent_t without_time = nullptr;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&end));
    CUDA_CHECK(cudaEventCreateWithFlags(&without_time, cudaEventDisableTiming));
    float ms = -1;
    std::string text = name_of(cudaEventElapsedTime(&ms, start, end));
    CUDA_CHECK(cudaEventRecord(start, stream.get()));
    CUDA_CHECK(cudaEventRecord(without_time, stream.get()));
    CUDA_CHECK(cudaEventRecord(end, stream.get()));
    CUDA_CHECK(cudaEventSynchronize(end));
    add(text, name_of(cudaEventElapsedTime(&ms, start, end)));
    text += ms >= 0 ? " time" : " no time";
    add(text, name_of(cudaEventElapsedTime(&ms, start, without_time)));
    for (cudaEvent_t event : {start, end, without_time}) CUDA_CHECK(cudaEventDestroy(event));
    return text;
}

std::string graphs() {
    const DeviceArray<int> numbers{std::span<const int>(ones(256))};
    const DeviceArray<int> copy(256);
    const Stream stream;
    const Graph graph(stream, [&] {
        launch(multiply_and_add, 2, 128, stream, numbers.data(), 3, 1);
        CUDA_CHECK(cudaMemcpyAsync(copy.data(), numbers.data(), 256 * sizeof(int), cudaMemcpyDeviceToDevice,
                                   stream.get()));
        launch(multiply_and_add, 2, 128, stream, copy.data(), 2, 7);
        CUDA_CHECK(cudaMemcpyAsync(numbers.data(), copy.data(), 128 * sizeof(int), cudaMemcpyDeviceToDevice,
                                   stream.get()));
    });
    std::string text = text_of(numbers.download());  // capturing does nothing
    for (int i = 0; i < 5; ++i) graph.launch(stream);
    stream.synchronize();
    return text + " " + text_of(numbers.download()) + " " + text_of(copy.download());
}

std::string captures() {
    const Stream stream;
    std::string text;
    cudaStreamCaptureStatus status{};
    CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaStreamIsCapturing(stream.get(), &status));
    text += std::to_string(status) + " " + name_of(cudaStreamSynchronize(stream.get()));
    cudaGraph_t graph = nullptr;
    add(text, name_of(cudaStreamEndCapture(stream.get(), &graph)));
    CUDA_CHECK(cudaStreamIsCapturing(stream.get(), &status));
    return text + " " + std::to_string(status) + " " + name_of(cudaStreamEndCapture(stream.get(), &graph));
}

// ----- Launches

std::string launch_attributes() {
    const DeviceArray<int> numbers{std::span<const int>(ones(256))};
    const Stream stream;
    for (int i = 0; i < 20; ++i)
        launch_overlapped(Reads::memory, multiply_and_add_overlapped, 2, 128, stream, numbers.data(), 3, i);
    stream.synchronize();
    std::string text = text_of(numbers.download());
    cudaLaunchAttribute cooperative{};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 2;
    config.blockDim = 128;
    config.stream = stream.get();
    config.attrs = &cooperative;
    config.numAttrs = 1;
    add(text, name_of(cudaLaunchKernelEx(&config, multiply_and_add, numbers.data(), 5, 6)));
    config.gridDim = 1000000;
    add(text, name_of(cudaLaunchKernelEx(&config, multiply_and_add, numbers.data(), 5, 6)));
    stream.synchronize();
    return text + " " + text_of(numbers.download());
}

std::string launch_by_pointers() {
    const DeviceArray<int> numbers{std::span<const int>(ones(256))};
    int* memory = numbers.data();
    int factor = 7;
    int summand = -3;
    void* arguments[] = {&memory, &factor, &summand};
    CUDA_CHECK(cudaLaunchKernel(multiply_and_add, dim3(4), dim3(64), arguments, 0, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    return text_of(numbers.download());
}

__global__ void little_shared_kernel(int* to) {
    __shared__ int values[1000];
    values[threadIdx.x] = *to;
    __syncthreads();
    *to = values[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamic_kernel(int* to) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = *to;
    __syncthreads();
    *to = dynamic[blockDim.x - 1 - threadIdx.x];
}

std::string function_attributes() {
    cudaFuncAttributes attributes{};
    std::vector<int> numbers;
    for (void (*kernel)(int*) : {little_shared_kernel, dynamic_kernel}) {
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        for (const int number :
             {static_cast<int>(attributes.sharedSizeBytes), attributes.maxThreadsPerBlock,
              attributes.maxDynamicSharedSizeBytes, attributes.ptxVersion, attributes.binaryVersion})
            numbers.push_back(number);
    }
    return text_of(numbers);
}

/// The occupancy of kernels that use few registers.
std::string occupancy() {
    std::vector<int> numbers;
    CUDA_CHECK(cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    for (const int threads : {1, 32, 100, 256, 500, 1024}) {
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numbers.emplace_back(),
                                                                 little_shared_kernel, threads, 0));
        for (const std::size_t bytes : {10000, 60000, 227 << 10})
            CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numbers.emplace_back(), dynamic_kernel,
                                                                     threads, bytes));
    }
    std::string text;
    for (const int number : numbers) add(text, std::to_string(number));
    return text;
}

/// The errors of launches that a GPU refuses.
std::string bad_launches() {
    const DeviceArray<int> numbers(1);
    std::string text;
    const auto attempt = [&](dim3 blocks, dim3 threads, std::size_t shared_bytes, void (*kernel)(int*)) {
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = shared_bytes;
        add(text, name_of(cudaLaunchKernelEx(&config, kernel, numbers.data())));
    };
    attempt(1, 1025, 0, little_shared_kernel);
    attempt(1, dim3(1, 1, 65), 0, little_shared_kernel);
    attempt(1, dim3(32, 33), 0, little_shared_kernel);
    attempt(1, 0, 0, little_shared_kernel);
    attempt(0, 1, 0, little_shared_kernel);
    attempt(dim3(1, 65536), 1, 0, little_shared_kernel);
    attempt(dim3(1, 1, 65536), 1, 0, little_shared_kernel);
    attempt(dim3(0x80000000U), 1, 0, little_shared_kernel);
    attempt(1, 32, (48 << 10) - 3999, little_shared_kernel);
    attempt(1, 32, (227 << 10) + 1, dynamic_kernel);
    add(text, name_of(cudaFuncSetAttribute(dynamic_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (227 << 10) + 1)));
    add(text, name_of(cudaFuncSetAttribute(little_shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           227 << 10)));
    add(text, name_of(cudaSetDevice(99)) + " " + name_of(cudaMemset(nullptr, 0, 4)));
    return text;
}

// ----- Memory

std::string host_memory() {
    std::string text;
    const Stream stream;
    MappedArray<int> mapped(256);
    std::fill_n(mapped.data(), 256, 1);
    launch(multiply_and_add, 2, 128, stream, mapped.device_data(), 3, 1);
    stream.synchronize();
    text += text_of(std::vector<int>(mapped.data(), mapped.data() + 256));

    std::vector<int> registered(4096, 2);
    {
        const PageLock lock(registered.data(), registered.size() * sizeof(int));
        add(text, name_of(cudaHostRegister(registered.data(), 16, cudaHostRegisterDefault)));
        void* device = nullptr;
        CUDA_CHECK(cudaHostGetDevicePointer(&device, registered.data(), 0));
        launch(multiply_and_add, 32, 128, stream, static_cast<int*>(device), 3, 5);
        stream.synchronize();
    }
    add(text, text_of(registered) + " " + name_of(cudaHostUnregister(registered.data())));

    int* managed = nullptr;
    CUDA_CHECK(cudaMallocManaged(&managed, 256 * sizeof(int)));
    std::fill_n(managed, 256, 3);
    launch(multiply_and_add, 2, 128, stream, managed, 3, 5);
    stream.synchronize();
    add(text, text_of(std::vector<int>(managed, managed + 256)));
    CUDA_CHECK(cudaFree(managed));
    return text;
}

std::string pointer_attributes() {
    const DeviceArray<int> device(4);
    const MappedArray<int> mapped(4);
    int on_host = 0;
    std::vector<int> types;
    for (const void* memory :
         {static_cast<const void*>(device.data() + 2), static_cast<const void*>(mapped.data() + 3),
          static_cast<const void*>(&on_host)}) {
        cudaPointerAttributes attributes{};
        CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
        types.push_back(attributes.type);
        types.push_back(attributes.devicePointer != nullptr);
        types.push_back(attributes.hostPointer != nullptr);
    }
    return text_of(types);
}

std::string copies_of_rows() {
    std::size_t pitch = 0;
    unsigned char* memory = nullptr;
    std::vector<unsigned char> from(100 * 20);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<unsigned char>(scrambled(static_cast<unsigned>(i)));
    std::vector<unsigned char> to(100 * 20);
    CUDA_CHECK(cudaMallocPitch(&memory, &pitch, 100, 20));
    CUDA_CHECK(cudaMemset2D(memory, pitch, 7, 100, 20));
    CUDA_CHECK(
        cudaMemcpy2D(memory + 2 * pitch + 10, pitch, from.data(), 100, 50, 10, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(to.data(), 100, memory, pitch, 100, 20, cudaMemcpyDeviceToHost));
    std::string text = std::to_string(pitch) + " " + text_of(to);
    add(text, name_of(cudaMemcpy2D(memory, pitch, from.data(), 49, 50, 10, cudaMemcpyHostToDevice)));
    CUDA_CHECK(cudaFree(memory));
    return text;
}

std::string wrong_memory() {
    std::string text;
    int* memory = nullptr;
    int on_host = 0;
    text += name_of(cudaMalloc(&memory, std::size_t{1} << 50));
    add(text, name_of(cudaFree(nullptr)));
    CUDA_CHECK(cudaMalloc(&memory, 1024));
    add(text, name_of(cudaMemcpy(memory, &on_host, 4, static_cast<cudaMemcpyKind>(9))));
    add(text, name_of(cudaFree(memory + 1)));
    add(text, name_of(cudaFree(memory)));
    add(text, name_of(cudaFree(&on_host)));
    memory = &on_host;
    add(text, name_of(cudaMalloc(&memory, 0)));
    text += memory == nullptr ? " null" : " not null";
    return text;
}

constexpr Feature runtime_table[] = {
    {"streams", streams},
    {"events", events},
    {"graphs", graphs},
    {"captures", captures},
    {"launch attributes", launch_attributes, true},
    {"cudaLaunchKernel", launch_by_pointers},
    {"cudaFuncGetAttributes", function_attributes, true},
    {"occupancy", occupancy, true},
    {"bad launches", bad_launches, true},
    {"host memory that the GPU reads", host_memory},
    {"cudaPointerGetAttributes", pointer_attributes},
    {"copies of rows", copies_of_rows},
    {"wrong memory", wrong_memory},
};

}  // namespace

std::span<const Feature> runtime_features() { return runtime_table; }

}  // namespace cudabook::test
