// Graphs built node by node, executable graphs that change, and memory that graphs and pools allocate. Prints
// the first values that differ.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "check.h"

__global__ void add(int* values, int count, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] += number;
}

template <class T>
__global__ void multiply(T* values, int count, T number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= number;
}

__device__ int variable[2];

// std has functions with this name too, and namespace host has a function of the host.
__global__ void reduce(int* values, int* sum) {
    for (int i = 0; i < 3; ++i) *sum += values[i];
}
namespace host {
int reduce(int x) { return x; }
}  // namespace host

constexpr int count = 100;

/// The parameters of a node that launches a kernel with 128 threads.
cudaKernelNodeParams kernel_node(void* kernel, void** arguments) {
    cudaKernelNodeParams parameters = {};
    parameters.func = kernel;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(128);
    parameters.kernelParams = arguments;
    return parameters;
}

void launch_and_wait(cudaGraphExec_t executable) {
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaGraphLaunch(executable, stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaStreamDestroy(stream));
}

void add_to_sum(void* data) {
    int** const sum_and_values = (int**)data;
    for (int i = 0; i < count; ++i) *sum_and_values[0] += sum_and_values[1][i];
}

/// (1 + 2) * 3, copied to the host and added up there: memset, two kernels, a copy and a host function.
void explicit_nodes() {
    int* values;
    CUDA(cudaMalloc((void**)&values, count * sizeof(int)));
    std::vector<int> copied(count);
    int sum = 0;
    int* sum_and_values[] = {&sum, copied.data()};

    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = {};
    fill.dst = values;
    fill.value = 1;
    fill.elementSize = sizeof(int);
    fill.width = count;
    fill.height = 1;
    cudaGraphNode_t filled, added, multiplied, copy, summed;
    CUDA(cudaGraphAddMemsetNode(&filled, graph, NULL, 0, &fill));
    int n = count, two = 2, three = 3;
    void* add_arguments[] = {&values, &n, &two};
    void* multiply_arguments[] = {&values, &n, &three};
    cudaKernelNodeParams adds = kernel_node((void*)add, add_arguments);
    const cudaKernelNodeParams multiplies =
        kernel_node(reinterpret_cast<void*>(&multiply<int>), multiply_arguments);
    CUDA(cudaGraphAddKernelNode(&multiplied, graph, NULL, 0, &multiplies));
    CUDA(cudaGraphAddKernelNode(&added, graph, &filled, 1, &adds));
    CUDA(cudaGraphAddDependencies(graph, &added, &multiplied, 1));
    CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, &multiplied, 1, copied.data(), values, count * sizeof(int),
                                  cudaMemcpyDeviceToHost));
    cudaHostNodeParams sums = {};
    sums.fn = add_to_sum;
    sums.userData = sum_and_values;
    CUDA(cudaGraphAddHostNode(&summed, graph, &copy, 1, &sums));

    two = three = n = 0;  // the nodes have copies
    size_t nodes = 0, roots = 0, edges = 0;
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA(cudaGraphGetRootNodes(graph, NULL, &roots));
    CUDA(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    expect_equal("nodes", (size_t)5, nodes);
    expect_equal("roots", (size_t)1, roots);
    expect_equal("edges", (size_t)4, edges);
    cudaGraphNodeType type;
    CUDA(cudaGraphNodeGetType(copy, &type));
    expect_equal("type of the copy", (int)cudaGraphNodeTypeMemcpy, (int)type);
    cudaGraphNode_t before = NULL;
    size_t dependencies = 1;
    CUDA(cudaGraphNodeGetDependencies(copy, &before, &dependencies));
    expect_equal("dependency of the copy", multiplied == before, true);

    cudaGraphExec_t executable;
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    launch_and_wait(executable);
    expect_equal("sum", 9 * count, sum);
    launch_and_wait(executable);
    expect_equal("sum of two launches", 18 * count, sum);

    // The executable graph gets another number; the graph keeps its own.
    int four = 4;
    n = count;
    add_arguments[2] = &four;
    CUDA(cudaGraphExecKernelNodeSetParams(executable, added, &adds));
    sum = 0;
    launch_and_wait(executable);
    expect_equal("sum with 4", 15 * count, sum);
    cudaKernelNodeParams found;
    CUDA(cudaGraphKernelNodeGetParams(added, &found));
    expect_equal("the graph's number", 2, *(int*)found.kernelParams[2]);
    expect_equal("threads", 128u, found.blockDim.x);
    CUDA(cudaGraphNodeSetEnabled(executable, multiplied, 0));
    sum = 0;
    launch_and_wait(executable);
    expect_equal("sum without the factor", 5 * count, sum);

    // cudaGraphExecUpdate() takes over the numbers of a whole graph.
    int five = 5;
    add_arguments[2] = &five;
    CUDA(cudaGraphKernelNodeSetParams(added, &adds));
    cudaGraphExec_t updated;
    CUDA(cudaGraphInstantiate(&updated, graph, 0));
    int six = 6;
    add_arguments[2] = &six;
    CUDA(cudaGraphKernelNodeSetParams(added, &adds));
    cudaGraphNode_t wrong;
    cudaGraphExecUpdateResult result;
    CUDA(cudaGraphExecUpdate(updated, graph, &wrong, &result));
    expect_equal("update", (int)cudaGraphExecUpdateSuccess, (int)result);
    sum = 0;
    launch_and_wait(updated);
    expect_equal("sum with 6", 21 * count, sum);

    // A graph inside another one, and a clone.
    cudaGraph_t outer, clone;
    cudaGraphNode_t inner, empty, in_clone;
    CUDA(cudaGraphCreate(&outer, 0));
    CUDA(cudaGraphAddEmptyNode(&empty, outer, NULL, 0));
    CUDA(cudaGraphAddChildGraphNode(&inner, outer, &empty, 1, graph));
    CUDA(cudaGraphClone(&clone, outer));
    CUDA(cudaGraphNodeFindInClone(&in_clone, inner, clone));
    CUDA(cudaGraphNodeGetType(in_clone, &type));
    expect_equal("type of the child", (int)cudaGraphNodeTypeGraph, (int)type);
    CUDA(cudaGraphDestroy(outer));
    CUDA(cudaGraphExecDestroy(updated));
    CUDA(cudaGraphInstantiate(&updated, clone, 0));
    sum = 0;
    launch_and_wait(updated);
    expect_equal("sum of the child", 21 * count, sum);
    cudaGraphExecUpdateResult refused;
    EXPECT_CODE(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(updated, graph, &wrong, &refused));
    CUDA(cudaGraphDestroy(clone));
    CUDA(cudaGraphExecDestroy(updated));

    CUDA(cudaGraphRemoveDependencies(graph, &added, &multiplied, 1));
    CUDA(cudaGraphDestroyNode(summed));
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    expect_equal("nodes that are left", (size_t)4, nodes);
    CUDA(cudaGraphExecDestroy(executable));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaFree(values));
}

