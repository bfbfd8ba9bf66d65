// Checks 09_block_sum. The goal: a tree, in which each thread adds by itself and reads what lies together.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("an array of 4 million elements", [](auto run) {
        constexpr int n = 1 << 22;
        const check::Array<float> from(n);
        const check::Array<float> to(n);
        run([&] { shares_of_block<<<n / 256, 256, 256 * sizeof(float)>>>(to, from); });
    });
    for (const int size : {2, 32, 256}) {
        check::on("blocks of %d threads", size);
        const int blocks = 3;
        const int n = blocks * size;
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const auto counts =
            check::run([&] { shares_of_block<<<blocks, size, size * sizeof(float)>>>(to, from); });
        std::vector<float> expected(n);
        for (int block = 0; block < n; block += size) {
            float sum = 0;
            for (int i = block; i < block + size; ++i) sum += in[i];
            for (int i = block; i < block + size; ++i) expected[i] = in[i] / sum;
        }
        check::equal("shares", to.values(), expected);

        // In a round each warp that adds reads two numbers of each lane, which lie together: a wavefront
        // each. At the end each warp reads the sum. In a block of 256 that is 2 * (4 + 2 + 1 + 1 + 1 + 1 + 1
        // + 1) + 8.
        int wavefronts = (size + 31) / 32;
        for (int half = size / 2; half > 0; half /= 2) wavefronts += 2 * ((half + 31) / 32);
        check::at_most(counts.shared_load.parts, blocks * wavefronts,
                       "wavefronts of loads from shared memory");
        check::at_most(counts.shared_atomic.accesses + counts.global_atomic.accesses, 0,
                       "atomic operations of threads");
    }
    check::finish();
}
