// cudaMemcpy2D() gets the host's pitch in elements.
// Found by: a run, --check
// Says: a copy of rows of 400 bytes, 100 bytes apart \(cudaErrorInvalidPitchValue
#include <cstdio>

int main() {
    int numbers[10][100] = {}, back[10][100] = {};
    numbers[9][99] = 1;
#ifdef REPAIRED
    const size_t pitch = 100 * sizeof(int);
#else
    const size_t pitch = 100;
#endif
    int* on_gpu;
    size_t pitch_of_gpu;
    cudaMallocPitch(&on_gpu, &pitch_of_gpu, 100 * sizeof(int), 10);
    cudaMemcpy2D(on_gpu, pitch_of_gpu, numbers, pitch, 100 * sizeof(int), 10, cudaMemcpyHostToDevice);
    cudaMemcpy2D(back, pitch, on_gpu, pitch_of_gpu, 100 * sizeof(int), 10, cudaMemcpyDeviceToHost);
    if (back[9][99] == 1) puts("right");
    cudaFree(on_gpu);
}
