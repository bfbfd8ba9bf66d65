// The functions that bind textures and surfaces: every overload, in C and C++, what can be fetched after
// each, and the return codes for invalid arguments.
#include <limits.h>

#include "check.h"

texture<float> line;
texture<float, 2> plane;
texture<signed char, 1, cudaReadModeNormalizedFloat> fractions;
texture<float> never_bound;
surface<void, 2> drawing;
int no_reference;

const int count = 1024;  // texels of the line
const int width = 60;
const int height = 20;

__global__ void fetch_line(float* got, int first) {
    got[threadIdx.x] = tex1Dfetch(line, first + (int)threadIdx.x);
}

__global__ void fetch_plane(float* got, float x, float y) {
    got[threadIdx.x] = tex2D(plane, x + threadIdx.x, y);
}

__global__ void fetch_fractions(float* got, int first) {
    got[threadIdx.x] = tex1Dfetch(fractions, first + (int)threadIdx.x);
}

__global__ void fetch_never_bound(float* got) { *got = tex1Dfetch(never_bound, 0); }

__global__ void read_drawing(float* got, int y) {
    surf2Dread(got + threadIdx.x, drawing, (int)(threadIdx.x * sizeof(float)), y);
}

const int most_fetched = 256;
float* fetched;

/// Checks that the last kernel fetched first, first + 1, …
void expect_numbers(const std::string& what, float first, int number) {
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    const std::vector<float> got = to_host(fetched, number);
    for (int i = 0; i < number; ++i) expect_equal(what + ", fetch " + text(i), first + i, got[i]);
    CUDA(cudaMemset(fetched, 0xa5, most_fetched * sizeof(float)));
}

/// Checks that the line's texels from `first` on are number, number + 1, …
void expect_line(const std::string& what, int first, float number) {
    fetch_line<<<1, 100>>>(fetched, first);
    expect_numbers(what, number, 100);
}

/// Checks that row y of the plane, from texel x on, begins with 100 y + x.
void expect_plane(const std::string& what, int x = 0) {
    for (int y = 0; y < height; ++y) {
        fetch_plane<<<1, width - x>>>(fetched, x + 0.5f, y + 0.5f);
        expect_numbers(what + ", row " + text(y), 100.0f * y + x, width - x);
    }
}

void expect_offset(const char* what, size_t expected, size_t got) {
    expect_equal(std::string("offset of ") + what, expected, got);
}

/// Checks that a call succeeds and gives this offset.
#define EXPECT_OFFSET(expected, call)           \
    do {                                        \
        size_t offset = 12345;                  \
        EXPECT_CODE(cudaSuccess, call);         \
        expect_offset(#call, expected, offset); \
    } while (0)

const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
const cudaChannelFormatDesc halves = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
const cudaChannelFormatDesc wrong_formats[] = {
    cudaCreateChannelDesc(3, 0, 0, 0, cudaChannelFormatKindFloat),
    cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
    cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindNone)};

void unbind_line() { EXPECT_CODE(cudaSuccess, cudaUnbindTexture(line)); }

// ----- linear memory

