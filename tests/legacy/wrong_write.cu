// A write with an explicit type. The type of a write must come from the value.
surface<void, 2> plane;
__global__ void write(float value) { surf2Dwrite<float>(value, plane, 4, 2); }
