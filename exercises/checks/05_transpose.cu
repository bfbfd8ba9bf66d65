// Checks 05_transpose. The goals are those of transpose.hpp.
#include "exercises/checks/transpose.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    const auto launch = [](dim3 grid, float* out, const float* in, int width, int height) {
        transpose<<<grid, dim3(32, 32)>>>(out, in, width, height);
    };
    check::transposes(launch, [](const cudabook::Counts&) {});
    check::finish();
}
