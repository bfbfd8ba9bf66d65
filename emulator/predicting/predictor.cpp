// Predicts the time of each launch of this program, and keeps the predictions.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/predictions.hpp"
#include "emulator/engine/launch.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/predicting/model.hpp"
#include "emulator/predicting/predictor.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/gpu_state.hpp"

namespace cudabook::emulation {

namespace {

/// The registers of a thread, unless CUDABOOK_PREDICT_REGISTERS gives another number: only nvcc knows them.
constexpr unsigned assumed_registers = 32;

/// Only so many launches of one kernel and size are counted, but one if it is sampled; the others take as
/// long as the last of them.
constexpr std::uint64_t counted_launches = 2;

/// A launch of so few threads always runs: it takes little time, and the host may read its results.
constexpr std::uint64_t cheap_threads = 8192;

/// The cache that a multiprocessor has for data even if its blocks take all shared memory.
constexpr double least_l1_bytes = 16 << 10;

/// The launches of one kernel with the same sizes on one GPU.
struct Predicted {
    const GpuState* gpu;
    LaunchShape shape;
    std::uint64_t launches = 0;
    double ms = 0;  ///< of all launches
    bool is_sampled = false;
    PredictedTime last;  ///< of the last counted launch, as the next ones
    Work work;
    GpuRates rates;
};

struct State {
    std::mutex mutex;
    MachineCode code;
    std::map<const GpuState*, Caches> caches;
    std::vector<Predicted> predicted;
    bool is_on = false;
    PredictionOptions options;
    unsigned registers = assumed_registers;
};
State& state() {
    static auto& state = *new State;  // never freed: it is used after all destructors
    return state;
}

Predicted* find(const GpuState& gpu, const LaunchShape& shape) {
    const auto found = std::ranges::find_if(
        state().predicted, [&](const Predicted& one) { return one.gpu == &gpu && one.shape == shape; });
    return found == state().predicted.end() ? nullptr : &*found;
}

void begin(const PredictionOptions& options) {
    MachineCode::check_readable();
    const char* const name = "CUDABOOK_PREDICT_REGISTERS";
    const unsigned registers = number_in_environment<unsigned>(name).value_or(assumed_registers);
    if (registers < 1 || registers > 255)
        throw MachineError(fmt::format("{}: {}: a number from 1 to 255", name, registers));
    state().registers = registers;
    state().options = options;
    state().is_on = true;
}

constexpr Predicting functions{.begin = begin};

[[maybe_unused]] const bool is_predicting_set = [] {
    predicting = &functions;
    return true;
}();

}  // namespace

std::vector<KernelPrediction> take_predictions(const void* kernel) {
    const std::lock_guard lock(state().mutex);
    std::vector<KernelPrediction> taken;
    for (const Predicted& one : state().predicted)
        if (one.shape.kernel == kernel)
            taken.push_back({.kernel = short_name_of(kernel),
                             .launches = one.launches,
                             .blocks = one.shape.blocks,
                             .threads = one.shape.threads,
                             .ms = one.ms / static_cast<double>(one.launches),
                             .bounds = one.last.bounds,
                             .reason = reason_of(one.last, one.work, one.shape, one.rates),
                             .inputs = inputs_of(one.work, one.shape)});
    std::erase_if(state().predicted, [&](const Predicted& one) { return one.shape.kernel == kernel; });
    return taken;
}

bool runs(const LaunchWork& launch, std::uint64_t block) {
    const LaunchShape& shape = launch.shape();
    return !state().options.runs_only_counted || launch.counts(block) ||
           shape.blocks * shape.threads <= cheap_threads;
}

bool all_run() {
    const State& now = state();
    return !now.is_on || !now.options.runs_only_counted || now.options.counts_all;
}

bool shows_counts() { return !state().is_on || state().options.shows_counts; }

std::shared_ptr<LaunchWork> begin_prediction(const CountedLaunch& launch) {
    if (!state().is_on) return nullptr;
    const GpuState& gpu = current_state();
    const int resident =
        blocks_of_multiprocessor(launch.kernel, static_cast<int>(launch.threads), launch.dynamic_shared_bytes,
                                 static_cast<int>(state().registers));
    const LaunchShape shape{.kernel = launch.kernel,
                            .blocks = launch.blocks,
                            .threads = launch.threads,
                            .shared_bytes = launch.shared_bytes,
                            .blocks_of_multiprocessor = static_cast<unsigned>(std::max(resident, 1))};
    using Counted = LaunchWork::Counted;
    Counted counted = state().options.counts_all ? Counted::all : Counted::some;
    const std::lock_guard lock(state().mutex);
    const Predicted* const known = find(gpu, shape);
    if (counted == Counted::some && known != nullptr &&
        (known->is_sampled || known->launches >= counted_launches))
        counted = Counted::none;
    return std::make_shared<LaunchWork>(shape, static_cast<unsigned>(gpu.gpu.multiprocessors), counted);
}

void end_prediction(LaunchWork& launch) {
    const GpuState& gpu = current_state();
    const LaunchShape& shape = launch.shape();
    const std::lock_guard lock(state().mutex);
    Predicted* found = find(gpu, shape);
    if (launch.counts_any()) {
        const GpuRates rates = rates_of(gpu.gpu);
        Caches& caches =
            state().caches.try_emplace(&gpu, rates.l2_bytes, rates.multiprocessors).first->second;
        const auto shared_bytes = static_cast<double>(shape.shared_bytes * shape.blocks_of_multiprocessor);
        Work work = launch.finish(state().code, caches,
                                  std::max(rates.l1_bytes - shared_bytes, least_l1_bytes), found == nullptr);
        if (found == nullptr) {
            state().predicted.push_back(
                {.gpu = &gpu, .shape = shape, .last = {}, .work = {}, .rates = rates});
            found = &state().predicted.back();
        }
        found->last = predict(work, shape, rates);
        found->work = std::move(work);
        found->is_sampled = launch.is_sampled();
    }
    if (found == nullptr) return;  // another thread of the host has taken the predictions meanwhile
    ++found->launches;
    found->ms += found->last.ms;
}

}  // namespace cudabook::emulation