void test_linear(float* memory, size_t alignment) {
    const size_t bytes = count * sizeof(float);
    const textureReference* c_line = NULL;
    EXPECT_CODE(cudaSuccess, cudaGetTextureReference(&c_line, &line));
    expect_equal("the reference of line", (size_t)&line, (size_t)c_line);

    EXPECT_OFFSET(0, cudaBindTexture(&offset, line, memory, floats, bytes));
    expect_line("C++, format, size", 0, 0);
    expect_line("C++, format, size, the end", count - 100, count - 100.0f);
    unbind_line();
    EXPECT_OFFSET(0, cudaBindTexture(&offset, line, memory + alignment, floats));
    expect_line("C++, format", 3, alignment + 3.0f);
    unbind_line();
    EXPECT_OFFSET(0, cudaBindTexture(&offset, line, memory, bytes));
    expect_line("C++, size", 5, 5);
    unbind_line();
    EXPECT_OFFSET(0, cudaBindTexture(&offset, line, memory + alignment));
    expect_line("C++", 7, alignment + 7.0f);
    unbind_line();
    EXPECT_OFFSET(0, cudaBindTexture(&offset, c_line, memory, &floats, bytes));
    expect_line("C, size", 9, 9);
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(c_line));
    EXPECT_OFFSET(0, cudaBindTexture(&offset, &line, memory + alignment, &floats));
    expect_line("C", 11, alignment + 11.0f);
    unbind_line();
    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory, bytes));
    expect_line("no offset asked for", 1, 1);

    // Fetches out of range read 0.
    const int beyond[] = {-1, count, count + 1, INT_MIN, INT_MAX};
    for (int i = 0; i < 5; ++i) {
        fetch_line<<<1, 1>>>(fetched, beyond[i]);
        expect_numbers("index " + text(beyond[i]), 0, 1);
    }

    // Sizes: only whole texels, and at most the device's maximum.
    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory + alignment, floats, 10 * sizeof(float)));
    fetch_line<<<1, 10>>>(fetched, 0);
    expect_numbers("10 texels", (float)alignment, 10);
    fetch_line<<<1, 1>>>(fetched, 10);
    expect_numbers("behind 10 texels", 0, 1);
    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory, (size_t)1 << 40));
    expect_line("2^40 bytes", 13, 13);
    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory, floats, 0));
    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory, floats, 3));

    EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, line, memory, halves, bytes));
    EXPECT_CODE(cudaSuccess,
                cudaBindTexture(NULL, line, memory + alignment, bytes - alignment * sizeof(float)));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, line, memory, ints, bytes));
    for (const cudaChannelFormatDesc& wrong : wrong_formats) {
        EXPECT_CODE(cudaErrorInvalidChannelDescriptor, cudaBindTexture(NULL, line, memory, wrong, bytes));
        EXPECT_CODE(cudaErrorInvalidChannelDescriptor, cudaBindTexture(NULL, &line, memory, &wrong, bytes));
    }
#if CUDART_VERSION >= 12000
    float number = 0;
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, line, &number, floats, sizeof number));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, line, NULL, floats, bytes));
#endif
    expect_line("what was bound stays after errors", 0, (float)alignment);
}

void test_offsets(float* memory, size_t alignment) {
    const size_t bytes = 200 * sizeof(float);
    const size_t shift = 3 * sizeof(float);
    float* const odd = memory + alignment + 3;

    EXPECT_OFFSET(shift, cudaBindTexture(&offset, line, odd, floats, bytes));
    expect_line("C++, format, size, offset", 3, alignment + 3.0f);
    expect_line("the start of the texture", 0, (float)alignment);
    expect_line("the end of the texture", 103, alignment + 103.0f);
    fetch_line<<<1, 1>>>(fetched, 203);
    expect_numbers("behind the end of the texture", 0, 1);
    EXPECT_OFFSET(shift, cudaGetTextureAlignmentOffset(&offset, line));
    EXPECT_OFFSET(shift, cudaGetTextureAlignmentOffset(&offset, &line));

    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, line, memory + 5, floats, bytes));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, line, memory + 5, bytes));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, &line, memory + 5, &floats, bytes));
    expect_line("what was bound stays", 3, alignment + 3.0f);
    EXPECT_OFFSET(shift, cudaGetTextureAlignmentOffset(&offset, line));

    EXPECT_OFFSET(4, cudaBindTexture(&offset, line, memory + 1, bytes));
    expect_line("C++, size, offset", 1, 1);
    EXPECT_OFFSET(8, cudaBindTexture(&offset, line, memory + 2, floats));
    expect_line("C++, format, offset", 2, 2);
    EXPECT_OFFSET(16, cudaBindTexture(&offset, line, memory + 4));
    expect_line("C++, offset", 4, 4);
    EXPECT_OFFSET(20, cudaBindTexture(&offset, &line, memory + 5, &floats, bytes));
    expect_line("C, offset", 5, 5);

    EXPECT_OFFSET(0, cudaBindTexture(&offset, line, memory, bytes));
    EXPECT_OFFSET(0, cudaGetTextureAlignmentOffset(&offset, line));
    EXPECT_CODE(cudaErrorInvalidValue, cudaGetTextureAlignmentOffset(NULL, line));
    EXPECT_CODE(cudaErrorInvalidValue, cudaGetTextureAlignmentOffset(NULL, &line));
}

