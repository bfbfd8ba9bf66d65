// The environment variables of a cudabook-nvcc program that counts: they ask the program to print the
// memory requests of its kernels at its end, to predict the kernels' times, or to trace them.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "common/program/counts.hpp"
#include "common/program/errors.hpp"
#include "common/program/gpus.hpp"
#include "common/program/json.hpp"
#include "common/program/output_file.hpp"
#include "common/program/predictions.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/tracing/recording.hpp"

namespace cudabook {

namespace {

std::string_view variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

[[noreturn]] void fail(const char* what, ExitStatus status) {
    fmt::print(stderr, "{}: {}\n", program_invocation_short_name, what);
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(status));
}

/// Reads a number from an environment variable if the variable is set. Errors: MachineError.
template <class Number>
void read(const char* name, Number least, Number most, Number& number) {
    const auto given = emulation::number_in_environment<Number>(name);
    if (!given) return;
    if (*given < least || *given > most)
        throw MachineError(fmt::format("{}: {}: a number from {} to {}", name, *given, least, most));
    number = *given;
}

TraceOptions trace_options() {
    TraceOptions options{.block_option = "CUDABOOK_TRACE_BLOCK"};
    if (const std::string_view block = variable("CUDABOOK_TRACE_BLOCK"); !block.empty())
        options.block = parse_block(block, options.block_option);
    read("CUDABOOK_TRACE_WARPS", 1U, 32U, options.warps);
    read<std::size_t>("CUDABOOK_TRACE_LIMIT", 1, 100'000'000, options.limit);
    return options;
}

std::optional<OutputFile>& file() {
    static auto& file = *new std::optional<OutputFile>;
    return file;
}

pid_t& traced_process() {
    static pid_t process = 0;
    return process;
}

/// Runs the work. If it throws, prints the error and ends the program.
template <class Work>
void or_end(Work work) {
    try {
        work();
    } catch (const UsageError& error) {
        fail(error.what(), ExitStatus::usage);
    } catch (const std::exception& error) {
        fail(error.what(), ExitStatus::machine);
    }
}

struct PredictionOutput {
    pid_t process = 0;  ///< 0 if nothing is predicted
    const EmulatedGpu* gpu = nullptr;
    std::filesystem::path json;  ///< empty without CUDABOOK_PREDICT_JSON
    bool runs_only_counted = false;
};
PredictionOutput& prediction_output() {
    static auto& output = *new PredictionOutput;
    return output;
}

/// Returns whether a list such as "h200,h200" names only this GPU.
bool names_only(std::string_view list, std::string_view gpu) {
    for (; list.size() > gpu.size(); list.remove_prefix(gpu.size() + 1))
        if (!list.starts_with(gpu) || list[gpu.size()] != ',') return false;
    return list == gpu;
}

/// Begins the prediction for the GPU that CUDABOOK_PREDICT names, which becomes the emulated GPU.
[[gnu::constructor]] void begin_predictions() {
    const std::string_view gpu = variable("CUDABOOK_PREDICT");
    or_end([&] {
        const bool only_counted = variable("CUDABOOK_PREDICT_ONLY") == "1";
        if (gpu.empty() && only_counted)
            throw UsageError("CUDABOOK_PREDICT_ONLY: nothing is predicted; set CUDABOOK_PREDICT too");
        if (gpu.empty()) return;
        PredictionOutput& output = prediction_output();
        output.gpu = find_emulated_gpu(gpu);
        if (output.gpu == nullptr)
            throw UsageError(
                fmt::format("CUDABOOK_PREDICT: '{}': the GPUs are {}", gpu, emulated_gpu_names()));
        if (const std::string_view emulated = variable("CUDABOOK_EMULATED_GPUS");
            !emulated.empty() && !names_only(emulated, gpu))
            throw UsageError(
                fmt::format("CUDABOOK_PREDICT: '{}': CUDABOOK_EMULATED_GPUS is '{}'", gpu, emulated));
        setenv("CUDABOOK_EMULATED_GPUS", std::string(gpu).c_str(), 0);
        if (const std::string_view json = variable("CUDABOOK_PREDICT_JSON"); !json.empty())
            output.json = std::filesystem::absolute(json);  // the program may change its folder
        const bool counts = variable("CUDABOOK_COUNTERS") == "1";
        const bool counts_all = counts || !variable("CUDABOOK_TRACE").empty();
        output.runs_only_counted = only_counted && !counts_all;
        predicting->begin({.counts_all = counts_all,
                           .runs_only_counted = output.runs_only_counted,
                           .shows_counts = counts});
        output.process = getpid();
    });
}

[[gnu::constructor]] void begin_trace() {
    const std::string_view path = variable("CUDABOOK_TRACE");
    if (path.empty()) return;
    or_end([&] {
        const TraceOptions options = trace_options();
        file().emplace(std::filesystem::absolute(path));  // the program may change its folder
        traced_process() = getpid();
        emulation::trace_hooks.begin(options);
    });
}

void print_predictions(const std::vector<KernelCounts>& kernels) {
    const PredictionOutput& output = prediction_output();
    std::vector<KernelPrediction> all;
    for (const KernelCounts& kernel : kernels)
        all.insert(all.end(), kernel.predictions.begin(), kernel.predictions.end());
    if (all.empty())
        fmt::print(stderr, "{}: no kernel has ended, so no time is predicted\n",
                   program_invocation_short_name);
    else
        fmt::print(stderr, "Predicted times on {}, per launch; nothing was measured.\n{}",
                   output.gpu->product, table_of(all));
    if (output.runs_only_counted)
        fmt::print(stderr, "Only a part of the blocks has run, so the program's results are wrong.\n");
    if (!output.json.empty())
        or_end([&] {
            OutputFile file(output.json);
            file.write(json_of(all).dump(2) + "\n");
            file.commit();
        });
}

/// Runs after the destructors of all objects, because they may launch kernels too.
[[gnu::destructor]] void print_counts() {
    std::fflush(stdout);
    const bool counts = variable("CUDABOOK_COUNTERS") == "1";
    const bool predicts = prediction_output().process == getpid();  // not in a forked process
    if (counts || predicts) {
        const std::vector<KernelCounts> kernels = take_counts(program_invocation_short_name);
        if (counts)
            fmt::print(stderr, "{}", table_of({{program_invocation_short_name, kernels, std::nullopt}}));
        if (predicts) print_predictions(kernels);
    }
    if (!file() || traced_process() != getpid()) return;  // a forked process
    or_end([] {
        const std::string page = emulation::trace_hooks.page(program_invocation_short_name);
        if (page.empty()) {
            fmt::print(stderr, "{}: no kernel was launched, so nothing is traced\n",
                       program_invocation_short_name);
            return;
        }
        file()->write(page);
        file()->commit();
    });
}

}  // namespace

}  // namespace cudabook