/// A capture's nodes, and a node that is added to them.
void captured_nodes() {
    int* values;
    CUDA(cudaMalloc((void**)&values, count * sizeof(int)));
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaMemsetAsync(values, 0, count * sizeof(int), stream));
    add<<<1, 128, 0, stream>>>(values, count, 7);
    cudaGraph_t graph;
    CUDA(cudaStreamEndCapture(stream, &graph));
    cudaGraphNode_t nodes[3] = {};
    size_t found = 3;
    CUDA(cudaGraphGetNodes(graph, nodes, &found));
    expect_equal("captured nodes", (size_t)2, found);
    cudaGraphNodeType first, second;
    CUDA(cudaGraphNodeGetType(nodes[0], &first));
    CUDA(cudaGraphNodeGetType(nodes[1], &second));
    expect_equal("captured types", (int)cudaGraphNodeTypeMemset + (int)cudaGraphNodeTypeKernel,
                 (int)first + (int)second);
    const cudaGraphNode_t kernel = first == cudaGraphNodeTypeKernel ? nodes[0] : nodes[1];
    cudaKernelNodeParams parameters;
    CUDA(cudaGraphKernelNodeGetParams(kernel, &parameters));
    expect_equal("the captured number", 7, *(int*)parameters.kernelParams[2]);
    cudaGraphNode_t again, to_variable, from_variable;
    CUDA(cudaGraphAddKernelNode(&again, graph, &kernel, 1, &parameters));
    cudaLaunchAttributeValue window = {}, same = {};
    window.accessPolicyWindow.base_ptr = values;
    window.accessPolicyWindow.num_bytes = 4;
    window.accessPolicyWindow.hitRatio = 1;
    CUDA(cudaGraphKernelNodeSetAttribute(again, cudaLaunchAttributeAccessPolicyWindow, &window));
    CUDA(cudaGraphKernelNodeGetAttribute(again, cudaLaunchAttributeAccessPolicyWindow, &same));
    expect_equal("window", (size_t)4, same.accessPolicyWindow.num_bytes);

    // A number is copied to a __device__ variable and back.
    const int thirty = 30;
    int got = 0;
    CUDA(cudaGraphAddMemcpyNodeToSymbol(&to_variable, graph, &again, 1, variable, &thirty, sizeof thirty,
                                        sizeof thirty, cudaMemcpyHostToDevice));
    CUDA(cudaGraphAddMemcpyNodeFromSymbol(&from_variable, graph, &to_variable, 1, &got, variable, sizeof got,
                                          sizeof got, cudaMemcpyDeviceToHost));
    cudaGraphExec_t executable;
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    launch_and_wait(executable);
    expect_equal("through a variable", thirty, got);
    expect_equal("two kernels", 14, to_host(values, count)[count - 1]);
    CUDA(cudaGraphExecDestroy(executable));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(values));
}

