// Refused as: race. The halo of `now` is written while the other part reads it.

struct Parts {
    float* upper;  // (rows + 2) x width each
    float* lower;
};

__global__ void step(Parts next, Parts now, int rows, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width || y > rows) return;
    const bool upper = blockIdx.z == 0;
    const float* from = upper ? now.upper : now.lower;
    float* to = upper ? next.upper : next.lower;
    const float mean = 0.5f * (from[(y - 1) * width + x] + from[(y + 1) * width + x]);
    to[y * width + x] = mean;
    if (upper && y == rows) now.lower[x] = mean;
    if (!upper && y == 1) now.upper[(rows + 1) * width + x] = mean;
}
