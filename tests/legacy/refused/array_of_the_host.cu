// Refused: identifier "weights" is undefined in device code
// nvcc 13.0: the same
constexpr float weights[3] = {0.25f, 0.5f, 0.25f};

__global__ void smooth(float* a) {
    float sum = 0;
    for (int i = 0; i < 3; ++i) sum += weights[i] * a[i];  // here
    a[0] = sum;
}

int main() {
    smooth<<<1, 1>>>(nullptr);
    return 0;
}
