// Member functions that are declared in their class without __device__, and defined with it.
struct Lock {
    Lock(int* word);
    void acquire();
    Lock& operator+=(int more);
    int* word;
};

inline __device__ Lock::Lock(int* at) : word(at) {}
inline __device__ void Lock::acquire() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
}
inline __device__ Lock& Lock::operator+=(int more) {
    *word += more;
    return *this;
}

__global__ void take(int* word) {
    Lock lock(word);
    lock.acquire();
    lock += 1;
}

int main() {
    int* word;
    cudaMalloc(&word, sizeof(int));
    cudaMemset(word, 0, sizeof(int));
    take<<<1, 1>>>(word);
    cudaFree(word);
}
