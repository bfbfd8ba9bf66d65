// An executable graph is destroyed before its last launch.
// Found by: a run
// Says: a launch of an executable graph that has been destroyed
#include <cstdio>

__global__ void count(int* number) { ++*number; }

int main() {
    int* number;
    cudaMallocManaged(&number, sizeof(int));
    *number = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    count<<<1, 1, 0, stream>>>(number);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
#ifndef REPAIRED
    cudaGraphExecDestroy(executable);
#endif
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
#ifdef REPAIRED
    cudaGraphExecDestroy(executable);
#endif
    if (*number == 1) std::puts("right");
    cudaStreamDestroy(stream);
    cudaFree(number);
}
