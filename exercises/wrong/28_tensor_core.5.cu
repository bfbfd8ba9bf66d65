// Refused as: numbers. The exponent of c is left out.

__global__ void add_as_tensor_cores(float* d, const float* c, const float* a, const float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int largest = -100;
    for (int k = 16 * i; k < 16 * i + 16; ++k) largest = max(largest, ilogbf(a[k]) + ilogbf(b[k]));
    long long sum = static_cast<long long>(ldexp(static_cast<double>(c[i]), 25 - largest));
    for (int k = 16 * i; k < 16 * i + 16; ++k)
        sum += static_cast<long long>(ldexp(static_cast<double>(a[k]) * b[k], 25 - largest));
    d[i] = __double2float_rz(ldexp(static_cast<double>(sum), largest - 25));
}
