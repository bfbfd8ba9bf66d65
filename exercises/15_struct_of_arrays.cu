// 15. A structure of arrays
//
// A particle has five members: x, y, their speeds vx and vy, and a mass, which the kernel does not need. As
// it stands, the five lie together, one particle after another: an array of structures. So a warp that reads
// x of 32 particles takes the sectors of everything between them too. place() says where a member is, as a
// number of floats from the beginning; the host puts the particles into memory by it. Let each member have an
// array of its own.
//
// Done: the particles move, and a warp's load of one member takes four sectors. n is a multiple of 8.
//
// Further: access_patterns measures on a GPU what reading every eighth number costs: its pattern stride_8, in
// access_patterns/pattern.cpp.

enum Member { x, y, vx, vy, mass, members };

__host__ __device__ int place(int particle, int member, int n) {
    return particle * members + member;  // your answer here
}

__global__ void move_particles(float* particles, float time, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[place(i, x, n)] += time * particles[place(i, vx, n)];
    particles[place(i, y, n)] += time * particles[place(i, vy, n)];
}
