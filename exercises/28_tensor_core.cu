// 28. What does a tensor core round?
//
// A tensor core adds 16 products of half precision to a float at once. Chains of fma round 16 times, and
// round to nearest; a tensor core of compute capability 9.0 does something else:
//
//   1. The exponent of a product is the sum of its factors' exponents: that of 1.5 * 1.5 is 0. The largest
//      exponent of all 17 terms counts, that of c included.
//   2. Each term keeps 25 bits after the binary point of a number with this exponent. What is below is cut
//      off, not rounded.
//   3. What is left is added exactly, and the sum is cut to the 24 bits of a float.
//
// Let each thread add up 16 products in this way. docs/tensor-cores.md does one sum by hand.
//
// Done: d[i] has the bits that a tensor core gives for c[i] + a[16 i] b[16 i] + ... + a[16 i + 15]
// b[16 i + 15]. All of a and b are numbers of half precision, and nothing is 0, subnormal, infinite or NaN.
// ilogbf(x) is the exponent of x, ldexp(x, n) is x * 2^n, a conversion to an integer cuts, and
// __double2float_rz(x) cuts a double to a float.
//
// Further: matmul's kernels on tensor cores let them add up only 32 or 64 products, because they cut.

__global__ void add_as_tensor_cores(float* d, const float* c, const float* a, const float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = c[i];
    for (int k = 16 * i; k < 16 * i + 16; ++k) sum = fmaf(a[k], b[k], sum);  // your answer here
    d[i] = sum;
}
