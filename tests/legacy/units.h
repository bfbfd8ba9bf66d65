// A header of an old program: each translation unit has its own copy of the reference.
#pragma once

texture<float, 1> of_each_unit;

#ifdef __CUDACC_RDC__
extern texture<float, 1> of_all_units;  // defined in one unit, read in all
#endif

float read_in_other_unit(int i);
void bind_in_other_unit(const float* memory, int count);
float read_shared_in_other_unit(int i);
