// A program of cudabook-nvcc contains a second program, whose kernels count their memory requests. With
// CUDABOOK_COUNTERS=1, CUDABOOK_PREDICT=GPU or CUDABOOK_TRACE=FILE.html, the program replaces itself by the
// second program.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "emulator/engine/watchdog.hpp"

namespace cudabook::emulation {

namespace {

/// Returns the descriptor of a file without a name that contains these bytes. Errors: std::system_error.
int file_of(const char* begin, const char* end) {
    const int file = memfd_create("counted", MFD_CLOEXEC);
    while (file >= 0 && begin < end) {
        const ssize_t bytes = write(file, begin, static_cast<std::size_t>(end - begin));
        if (bytes < 0) break;
        begin += bytes;
    }
    if (begin < end) throw std::system_error(errno, std::generic_category());
    return file;
}

/// Returns the environment variable that asks for a program that counts, or null.
const char* asking_variable() {
    const char* const counters = std::getenv("CUDABOOK_COUNTERS");
    if (counters != nullptr && std::string_view(counters) == "1") return "CUDABOOK_COUNTERS";
    for (const char* const name : {"CUDABOOK_TRACE", "CUDABOOK_PREDICT"})
        if (const char* const value = std::getenv(name); value != nullptr && *value != '\0') return name;
    return nullptr;
}

}  // namespace

}  // namespace cudabook::emulation

// scripts/cudabook-emulate defines the begin and end of the second program's file, and makes the program
// call cudabook_count_if_asked() before main().
extern "C" {
extern const char cudabook_counted_begin;  // NOLINT(readability-identifier-naming)
extern const char cudabook_counted_end;

void cudabook_count_if_asked(int /*count*/, char** arguments, char** environment);
void cudabook_count_if_asked(int /*count*/, char** arguments, char** environment) {
    using namespace cudabook::emulation;
    const char* const asked = asking_variable();
    if (asked == nullptr) return;
    if (&cudabook_counted_begin == &cudabook_counted_end) {
        print_line(fmt::format("{}: this program cannot count; build it with g++", asked));
        return;
    }
    try {
        fexecve(file_of(&cudabook_counted_begin, &cudabook_counted_end), arguments, environment);
        throw std::system_error(errno, std::generic_category());
    } catch (const std::system_error& error) {
        print_line(fmt::format("{}: {}", asked, error.what()));
        std::_Exit(3);
    }
}
}
