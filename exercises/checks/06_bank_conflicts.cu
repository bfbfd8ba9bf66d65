// Checks 06_bank_conflicts. Beside the goals of transpose.hpp: no conflicts. With rows of 33 words, both a
// row and a column of 32 words lie in 32 banks.
#include "exercises/checks/transpose.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    const auto launch = [](dim3 grid, float* out, const float* in, int width, int height) {
        transpose<<<grid, dim3(32, 32)>>>(out, in, width, height);
    };
    check::transposes(launch, [](const cudabook::Counts& counts) {
        check::at_most(counts.shared_load.conflicts, 0, "bank conflicts of loads from shared memory");
        check::at_most(counts.shared_store.conflicts, 0, "bank conflicts of stores to shared memory");
    });
    check::finish();
}
