// Elements of constant arrays of the host that are constants in device code, and other arrays of that name.
constexpr int sizes[2] = {1, 2};
const float weights[2] = {1, 2};
__constant__ const float factors[2] = {1, 2};

template <int n>
__device__ int given() {
    return n;
}

__global__ void fill(float* a, const float* steps) {
    constexpr int first = sizes[0];
    const int second = sizes[1];
    int local[sizes[1]] = {first, second};
    static_assert(sizes[0] == 1);
    if constexpr (sizes[0] == 1) a[0] = factors[threadIdx.x];
    a[1] = given<sizes[1]>() + local[0] + steps[0] + sizeof(weights) / sizeof(weights[0]);
}

int main() {
    fill<<<1, 1>>>(nullptr, nullptr);
    return weights[0] > 1;
}
