// A capture has work in two streams, and its first stream does not wait for the second one at the end.
// Found by: a run
// Says: the capture's streams were not all joined
#include <cstdio>

__global__ void add(int* number) { *number += 1; }

int main() {
    int *numbers, result[2] = {};
    cudaStream_t first, second;
    cudaEvent_t forked, joined;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaMalloc(&numbers, sizeof result);
    cudaMemset(numbers, 0, sizeof result);

    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, first);
    cudaStreamWaitEvent(second, forked, 0);
    add<<<1, 1, 0, first>>>(numbers);
    add<<<1, 1, 0, second>>>(numbers + 1);
#ifdef REPAIRED
    cudaEventRecord(joined, second);
    cudaStreamWaitEvent(first, joined, 0);
#endif
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t run = nullptr;
    cudaStreamEndCapture(first, &graph);
    if (graph != nullptr) {
        cudaGraphInstantiate(&run, graph, 0);
        cudaGraphLaunch(run, first);
        cudaStreamSynchronize(first);
        cudaGraphExecDestroy(run);
        cudaGraphDestroy(graph);
    }
    cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost);
    if (result[0] == 1 && result[1] == 1) std::puts("right");
    cudaFree(numbers);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
