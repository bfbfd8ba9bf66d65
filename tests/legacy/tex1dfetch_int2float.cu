// CUDA Handbook, 10.4.2: the texture unit turns integers into floats. Textures in mapped host memory hold
// every value of the 8-bit and 16-bit integers; prints what is fetched, a line for each type, and compares it
// with the formula. Exit status 1: a value was wrong, or CUDA failed.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#define CUDART_CHECK(call)                                                            \
    do {                                                                              \
        status = (call);                                                              \
        if (status != cudaSuccess) {                                                  \
            fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorString(status), cudaGetErrorName(status));            \
            goto Error;                                                               \
        }                                                                             \
    } while (0)

// The format that is bound decides which integers the texture reads.
texture<signed char, 1, cudaReadModeNormalizedFloat> integers;

extern "C" __global__ void TexReadout(float* out, size_t count) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = tex1Dfetch(integers, (int)i);
}

// The formula: the smallest signed integer is -1, like its neighbour.
static float promotedToFloat(signed char value) { return value == -128 ? -1.0f : value / 127.0f; }
static float promotedToFloat(unsigned char value) { return value / 255.0f; }
static float promotedToFloat(short value) { return value == -32768 ? -1.0f : value / 32767.0f; }
static float promotedToFloat(unsigned short value) { return value / 65535.0f; }

/// Returns whether all `count` values of the type are read as the formula says.
template <class T>
bool checkPromotion(int count) {
    cudaError_t status;
    bool right = false;
    T *in = NULL, *deviceIn = NULL;
    float *out = NULL, *deviceOut = NULL;
    CUDART_CHECK(cudaHostAlloc((void**)&in, count * sizeof(T), cudaHostAllocMapped));
    CUDART_CHECK(cudaHostGetDevicePointer((void**)&deviceIn, in, 0));
    CUDART_CHECK(cudaHostAlloc((void**)&out, count * sizeof(float), cudaHostAllocMapped));
    CUDART_CHECK(cudaHostGetDevicePointer((void**)&deviceOut, out, 0));
    for (int i = 0; i < count; i++) in[i] = (T)i;
    memset(out, 0, count * sizeof(float));

    CUDART_CHECK(cudaBindTexture(NULL, integers, deviceIn, cudaCreateChannelDesc<T>(), count * sizeof(T)));
    TexReadout<<<2, 384>>>(deviceOut, count);
    CUDART_CHECK(cudaGetLastError());
    CUDART_CHECK(cudaDeviceSynchronize());

    right = true;
    for (int i = 0; i < count; i++) {
        printf("%.2f ", out[i]);
        if (out[i] != promotedToFloat(in[i])) {
            if (right) fprintf(stderr, "%d is read as %.9g\n", (int)in[i], out[i]);
            right = false;
        }
    }
    printf("\n");
Error:
    cudaUnbindTexture(integers);
    cudaFreeHost(in);
    cudaFreeHost(out);
    return right;
}

int main() {
    cudaError_t status;
    bool right = false;
    CUDART_CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    right = checkPromotion<signed char>(256) && checkPromotion<unsigned char>(256) &&
            checkPromotion<short>(65536) && checkPromotion<unsigned short>(65536);
Error:
    return right ? 0 : 1;
}
