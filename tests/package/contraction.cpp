// Prints how x·y + z was computed: as two operations, each rounded, or as one fused operation, rounded once.
#include <cstdio>

int main() {
    volatile float x = 1 + 0x1p-12F, y = x, z = -(1 + 0x1p-11F);
    // The product is 1 + 2^-11 + 2^-24, and a float drops the last term.
    const float product_and_sum = x * y + z;
    std::puts(product_and_sum == 0 ? "separate" : "fused");
}
