// A class frees its array in the destructor, and a kernel gets a copy of the object.
// Found by: a run
// Says: a copy by cudaMemcpyDeviceToHost from an array that has been freed to memory of the host
#include <cstdio>

class Array {
  public:
    explicit Array(int size) : size_(size) { cudaMalloc(&data_, size * sizeof(float)); }
#ifdef REPAIRED
    Array(const Array& other) : data_(other.data_), size_(other.size_), is_copy_(true) {}
#endif
    ~Array() {
        if (!is_copy_) cudaFree(data_);
    }
    __device__ void set(int i, float value) {
        if (i < size_) data_[i] = value;
    }
    void download(float* to) const { cudaMemcpy(to, data_, size_ * sizeof(float), cudaMemcpyDeviceToHost); }

  private:
    float* data_ = nullptr;
    int size_;
    bool is_copy_ = false;
};

__global__ void fill(Array array) { array.set(threadIdx.x, 1); }

int main() {
    constexpr int n = 64;
    float host[n] = {};
    Array array(n);
    fill<<<1, n>>>(array);
    array.download(host);
    if (host[n - 1] == 1) std::puts("right");
}
