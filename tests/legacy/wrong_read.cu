// The old form, which returns the value, and the form with an explicit type are not supported.
surface<void, 2> plane;
__global__ void read(float* to) {
    *to = surf2Dread<float>(plane, 4, 2);
    surf2Dread<float>(to, plane, 4, 2);
}
