// Checks 15_struct_of_arrays. The goal: four members are read, of n floats each; 8 floats are a sector, so
// n / 2 sectors. As an array of structures, a member of 32 particles is in 32 * 20 bytes, 20 sectors,
// instead of 4.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("a million particles", [](auto run) {
        constexpr int n = 1 << 20;
        const check::Array<float> particles(5 * n);
        run([&] { move_particles<<<n / 128, 128>>>(particles, 0.5F, n); });
    });
    for (const int n : {96, 1000}) {
        check::on("n = %d", n);
        const std::vector<float> numbers = check::numbers(5 * n);
        const auto number = [&](int particle, int member) { return numbers[5 * particle + member]; };
        // What place() says beyond the memory is for the kernel to be caught at.
        const auto where = [&](int particle, int member) {
            return static_cast<std::size_t>(place(particle, member, n));
        };
        std::vector<float> in(5 * n);
        for (int particle = 0; particle < n; ++particle)
            for (int member = 0; member < 5; ++member)
                if (where(particle, member) < in.size())
                    in[where(particle, member)] = number(particle, member);
        const float time = 0.5F;
        const check::Array<float> start(in);
        const check::Array<float> particles(in.size());
        const cudabook::Counts counts = check::run([&] {
            check::cuda(cudaMemcpy(particles, start, in.size() * sizeof(float), cudaMemcpyDeviceToDevice),
                        "cudaMemcpy");
            move_particles<<<(n + 127) / 128, 128>>>(particles, time, n);
        });

        const std::vector<float> out = particles.values();
        std::vector<float> got(5 * n);
        std::vector<float> expected(5 * n);
        for (int particle = 0; particle < n; ++particle)
            for (int member = 0; member < 5; ++member) {
                const std::size_t at = where(particle, member);
                got[5 * particle + member] = at < out.size() ? out[at] : 0;
                expected[5 * particle + member] =
                    number(particle, member) + (member < 2 ? time * number(particle, member + 2) : 0);
            }
        check::equal("particles (a row each: x, y, vx, vy, mass)", got, expected, 5);
        check::at_most(counts.global_load.parts, n / 2, "sectors that the loads take");
    }
    check::finish();
}