// ----- pitched memory

void test_pitched(float* memory, size_t pitch, size_t pitch_alignment) {
    const textureReference* c_plane = NULL;
    EXPECT_CODE(cudaSuccess, cudaGetTextureReference(&c_plane, &plane));
    EXPECT_OFFSET(0, cudaBindTexture2D(&offset, plane, memory, floats, width, height, pitch));
    expect_plane("pitched, C++, format");
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(plane));
    EXPECT_OFFSET(0, cudaBindTexture2D(&offset, plane, memory, width, height, pitch));
    expect_plane("pitched, C++");
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(c_plane));
    EXPECT_OFFSET(0, cudaBindTexture2D(&offset, c_plane, memory, &floats, width, height, pitch));
    expect_plane("pitched, C");
    EXPECT_CODE(cudaSuccess, cudaBindTexture2D(NULL, plane, memory, floats, width, height, pitch));
    expect_plane("pitched, no offset asked for");
    EXPECT_OFFSET(0, cudaGetTextureAlignmentOffset(&offset, plane));

    EXPECT_CODE(cudaErrorInvalidValue,
                cudaBindTexture2D(NULL, plane, memory, floats, width, height, pitch + pitch_alignment / 2));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture2D(NULL, plane, memory, floats, 0, height, pitch));
    EXPECT_CODE(cudaErrorInvalidValue,
                cudaBindTexture2D(NULL, plane, memory, floats, pitch / sizeof(float) + 1, height, pitch));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture2D(NULL, plane, memory, ints, width, height, pitch));
    for (const cudaChannelFormatDesc& wrong : wrong_formats)
        EXPECT_CODE(cudaErrorInvalidChannelDescriptor,
                    cudaBindTexture2D(NULL, plane, memory, wrong, width, height, pitch));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture2D(NULL, plane, memory + 4, width - 4, height, pitch));
#if CUDART_VERSION >= 12000  // CUDA 11 left the reference unbound
    expect_plane("pitched, what was bound stays after errors");
#endif

    EXPECT_OFFSET(16, cudaBindTexture2D(&offset, plane, memory + 4, floats, width, height, pitch));
    expect_plane("pitched, offset", 4);
    EXPECT_OFFSET(16, cudaGetTextureAlignmentOffset(&offset, plane));
}

// ----- arrays

void test_arrays() {
    std::vector<float> numbers;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) numbers.push_back(100.0f * y + x);
    const cudaExtent size = make_cudaExtent(width, height, 0);
    cudaArray_t array;
    cudaArray_t surface_array;
    cudaArray_t array_of_ints;
    CUDA(cudaMallocArray(&array, &floats, width, height));
    CUDA(cudaMallocArray(&surface_array, &floats, width, height, cudaArraySurfaceLoadStore));
    CUDA(cudaMallocArray(&array_of_ints, &ints, width, height, cudaArraySurfaceLoadStore));
    fill_array(array, size, numbers);
    fill_array(surface_array, size, numbers);

    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(plane));
    EXPECT_CODE(cudaSuccess, cudaBindTextureToArray(plane, array, floats));
    expect_plane("array, C++, format");
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(plane));
    EXPECT_CODE(cudaSuccess, cudaBindTextureToArray(plane, array));
    expect_plane("array, C++");
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(plane));
    EXPECT_CODE(cudaSuccess, cudaBindTextureToArray(&plane, array, &floats));
    expect_plane("array, C");

    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTextureToArray(plane, array_of_ints));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTextureToArray(plane, array_of_ints, floats));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTextureToArray(plane, array, halves));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(plane, (cudaArray_t)NULL));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(plane, (cudaArray_t)NULL, floats));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaBindTextureToArray(&plane, NULL, &floats));
    expect_plane("array, what was bound stays after errors");

    const surfaceReference* c_drawing = NULL;
    EXPECT_CODE(cudaSuccess, cudaGetSurfaceReference(&c_drawing, &drawing));
    expect_equal("the reference of drawing", (size_t)&drawing, (size_t)c_drawing);
    for (int overload = 0; overload < 3; ++overload) {
        fill_array(surface_array, size, std::vector<float>(width * height));
        switch (overload) {
            case 0:
                EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(drawing, surface_array, floats));
                break;
            case 1:
                EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(drawing, surface_array));
                break;
            case 2:
                EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(c_drawing, surface_array, &floats));
                break;
        }
        fill_array(surface_array, size, numbers);
        read_drawing<<<1, width>>>(fetched, 3);
        expect_numbers("surface, overload " + text(overload), 300, width);
        EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(drawing, array_of_ints));
    }
    EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(drawing, surface_array));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindSurfaceToArray(drawing, array));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindSurfaceToArray(drawing, array, floats));
    EXPECT_CODE(cudaSuccess, cudaBindSurfaceToArray(drawing, surface_array, ints));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaBindSurfaceToArray(drawing, (cudaArray_t)NULL));
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaBindSurfaceToArray(drawing, (cudaArray_t)NULL, floats));
    read_drawing<<<1, width>>>(fetched, 5);
    expect_numbers("surface, what was bound stays after errors", 500, width);
}

