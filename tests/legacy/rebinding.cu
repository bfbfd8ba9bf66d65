// A launch uses the bindings and fields at the time of the launch: in loops, in streams, while other
// kernels run, after fields were set, after arrays and memory were allocated and freed. Fetching through an
// unbound reference is an error.
#include "check.h"

texture<float, 1> line;
texture<float, 2> plane;
texture<int, 1> numbers;
texture<float, 1> never_bound;
surface<void, 2> canvas;

__global__ void read_line(float* to, int i) { *to = tex1Dfetch(line, i); }
__global__ void read_plane(float* to, float x, float y) { *to = tex2D(plane, x, y); }
__global__ void read_numbers(int* to, int i) { *to = tex1Dfetch(numbers, i); }
__global__ void read_never_bound(float* to) { *to = tex1Dfetch(never_bound, 0); }
__global__ void write_canvas(float value, int x, int y) { surf2Dwrite(value, canvas, x * 4, y); }

__global__ void read_before_and_after(float* to, int i, long long cycles) {
    to[0] = tex1Dfetch(line, i);
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    to[1] = tex1Dfetch(line, i);
}

/// 2 x 2 texels with the same value.
static cudaArray_t array_of(float value, unsigned flags = 0) {
    const cudaExtent size = make_cudaExtent(2, 2, 0);
    cudaArray_t array = random_array<float>(size, flags);
    fill_array(array, size, std::vector<float>(4, value));
    return array;
}

static void bindings_in_a_loop() {
    const int count = 3000;  // more than the number of objects that are kept
    std::vector<float> values(128 * count);
    for (size_t i = 0; i < values.size(); ++i) values[i] = (float)i;
    float* memory = to_device(values);
    float* results = to_device(std::vector<float>(count));
    for (int i = 0; i < count; ++i) {
        CUDA(cudaBindTexture(NULL, line, memory + 128 * i, 512));
        read_line<<<1, 1>>>(results + i, i % 128);
    }
    const std::vector<float> got = to_host(results, count);
    for (int i = 0; i < count; ++i) expect_equal("binding in a loop", values[128 * i + i % 128], got[i]);

    for (int i = 0; i < count; ++i) {
        CUDA(cudaBindTexture(NULL, line, memory + 128 * (i % 2), 512));
        read_line<<<1, 1>>>(results + i, 3);
    }
    const std::vector<float> alternating = to_host(results, count);
    for (int i = 0; i < count; ++i)
        expect_equal("binding to and fro", values[128 * (i % 2) + 3], alternating[i]);

    for (int i = 0; i < count; ++i) {
        CUDA(cudaBindTexture2D(NULL, plane, memory + 128 * (i % 2), 64, 2, 256));
        read_plane<<<1, 1>>>(results + i, 3.5f, 1.5f);
    }
    const std::vector<float> of_planes = to_host(results, count);
    for (int i = 0; i < count; ++i)
        expect_equal("binding planes to and fro", values[128 * (i % 2) + 67], of_planes[i]);

    // A new array may have the address of one that was freed.
    for (int i = 0; i < count; ++i) {
        cudaArray_t array = array_of((float)i);
        CUDA(cudaBindTextureToArray(plane, array));
        read_plane<<<1, 1>>>(results + i, 1.5f, 0.5f);
        CUDA(cudaFreeArray(array));
    }
    const std::vector<float> of_arrays = to_host(results, count);
    for (int i = 0; i < count; ++i) expect_equal("arrays that come and go", (float)i, of_arrays[i]);
    CUDA(cudaUnbindTexture(plane));
    CUDA(cudaFree(results));
    CUDA(cudaFree(memory));
}

static void bindings_beside_a_running_kernel(unsigned stream_flags, const char* streams) {
    std::vector<float> values(256);
    for (int i = 0; i < 256; ++i) values[i] = (float)i;
    float* memory = to_device(values);
    float* results = to_device(std::vector<float>(4));
    cudaStream_t one, two;
    CUDA(cudaStreamCreateWithFlags(&one, stream_flags));
    CUDA(cudaStreamCreateWithFlags(&two, stream_flags));
    CUDA(cudaBindTexture(NULL, line, memory, 512));
    read_before_and_after<<<1, 1, 0, one>>>(results, 7, 50000000);
    CUDA(cudaBindTexture(NULL, line, memory + 128, 512));
    read_before_and_after<<<1, 1, 0, two>>>(results + 2, 7, 0);
    CUDA(cudaDeviceSynchronize());
    const std::vector<float> got = to_host(results, 4);
    expect_equal(std::string("running kernel, ") + streams, values[7], got[0]);
    expect_equal(std::string("running kernel after another was bound, ") + streams, values[7], got[1]);
    expect_equal(std::string("next kernel, ") + streams, values[135], got[2]);
    expect_equal(std::string("next kernel, at its end, ") + streams, values[135], got[3]);
    CUDA(cudaStreamDestroy(one));
    CUDA(cudaStreamDestroy(two));
    CUDA(cudaFree(results));
    CUDA(cudaFree(memory));
}

