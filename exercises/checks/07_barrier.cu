// Checks 07_barrier. The goal: one barrier in each of the four blocks.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    constexpr int blocks = 4;
    const std::vector<float> in = check::numbers(blocks * 256);
    const check::Array<float> numbers(in);
    const bool repeated = std::getenv("EXERCISE_TIME") != nullptr;  // then run() reverses twice
    const cudabook::Counts counts = check::run([&] { reverse_block<<<blocks, 256>>>(numbers); });
    std::vector<float> expected = in;
    for (int i = 0; i < blocks * 256 && !repeated; ++i) expected[i] = in[i / 256 * 256 + 255 - i % 256];
    check::equal("numbers", numbers.values(), expected);
    check::at_most(counts.barriers, blocks, "barriers of the four blocks");
    check::finish();
}
