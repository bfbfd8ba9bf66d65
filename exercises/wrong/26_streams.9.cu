// Refused as: stuck. free() knows nothing of memory that CUDA has allocated.
// Says: the program crashed (signal

constexpr int block = 256;

__global__ void change(float* data, int n) {
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n) data[i] = 3 * data[i] + 1;
}

float* memory_on_host(int n) {
    float* memory = nullptr;
    cudaMallocHost(reinterpret_cast<void**>(&memory), n * sizeof(float));
    return memory;
}
void give_back(float* memory) { free(memory); }

void process(float* out, const float* in, float* device, int n, cudaStream_t* streams, int parts) {
    const int piece = n / parts;
    for (int i = 0; i < parts; ++i) {
        const int begin = i * piece;
        cudaMemcpyAsync(device + begin, in + begin, piece * sizeof(float), cudaMemcpyHostToDevice,
                        streams[i]);
        change<<<(piece + block - 1) / block, block, 0, streams[i]>>>(device + begin, piece);
        cudaMemcpyAsync(out + begin, device + begin, piece * sizeof(float), cudaMemcpyDeviceToHost,
                        streams[i]);
    }
}