static float at(float x, float y) {
    static float* result = to_device(std::vector<float>(1));
    read_plane<<<1, 1>>>(result, x, y);
    return to_host(result, 1)[0];
}

static void fields_after_binding() {
    const cudaExtent size = make_cudaExtent(4, 4, 0);
    cudaArray_t array = random_array<float>(size);
    std::vector<float> values(16);
    for (int i = 0; i < 16; ++i) values[i] = 10.0f * (i % 4) + 100.0f * (i / 4);
    fill_array(array, size, values);
    CUDA(cudaBindTextureToArray(plane, array));
    expect_equal("point", 10.0f, at(1.75f, 0.5f));
    plane.filterMode = cudaFilterModeLinear;
    expect_equal("linear, set when bound", 12.5f, at(1.75f, 0.5f));
    plane.normalized = true;
    expect_equal("normalized, set when bound", 15.0f, at(0.5f, 0.125f));
    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeWrap;
    expect_equal("wrap, set when bound", 15.0f, at(1.5f, 1.125f));
    plane.addressMode[0] = cudaAddressModeBorder;
    expect_equal("border, set when bound", 0.0f, at(1.5f, 0.125f));
    textureReference& same = plane;
    same.filterMode = cudaFilterModePoint;
    same.addressMode[0] = cudaAddressModeMirror;
    expect_equal("through the base class", 20.0f, at(1.375f, 0.125f));
    if (plane.filterMode != cudaFilterModePoint || !plane.normalized ||
        plane.addressMode[1] != cudaAddressModeWrap)
        expect_equal("what fields say", 0, 1);
    plane.normalized = false;
    plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
    CUDA(cudaUnbindTexture(plane));
    CUDA(cudaFreeArray(array));
}

static void one_array_as_surface_and_texture() {
    cudaArray_t first = array_of(1, cudaArraySurfaceLoadStore);
    cudaArray_t second = array_of(2, cudaArraySurfaceLoadStore);
    for (int i = 0; i < 100; ++i) {
        cudaArray_t array = i % 2 == 0 ? first : second;
        CUDA(cudaBindSurfaceToArray(canvas, array));
        write_canvas<<<1, 1>>>((float)i, 1, 1);
        CUDA(cudaBindTextureToArray(plane, array));
        expect_equal("written through the surface", (float)i, at(1.5f, 1.5f));
    }
    CUDA(cudaUnbindTexture(plane));
    CUDA(cudaFreeArray(first));
    CUDA(cudaFreeArray(second));
}

/// During a stream capture that does not allow it, a binding fails, and the old binding is kept.
static void binding_during_capture() {
    std::vector<float> values(256);
    for (int i = 0; i < 256; ++i) values[i] = (float)i;
    float* memory = to_device(values);
    float* result = to_device(std::vector<float>(1));
    const auto read = [&] {
        read_line<<<1, 1>>>(result, 7);
        return to_host(result, 1)[0];
    };
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaBindTexture(NULL, line, memory, 512));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    const cudaError_t error = cudaBindTexture(NULL, line, memory + 128, 512);
    cudaGetLastError();
    cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
#if CUDART_VERSION >= 12000
    if (error == cudaSuccess && is_printed()) printf("a binding during stream capture went well\n");
    expect_equal("after it failed", values[7], read());
#endif
    CUDA(cudaBindTexture(NULL, line, memory + 128, 512));
    expect_equal("bound again", values[135], read());
    if (graph != NULL) CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(result));
    CUDA(cudaFree(memory));
}

static void after_a_reset() {
    CUDA(cudaDeviceReset());
    std::vector<int> values(8, 42);
    int* memory = to_device(values);
    int* result = to_device(std::vector<int>(1));
    CUDA(cudaBindTexture(NULL, numbers, memory, 32));
    read_numbers<<<1, 1>>>(result, 5);
    expect_equal("after a reset", 42, to_host(result, 1)[0]);
}

/// Must be the last test: the process cannot use the device afterwards.
static void nothing_bound() {
#if CUDART_VERSION >= 12000  // CUDA 11 reads zeros
    float* result = to_device(std::vector<float>(1));
    read_never_bound<<<1, 1>>>(result);
    const cudaError_t error = cudaDeviceSynchronize();
    EXPECT_CODE(cudaErrorLaunchFailure, error);
#endif
}

/// With any argument, leaves out the tests that provoke errors, for tools that report them.
int main(int argc, char**) {
    need_gpu();
    bindings_in_a_loop();
    bindings_beside_a_running_kernel(cudaStreamDefault, "streams");
    fields_after_binding();
    one_array_as_surface_and_texture();
    bindings_beside_a_running_kernel(cudaStreamNonBlocking, "streams that wait for none");
    fields_after_binding();
    if (argc > 1) return failures();
    binding_during_capture();
    after_a_reset();
    nothing_bound();
    return failures();
}
