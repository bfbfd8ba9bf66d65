// Refused: A __global__ function or function template cannot be a member function
// nvcc 13.0: the same
struct Field {
    float* values;
    __global__ void fill() { values[threadIdx.x] = 1; }  // here
};

int main() { return 0; }
