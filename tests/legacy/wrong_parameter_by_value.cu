// A texture reference as a parameter by value.
texture<float, 2> plane;
__device__ float fetch(texture<float, 2> t, float x) { return tex2D(t, x, 0.5f); }
__global__ void read(float* to) { *to = fetch(plane, 2.5f); }
