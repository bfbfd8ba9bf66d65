// A texel type that textures never supported.
texture<double, 1> line;
__global__ void read(double* to) { *to = tex1Dfetch(line, 3); }
