// Refused as: race. The arrays overlap: each has 5 numbers, not n.

enum Member { x, y, vx, vy, mass, members };

__host__ __device__ int place(int particle, int member, int n) { return member * members + particle; }

__global__ void move_particles(float* particles, float time, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[place(i, x, n)] += time * particles[place(i, vx, n)];
    particles[place(i, y, n)] += time * particles[place(i, vy, n)];
}
