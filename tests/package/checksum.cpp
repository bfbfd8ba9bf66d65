// Uses a header of the installed package: zlib's check value.
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

#include "common/numbers/crc32.hpp"

int main() {
    using namespace std::string_view_literals;
    std::puts(cudabook::hex(cudabook::crc32(std::as_bytes(std::span("123456789"sv)))).c_str());
}
