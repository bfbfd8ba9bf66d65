// A fetch with an explicit type. The type of a fetch must come from the reference.
texture<float, 2> plane;
__global__ void read(float* to) { *to = tex2D<float>(plane, 1.0f, 2.0f); }
