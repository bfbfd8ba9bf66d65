// emulator/engine/watchdog.hpp for a page's program. There are no signals, and no second thread that could
// watch: the page itself can end its worker.
#include "emulator/engine/watchdog.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "emulator/engine/block.hpp"
#include "emulator/engine/program_file.hpp"

namespace cudabook::emulation {

namespace {

const void* kernel_here = nullptr;

}  // namespace

unsigned launch_timeout_seconds() { return 0; }
unsigned barriers_timeout_seconds() { return 0; }

Watched::Watched(const void* kernel, const void* /*launch*/, unsigned /*null_argument*/) {
    kernel_here = kernel;
}
Watched::~Watched() { kernel_here = nullptr; }

void note_failed_allocation(std::size_t /*bytes*/) {}

std::string running_kernel() { return kernel_here == nullptr ? "" : name_of(kernel_here); }

std::string running_thread() {
    if (kernel_here == nullptr) return {};
    return fmt::format("{}, block ({}, {}, {}), thread ({}, {}, {})", name_of(kernel_here), blockIdx.x,
                       blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
}

void say_error_here(std::string_view more) {
    if (kernel_here != nullptr) print_line(running_thread() + std::string(more));
}

void catch_faults() {}

void print_line(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

}  // namespace cudabook::emulation
