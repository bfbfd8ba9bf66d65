// The old form that returns what it reads cannot be had.
surface<void, 2> plane;
__global__ void read(float *to) { *to = surf2Dread<float>(plane, 4, 2); }
