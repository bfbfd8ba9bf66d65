// Checks 12_private_histogram. The goal: a block adds 256 counters, 32 by a request, so 8 requests. With an
// operation for each byte it is n / 32 requests, here 32 and 313, in all.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    const int blocks = 3;
    for (const int n : {1000, 10000}) {
        check::on("n = %d", n);
        std::vector<unsigned char> in = check::numbers<unsigned char>(n);
        for (unsigned char& byte : in) byte = static_cast<unsigned char>(byte * 5 / 2);  // from 0 to 247
        const check::Array<unsigned char> from(in);
        const check::Array<unsigned> to(std::vector<unsigned>(256, 0));
        const cudabook::Counts counts = check::run([&] {
            check::cuda(cudaMemset(to, 0, 256 * sizeof(unsigned)), "cudaMemset");
            histogram<<<blocks, 128>>>(to, from, n);
        });
        std::vector<unsigned> expected(256);
        for (const unsigned char byte : in) ++expected[byte];
        check::equal("counts", to.values(), expected);
        check::at_most(counts.global_atomic.accesses, blocks * 256,
                       "atomic operations of threads in global memory");
        check::at_most(counts.global_atomic.requests, blocks * 256 / 32,
                       "requests for atomic operations in global memory");
    }
    check::finish();
}
