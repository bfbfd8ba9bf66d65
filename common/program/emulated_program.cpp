#include "common/program/emulated_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "common/program/counts.hpp"
#include "common/program/errors.hpp"
#include "common/program/program_folder.hpp"

namespace cudabook {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view second_folder = "/lib/cudabook/emulated/";
constexpr std::string_view counted_folder = "/lib/cudabook/counted/";

bool any_emulated(const CudaDevices& cuda) {
    return std::ranges::find(cuda.all, DeviceKind::emulated, &Device::kind) != cuda.all.end();
}

/// Replaces this program by `file`. Never returns; errors: MachineError. `target`: the CMake target that
/// builds the file.
[[noreturn]] void replace_program(const std::string& option, const std::string& file, const char* target,
                                  const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(file.c_str(), argv.data());
    const int error = errno;
    // In a build folder, the file may not have been built yet; the message then says how to build it.
    const fs::path build = fs::path(file).parent_path() / "../../..";
    if (error == ENOENT && fs::exists(build / "CMakeCache.txt"))
        throw MachineError(
            fmt::format("{}: the program for this option is not built yet; build it: cmake --build "
                        "{} --target {}",
                        option, fs::weakly_canonical(build).string(), target));
    throw MachineError(fmt::format("{}: cannot run {}: {}; build or install cudabook again", option, file,
                                   std::strerror(error)));
}

}  // namespace

std::string emulated_program_file(const std::string& program_folder, const std::string& sample) {
    return fmt::format("{}..{}{}", program_folder, second_folder, sample);
}

std::string counted_program_file(const std::string& program_folder, const std::string& sample) {
    const std::string_view up = program_folder.ends_with(second_folder) ? "../../.." : "..";
    return fmt::format("{}{}{}{}", program_folder, up, counted_folder, sample);
}

void start_emulation(const std::string& sample, const CommonOptions& options,
                     const FindCudaDevices& find_cuda) {
    const std::string& gpu = options.device.emulated_gpu;
    if (!gpu.empty()) setenv("CUDABOOK_EMULATED_GPUS", gpu.c_str(), 1);
    if (options.schedule) setenv("CUDABOOK_SCHEDULE", fmt::format("{}", *options.schedule).c_str(), 1);
    if (options.registers)
        setenv("CUDABOOK_PREDICT_REGISTERS", fmt::format("{}", *options.registers).c_str(), 1);
    if (options.counters || options.predict || options.trace) {
        const char* const option = options.counters  ? "--counters"
                                   : options.predict ? "--predict"
                                                     : "--trace";
        if (counted_so_far != nullptr) {
            if (options.predict)
                predicting->begin({.counts_all = options.counters || options.trace.has_value(),
                                   .runs_only_counted = options.runs_some_blocks(),
                                   .shows_counts = options.counters});
            if (!options.counters && !options.predict)
                counted_so_far = nullptr;  // so that the report has no counts
            return;
        }
        if (CUDABOOK_HAS_COUNTERS == 0)
            throw MachineError(
                fmt::format("{}: this build has no programs that count; build cudabook with "
                            "g++ and without a sanitizer",
                            option));
        replace_program(option, counted_program_file(program_folder(), sample), "counters",
                        options.arguments);
    }
    if (!built_with_cuda || !built_with_emulation || any_emulated(find_cuda())) return;
    const std::string folder = program_folder();
    // The second program itself has no emulated GPU: choose_device() will throw an error that says why.
    if (folder.ends_with(second_folder)) return;
    replace_program("--device emulated", emulated_program_file(folder, sample), "emulated",
                    options.arguments);
}

}  // namespace cudabook
