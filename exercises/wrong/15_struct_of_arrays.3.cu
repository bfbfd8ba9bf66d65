// Refused as: memory. Arrays of pairs: x and y in one, vx and vy in another. Every second word is not asked
// for.

enum Member { x, y, vx, vy, mass, members };

__host__ __device__ int place(int particle, int member, int n) {
    return member / 2 * 2 * n + (member == mass ? particle : 2 * particle + member % 2);
}

__global__ void move_particles(float* particles, float time, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[place(i, x, n)] += time * particles[place(i, vx, n)];
    particles[place(i, y, n)] += time * particles[place(i, vy, n)];
}
