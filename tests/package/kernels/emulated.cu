#include "emulated.h"

__global__ void double_it(int* number) { *number *= 2; }
