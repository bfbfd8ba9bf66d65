// Says how x·y + z was computed: rounded twice, as it is written, or as one fused operation, rounded once.
#include <cstdio>

int main() {
    volatile float x = 1 + 0x1p-12F, y = x, z = -(1 + 0x1p-11F);
    // The product is 1 + 2^-11 + 2^-24, of which a float drops the last.
    const float product_and_sum = x * y + z;
    std::puts(product_and_sum == 0 ? "separate" : "fused");
}
