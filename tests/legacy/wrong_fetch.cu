// An explicit type: the type of a fetch comes from the reference.
texture<float, 2> plane;
__global__ void read(float* to) { *to = tex2D<float>(plane, 1.0f, 2.0f); }