/// Memory that a graph allocates, writes, copies and frees.
void graph_memory() {
    std::vector<int> copied(count);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    int* values = NULL;
    CUDA(cudaMallocAsync((void**)&values, count * sizeof(int), stream));
    CUDA(cudaMemsetAsync(values, 0, count * sizeof(int), stream));
    add<<<1, 128, 0, stream>>>(values, count, 8);
    CUDA(cudaMemcpyAsync(copied.data(), values, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA(cudaFreeAsync(values, stream));
    cudaGraph_t graph;
    CUDA(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 2; ++i) {
        copied[0] = 0;
        CUDA(cudaGraphLaunch(executable, stream));
        CUDA(cudaStreamSynchronize(stream));
        expect_equal("in the graph's memory", 8, copied[0]);
    }
    CUDA(cudaGraphExecDestroy(executable));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
}

#if CUDART_VERSION >= 12080
__global__ void count_down(cudaGraphConditionalHandle handle, int* left, int* runs) {
    ++*runs;
    cudaGraphSetConditional(handle, --*left > 0);
}

__global__ void choose(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}

/// Adds a conditional node, whose bodies each add a number to the values: 1, 10, 100, ...
cudaGraphNode_t add_condition(cudaGraph_t graph, const cudaGraphNode_t* after,
                              cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                              unsigned bodies, int* values) {
    cudaGraphNodeParams condition = {};
    condition.type = cudaGraphNodeTypeConditional;
    condition.conditional.handle = handle;
    condition.conditional.type = type;
    condition.conditional.size = bodies;
    cudaGraphNode_t node;
    CUDA(cudaGraphAddNode(&node, graph, after, NULL, after == NULL ? 0 : 1, &condition));
    int n = count, number = 1;
    void* arguments[] = {&values, &n, &number};
    for (unsigned i = 0; i < bodies; ++i, number *= 10) {
        cudaGraphNodeParams adds = {};
        adds.type = cudaGraphNodeTypeKernel;
        adds.kernel.func = (void*)add;
        adds.kernel.gridDim = dim3(1);
        adds.kernel.blockDim = dim3(128);
        adds.kernel.kernelParams = arguments;
        cudaGraphNode_t in_body;
        CUDA(cudaGraphAddNode(&in_body, condition.conditional.phGraph_out[i], NULL, NULL, 0, &adds));
    }
    return node;
}

/// The body runs until `left` is 0.
void repeated_body() {
    int* left_and_runs = to_device(std::vector<int>{5, 0});
    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle;
    CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams repeats = {};
    repeats.type = cudaGraphNodeTypeConditional;
    repeats.conditional.handle = handle;
    repeats.conditional.type = cudaGraphCondTypeWhile;
    repeats.conditional.size = 1;
    cudaGraphNode_t node;
    CUDA(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &repeats));
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCaptureToGraph(stream, repeats.conditional.phGraph_out[0], NULL, NULL, 0,
                                       cudaStreamCaptureModeRelaxed));
    count_down<<<1, 1, 0, stream>>>(handle, left_and_runs, left_and_runs + 1);
    CUDA(cudaStreamEndCapture(stream, NULL));
    cudaGraphExec_t executable;
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    launch_and_wait(executable);
    expect_equal("runs of the body", 5, to_host(left_and_runs, 2)[1]);
    CUDA(cudaGraphExecDestroy(executable));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(left_and_runs));
}

