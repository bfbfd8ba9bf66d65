// A negative number is converted to unsigned: the result is 0 on a GPU, and undefined on a host.
// Found by: --check
// Says: -1 is outside the range of representable values of type 'unsigned int'
#include <cstdio>

__global__ void to_pixel(float value, unsigned* out) {
#ifdef REPAIRED
    value = fmaxf(value, 0);
#endif
    *out = static_cast<unsigned>(value);
}

int main() {
    unsigned *out, pixel;
    cudaMalloc(&out, sizeof(unsigned));
    to_pixel<<<1, 1>>>(-1, out);
    cudaMemcpy(&pixel, out, sizeof pixel, cudaMemcpyDeviceToHost);
    if (pixel == 0) puts("right");
    cudaFree(out);
}
