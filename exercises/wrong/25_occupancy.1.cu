// Refused as: numbers. It knows no shared memory.

int threads_of_block(int registers, int shared_bytes) {
    int best = 32;
    int most = 0;
    for (int threads = 32; threads <= 1024; threads += 32) {
        int blocks = 2048 / threads;
        if (blocks > 32) blocks = 32;
        if (blocks > 65536 / (threads * registers)) blocks = 65536 / (threads * registers);
        if (blocks * threads > most) {
            most = blocks * threads;
            best = threads;
        }
    }
    return best;
}