// ----- references

void test_references() {
    const textureReference* texture_reference = NULL;
    const surfaceReference* surface_reference = NULL;
    EXPECT_CODE(cudaErrorInvalidTexture, cudaGetTextureReference(&texture_reference, &no_reference));
    EXPECT_CODE(cudaErrorInvalidSurface, cudaGetSurfaceReference(&surface_reference, &no_reference));

    size_t offset = 0;
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(never_bound));
    EXPECT_CODE(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, never_bound));
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(line));
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(line));
    EXPECT_CODE(cudaSuccess, cudaUnbindTexture(&line));
    EXPECT_CODE(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, line));
    EXPECT_CODE(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &line));
}

/// A reference with normalized floats accepts texels of 8 and 16 bits, like the texture unit.
void test_fractions() {
#if CUDART_VERSION >= 12000
    const std::vector<unsigned char> bytes(64, 255);
    const std::vector<short> shorts(64, 32767);
    const std::vector<unsigned short> words(64, 65535);
    void* const memory[] = {to_device(bytes), to_device(shorts), to_device(words)};
    const cudaChannelFormatDesc formats[] = {cudaCreateChannelDesc<unsigned char>(),
                                             cudaCreateChannelDesc<short>(),
                                             cudaCreateChannelDesc<unsigned short>()};
    for (int i = 0; i < 3; ++i) {
        EXPECT_CODE(cudaSuccess, cudaBindTexture(NULL, fractions, memory[i], formats[i], 64));
        fetch_fractions<<<1, 1>>>(fetched, 5);
        expect_numbers("fractions of format " + text(i), 1, 1);
    }
#endif
    float* floats_in_memory = to_device(std::vector<float>(64));
    EXPECT_CODE(cudaErrorInvalidValue, cudaBindTexture(NULL, fractions, floats_in_memory, floats, 64));
}

int main() {
    need_gpu();
    int device = 0;
    int clock_rate = 0;
    cudaDeviceProp properties;
    CUDA(cudaGetDevice(&device));
    CUDA(cudaGetDeviceProperties(&properties, device));
    CUDA(cudaDeviceGetAttribute(&clock_rate, cudaDevAttrClockRate, device));
    expect_equal("a property that was dropped", clock_rate, properties.clockRate);
    const size_t alignment = properties.textureAlignment / sizeof(float);

    CUDA(cudaMalloc((void**)&fetched, most_fetched * sizeof(float)));
    std::vector<float> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back((float)i);
    float* memory = to_device(numbers);

    std::vector<float> rows;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) rows.push_back(100.0f * y + x);
    float* pitched;
    size_t pitch;
    CUDA(cudaMallocPitch((void**)&pitched, &pitch, width * sizeof(float), height));
    CUDA(cudaMemcpy2D(pitched, pitch, rows.data(), width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyHostToDevice));

    test_linear(memory, alignment);
    test_offsets(memory, alignment);
    test_pitched(pitched, pitch, properties.texturePitchAlignment);
    test_arrays();
    test_references();
    test_fractions();
    return failures();
}
