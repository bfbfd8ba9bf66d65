// Checks 25_occupancy, against counting one block after another.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

namespace cudabook::check {

int resident_threads(int threads, int registers, int shared_bytes) {
    int blocks = 0;
    while (blocks < 32 && (blocks + 1) * threads <= 2048 && (blocks + 1) * threads * registers <= 65536 &&
           (blocks + 1) * shared_bytes <= 102400)
        ++blocks;
    return blocks * threads;
}

}  // namespace cudabook::check

int main() {
    namespace check = cudabook::check;
    for (const int registers : {16, 32, 33, 40, 63, 64, 100, 168, 255})
        for (const int shared_bytes : {0, 1024, 3200, 10000, 33000, 51200, 51201, 102400}) {
            int best = 32;
            for (int threads = 32; threads <= 1024; threads += 32)
                if (check::resident_threads(threads, registers, shared_bytes) >
                    check::resident_threads(best, registers, shared_bytes))
                    best = threads;
            const int answer = threads_of_block(registers, shared_bytes);
            if (answer == best) continue;
            const bool possible = answer >= 32 && answer <= 1024 && answer % 32 == 0;
            std::printf("for %d registers and %d bytes of shared memory you say %d", registers, shared_bytes,
                        answer);
            if (possible)
                std::printf(" threads: then %d are resident",
                            check::resident_threads(answer, registers, shared_bytes));
            std::printf("; with %d threads it is %d\n", best,
                        check::resident_threads(best, registers, shared_bytes));
            check::end(check::wrong);
        }
    check::finish();
}
