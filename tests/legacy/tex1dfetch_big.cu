// CUDA Handbook, 10.4.1: the sum of a large array, through textures of one, two and four components. Its
// argument is the array's size in MB. A texture spans 2^27 texels; where the textures of a width do not span
// the array, that width is not performed. Exit status 1: a sum was wrong, or CUDA failed; 2: the argument was
// wrong.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDART_CHECK(call)                                                            \
    do {                                                                              \
        status = (call);                                                              \
        if (status != cudaSuccess) {                                                  \
            fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorString(status), cudaGetErrorName(status));            \
            goto Error;                                                               \
        }                                                                             \
    } while (0)

#define BYTES_PER_MB ((size_t)1 << 20)
#define MAX_TEXELS ((size_t)1 << 27)
#define MAX_BYTES_INT4 (MAX_TEXELS * sizeof(int4))
#define MAX_MB (4 * MAX_BYTES_INT4 / BYTES_PER_MB)

#define BLOCKS 2
#define THREADS 384

texture<int> tex1;
texture<int2> tex2;
texture<int4> tex4_0, tex4_1, tex4_2, tex4_3;

/// The texel of the whole array, which a branch finds in one of the four textures.
__device__ int4 fetch4(size_t index) {
    const int texel = (int)(index % MAX_TEXELS);
    switch (index / MAX_TEXELS) {
        case 0:
            return tex1Dfetch(tex4_0, texel);
        case 1:
            return tex1Dfetch(tex4_1, texel);
        case 2:
            return tex1Dfetch(tex4_2, texel);
        default:
            return tex1Dfetch(tex4_3, texel);
    }
}

/// The sum of the words of a texel with this number of components.
template <int components>
__device__ unsigned int sumOfTexel(size_t index);

template <>
__device__ unsigned int sumOfTexel<1>(size_t index) {
    return (unsigned int)tex1Dfetch(tex1, (int)index);
}

template <>
__device__ unsigned int sumOfTexel<2>(size_t index) {
    const int2 texel = tex1Dfetch(tex2, (int)index);
    return (unsigned int)texel.x + (unsigned int)texel.y;
}

template <>
__device__ unsigned int sumOfTexel<4>(size_t index) {
    const int4 texel = fetch4(index);
    return (unsigned int)texel.x + (unsigned int)texel.y + (unsigned int)texel.z + (unsigned int)texel.w;
}

/// Each thread writes a partial sum; the host adds up the partial sums.
template <int components>
__global__ void TexSums(unsigned int* sums, size_t texels) {
    const size_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int sum = 0;
    for (size_t i = thread; i < texels; i += gridDim.x * blockDim.x) sum += sumOfTexel<components>(i);
    sums[thread] = sum;
}

template <int components>
cudaError_t bindTextures(char* memory, size_t numBytes);

template <>
cudaError_t bindTextures<1>(char* memory, size_t numBytes) {
    // Signed or not, the bits are the same.
    return cudaBindTexture(NULL, tex1, memory, cudaCreateChannelDesc<unsigned int>(), numBytes);
}

template <>
cudaError_t bindTextures<2>(char* memory, size_t numBytes) {
    return cudaBindTexture(NULL, tex2, memory, cudaCreateChannelDesc<int2>(), numBytes);
}

/// Each texture that the array does not need is bound like the last texture that it needs.
template <>
cudaError_t bindTextures<4>(char* memory, size_t numBytes) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<int4>();
    const size_t last = (numBytes - 1) / MAX_BYTES_INT4;
    char* bases[4];
    size_t sizes[4];
    for (size_t i = 0; i < 4; i++) {
        const size_t part = i < last ? i : last;
        bases[i] = memory + part * MAX_BYTES_INT4;
        sizes[i] = part < last ? MAX_BYTES_INT4 : numBytes - last * MAX_BYTES_INT4;
    }
    cudaError_t status = cudaBindTexture(NULL, tex4_0, bases[0], desc, sizes[0]);
    if (status == cudaSuccess) status = cudaBindTexture(NULL, tex4_1, bases[1], desc, sizes[1]);
    if (status == cudaSuccess) status = cudaBindTexture(NULL, tex4_2, bases[2], desc, sizes[2]);
    if (status == cudaSuccess) status = cudaBindTexture(NULL, tex4_3, bases[3], desc, sizes[3]);
    return status;
}

