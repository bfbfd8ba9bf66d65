// An event is destroyed before the program asks how much time has passed.
// Found by: a run
// Says: cudaEventElapsedTime\(\) of an event that has been destroyed
#include <cstdio>

int main() {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = -1;
#ifdef REPAIRED
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
#else
    cudaEventDestroy(begin);
    cudaEventElapsedTime(&ms, begin, end);
#endif
    cudaEventDestroy(end);
    if (ms >= 0) std::puts("right");
}
