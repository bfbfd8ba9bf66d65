// There never were textures of such texels.
texture<double, 1> line;
__global__ void read(double* to) { *to = tex1Dfetch(line, 3); }