/// Prints the checksum by texels of this many components. `sums`: mapped memory for the partial sums.
template <int components>
cudaError_t printChecksum(char* memory, size_t numBytes, unsigned int* sums, unsigned int expected,
                          bool* right) {
    cudaError_t status = cudaSuccess;
    unsigned int checksum = 0;
    unsigned int* deviceSums = NULL;
    const size_t texels = numBytes / (components * sizeof(int));
    if (texels > (components == 4 ? 4 : 1) * MAX_TEXELS) {
        printf("    tex%d checksum: (not performed)\n", components);
        return status;
    }
    CUDART_CHECK(cudaHostGetDevicePointer((void**)&deviceSums, sums, 0));
    CUDART_CHECK(bindTextures<components>(memory, numBytes));
    TexSums<components><<<BLOCKS, THREADS>>>(deviceSums, texels);
    CUDART_CHECK(cudaGetLastError());
    CUDART_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < BLOCKS * THREADS; i++) checksum += sums[i];
    printf("    tex%d checksum: 0x%08x\n", components, checksum);
    if (checksum != expected) *right = false;
Error:
    return status;
}

int main(int argc, char** argv) {
    cudaError_t status;
    int exitStatus = 1;
    bool right = true;
    char* hostTex = NULL;
    char* deviceTex = NULL;
    int* words = NULL;
    unsigned int* sums = NULL;
    unsigned int expected = 0;
    size_t numBytes;

    char* end = NULL;
    const long numMB = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (numMB < 1 || numMB > (long)MAX_MB || *end != '\0') {
        fprintf(stderr, "Usage: %s MB, where MB is the array's size, from 1 to %d\n", argv[0], (int)MAX_MB);
        return 2;
    }
    numBytes = (size_t)numMB * BYTES_PER_MB;

    CUDART_CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CUDART_CHECK(cudaHostAlloc((void**)&sums, BLOCKS * THREADS * sizeof(unsigned int), cudaHostAllocMapped));
    if (cudaMalloc((void**)&deviceTex, numBytes) != cudaSuccess) {
        cudaGetLastError();
        printf("Device alloc of %ld Mb failed, trying mapped host memory\n", numMB);
        CUDART_CHECK(cudaHostAlloc((void**)&hostTex, numBytes, cudaHostAllocMapped));
        CUDART_CHECK(cudaHostGetDevicePointer((void**)&deviceTex, hostTex, 0));
    }

    words = (int*)malloc(BYTES_PER_MB);
    if (words == NULL) {
        fprintf(stderr, "out of host memory\n");
        goto Error;
    }
    for (size_t begin = 0; begin < numBytes; begin += BYTES_PER_MB) {
        for (size_t i = 0; i < BYTES_PER_MB / sizeof(int); i++) {
            words[i] = rand();
            expected += (unsigned int)words[i];
        }
        CUDART_CHECK(cudaMemcpy(deviceTex + begin, words, BYTES_PER_MB, cudaMemcpyDefault));
    }
    printf("Expected checksum: 0x%08x\n", expected);

    if (printChecksum<1>(deviceTex, numBytes, sums, expected, &right) != cudaSuccess) goto Error;
    if (printChecksum<2>(deviceTex, numBytes, sums, expected, &right) != cudaSuccess) goto Error;
    if (printChecksum<4>(deviceTex, numBytes, sums, expected, &right) != cudaSuccess) goto Error;
    if (right) exitStatus = 0;
Error:
    cudaUnbindTexture(tex1);
    cudaUnbindTexture(tex2);
    cudaUnbindTexture(tex4_0);
    cudaUnbindTexture(tex4_1);
    cudaUnbindTexture(tex4_2);
    cudaUnbindTexture(tex4_3);
    if (hostTex == NULL) cudaFree(deviceTex);
    cudaFreeHost(hostTex);
    cudaFreeHost(sums);
    free(words);
    return exitStatus;
}
