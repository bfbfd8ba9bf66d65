#pragma once

__global__ void double_it(int* number);
