// Checks 08_two_barriers. The goal: two barriers a round in each of the two blocks.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    constexpr int blocks = 2;
    for (const int rounds : {1, 2, 7}) {
        check::on("rounds = %d", rounds);
        const std::vector<float> in = check::numbers(blocks * 256);
        const check::Array<float> numbers(in);
        const bool repeated = std::getenv("EXERCISE_TIME") != nullptr;  // then run() does it twice
        const cudabook::Counts counts = check::run([&] { turn<<<blocks, 256>>>(numbers, rounds); });
        const int places = repeated ? 2 * rounds : rounds;
        std::vector<float> expected(in.size());
        for (int i = 0; i < blocks * 256; ++i) expected[i] = in[i / 256 * 256 + (i + places) % 256];
        check::equal("numbers", numbers.values(), expected);
        check::at_most(counts.barriers, 2 * rounds * blocks, "barriers of the two blocks");
    }
    check::finish();
}
