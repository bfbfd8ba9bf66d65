// Refused as: numbers. It takes the largest of the sizes that are as good.

int threads_of_block(int registers, int shared_bytes) {
    int best = 32;
    int most = 0;
    for (int threads = 32; threads <= 1024; threads += 32) {
        int blocks = 2048 / threads;
        if (blocks > 32) blocks = 32;
        if (blocks > 65536 / (threads * registers)) blocks = 65536 / (threads * registers);
        if (shared_bytes > 0 && blocks > 102400 / shared_bytes) blocks = 102400 / shared_bytes;
        if (blocks * threads >= most) {
            most = blocks * threads;
            best = threads;
        }
    }
    return best;
}
