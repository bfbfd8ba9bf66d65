// 20. From bytes to fractions
//
// A picture has a byte for each pixel, from 0 for black to 255 for white. The kernel makes the negative, as
// fractions: 1 for black, 0 for white. It is right, but loads bytes and divides. `texture` is over the same
// bytes and reads them with cudaReadModeNormalizedFloat: the texture unit gives the byte's 255th parts as a
// float.
//
// Done: the same numbers without a load and without a division.
//
// Further: tex1dfetch_int2float/kernels/1_texture.cuh reads every value of every format so.

__global__ void negative(float* out, const unsigned char* in, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = 1 - in[i] / 255.0F;  // your answer here
}
