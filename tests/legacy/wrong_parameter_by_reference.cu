// A texture reference as a parameter that is a C++ reference.
texture<float, 2> plane;
__device__ float fetch(const texture<float, 2>& t, float x) { return tex2D(t, x, 0.5f); }
__global__ void read(float* to) { *to = fetch(plane, 2.5f); }
