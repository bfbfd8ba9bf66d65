// Refused as: numbers. The terms have 24 bits after the point: those of an A100.

__global__ void add_as_tensor_cores(float* d, const float* c, const float* a, const float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int largest = ilogbf(c[i]);
    for (int k = 16 * i; k < 16 * i + 16; ++k) largest = max(largest, ilogbf(a[k]) + ilogbf(b[k]));
    long long sum = static_cast<long long>(ldexp(static_cast<double>(c[i]), 24 - largest));
    for (int k = 16 * i; k < 16 * i + 16; ++k)
        sum += static_cast<long long>(ldexp(static_cast<double>(a[k]) * b[k], 24 - largest));
    d[i] = __double2float_rz(ldexp(static_cast<double>(sum), largest - 24));
}
