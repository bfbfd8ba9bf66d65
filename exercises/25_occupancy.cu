// 25. How many threads for a block?
//
// A kernel needs `registers` registers a thread and `shared_bytes` bytes of shared memory a block, whatever
// the block's size. A multiprocessor has room for 2048 threads, 32 blocks, 65536 registers and 102400 bytes
// of shared memory. A block is resident if all of it fits. Write a function that says with how many threads a
// block, a multiple of 32 up to 1024, most threads are resident. If several are as good, take the smallest.
//
// Registers are given to whole warps; here simply: a block of t threads takes t * registers. Such a size
// always exists.
//
// Done: the right size for every kernel that is asked about.
//
// Further: occupancy/calculator/calculator.hpp has the rules of each GPU, to the last register; `occupancy
// --gpu h200` answers by them.

int threads_of_block(int registers, int shared_bytes) {
    return 1024;  // your answer here
}
