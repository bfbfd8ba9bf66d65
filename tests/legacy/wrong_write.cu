// An explicit type: the type of a write comes from the value.
surface<void, 2> plane;
__global__ void write(float value) { surf2Dwrite<float>(value, plane, 4, 2); }
