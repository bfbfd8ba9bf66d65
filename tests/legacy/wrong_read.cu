// The old form that returns what it reads, and the one that says the type, cannot be had.
surface<void, 2> plane;
__global__ void read(float* to) {
    *to = surf2Dread<float>(plane, 4, 2);
    surf2Dread<float>(to, plane, 4, 2);
}