/// Which bodies of an if, an if with an else, and a switch run.
void chosen_bodies() {
    const struct {
        cudaGraphConditionalNodeType type;
        unsigned bodies, value;
        int sum;
    } cases[] = {{cudaGraphCondTypeIf, 1, 0, 0},       {cudaGraphCondTypeIf, 1, 7, 1},
                 {cudaGraphCondTypeIf, 2, 0, 10},      {cudaGraphCondTypeIf, 2, 1, 1},
                 {cudaGraphCondTypeSwitch, 3, 2, 100}, {cudaGraphCondTypeSwitch, 3, 3, 0}};
    for (const auto& one : cases) {
        int* values = to_device(std::vector<int>(count, 0));
        cudaGraph_t graph;
        CUDA(cudaGraphCreate(&graph, 0));
        cudaGraphConditionalHandle handle;
        CUDA(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
        unsigned value = one.value;
        void* arguments[] = {&handle, &value};
        cudaKernelNodeParams chooses = kernel_node((void*)choose, arguments);
        chooses.blockDim = dim3(1);
        cudaGraphNode_t chosen;
        CUDA(cudaGraphAddKernelNode(&chosen, graph, NULL, 0, &chooses));
        add_condition(graph, &chosen, handle, one.type, one.bodies, values);
        cudaGraphExec_t executable;
        CUDA(cudaGraphInstantiate(&executable, graph, 0));
        launch_and_wait(executable);
        expect_equal("of the chosen body", one.sum, to_host(values, count)[0]);
        CUDA(cudaGraphExecDestroy(executable));
        CUDA(cudaGraphDestroy(graph));
        CUDA(cudaFree(values));
    }
}
#endif

void memory_pools() {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    CUDA(cudaGetDevice(&properties.location.id));
    cudaMemPool_t pool, standard, current;
    CUDA(cudaMemPoolCreate(&pool, &properties));
    CUDA(cudaDeviceGetDefaultMemPool(&standard, properties.location.id));
    CUDA(cudaDeviceGetMemPool(&current, properties.location.id));
    expect_equal("the current pool", true, standard == current);
    unsigned long long threshold = 1 << 20, got = 0, used = 0;
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
    expect_equal("threshold", threshold, got);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    int* values = NULL;
    CUDA(cudaMallocFromPoolAsync((void**)&values, count * sizeof(int), pool, stream));
    CUDA(cudaMemsetAsync(values, 0, count * sizeof(int), stream));
    add<<<1, 128, 0, stream>>>(values, count, 3);
    CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    expect_equal("used", true, used >= count * sizeof(int));
    CUDA(cudaStreamSynchronize(stream));
    expect_equal("in the pool's memory", 3, to_host(values, count)[count - 1]);
    CUDA(cudaFreeAsync(values, stream));
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemPoolTrimTo(pool, 0));
    CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    expect_equal("used at the end", 0ull, used);
    CUDA(cudaMemPoolDestroy(pool));
    CUDA(cudaStreamDestroy(stream));
}

void call_cuda(void* data) {
    int* memory;
    *(cudaError_t*)data = cudaMalloc((void**)&memory, 4);
}

struct ThousandBytes {
    __host__ __device__ size_t operator()(int /*threads*/) const { return 1000; }
};

void other_calls() {
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    cudaError_t error = cudaSuccess;
    CUDA(cudaLaunchHostFunc(stream, call_cuda, &error));
    CUDA(cudaStreamSynchronize(stream));
    cudaGetLastError();
    expect_equal("CUDA in a host function", (int)cudaErrorNotPermitted, (int)error);
    CUDA(cudaStreamDestroy(stream));

    char id[20];
    int device = 0, same = -1;
    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetPCIBusId(id, sizeof id, device));
    CUDA(cudaDeviceGetByPCIBusId(&same, id));
    expect_equal("the GPU of an id", device, same);

    // Launches by void pointers to kernels.
    int* values = to_device(std::vector<int>(count, 1));
    int n = count, two = 2;
    void* arguments[] = {&values, &n, &two};
    const void* const kernel = (const void*)multiply<int>;
    CUDA(cudaLaunchKernel(kernel, dim3(1), dim3(128), arguments, 0, 0));
    CUDA(cudaLaunchKernel((void*)add, dim3(1), dim3(128), arguments, 0, 0));
    CUDA(cudaDeviceSynchronize());
    expect_equal("1 * 2 + 2", 4, to_host(values, count)[count - 1]);
    CUDA(cudaFree(values));

    const int* numbers = NULL;  // the kernel's parameter is an int*
    CUDA(cudaMalloc(&numbers, 4 * sizeof(int)));
    CUDA(cudaMemset((void*)numbers, 0, 4 * sizeof(int)));
    const int* sum = numbers + 3;
    void* reduced[] = {&numbers, &sum};
    CUDA(cudaLaunchKernel((void*)reduce, dim3(1), dim3(1), reduced, 0, 0));
    CUDA(cudaFree((void*)numbers));
    expect_equal("a function of the host", true, (void*)host::reduce != (void*)reduce);

    // The shared memory for each of several blocks of a multiprocessor, at most what a launch may have.
    size_t bytes = 0;
    int of_multiprocessor = 0;
    CUDA(cudaDeviceGetAttribute(&of_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
    CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 1, 256));
    expect_equal("bytes of a block", (size_t)49152, bytes);
    CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 4, 256));
    const size_t part = of_multiprocessor / 4;
    expect_equal("bytes of each of four blocks", part < 49152 ? part : (size_t)49152, bytes);

    int grid = 0, threads = 0, other_grid = 0, other_threads = 0;
    CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, add, 1000));
    CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&other_grid, &other_threads, add, ThousandBytes()));
    expect_equal("the best block", threads, other_threads);
    expect_equal("its grid", grid, other_grid);
}

int main() {
    need_gpu();
    explicit_nodes();
    captured_nodes();
    graph_memory();
#if CUDART_VERSION >= 12080
    repeated_body();
    chosen_bodies();
#endif
    memory_pools();
    other_calls();
    return failures();
}
