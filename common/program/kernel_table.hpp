// A sample's kernel table: --list-kernels prints it, --device and --kernel choose from it. The sample's
// Kernel type has at least the members name, memory, what (std::string) and device (DeviceKind).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/common_options.hpp"
#include "common/program/device.hpp"
#include "common/program/device_list.hpp"
#include "common/program/emulated_program.hpp"
#include "common/program/errors.hpp"

namespace cudabook {

/// The device of a run, and the kernels to run there.
template <class Kernel>
struct Choice {
    Device device;
    std::vector<Kernel> kernels;
};

/// The kernel to run on each kind of device if the command line names no kernel; "all" means all kernels.
struct DefaultKernels {
    std::string cpu;
    std::string gpu;
};

template <class Kernel>
void print_kernels(const std::vector<Kernel>& all) {
    std::size_t width = 16;
    for (const Kernel& kernel : all) width = std::max(width, kernel.name.size());
    for (const Kernel& kernel : all) {
        const std::string line = fmt::format("{:<{}} {:<5} {:<10} {}\n", kernel.name, width,
                                             name_of(kernel.device), kernel.memory, kernel.what);
        std::fputs(line.c_str(), stdout);  // run_program() checks stdout for errors at the end
    }
}

namespace detail {

template <class Kernel>
bool has_kernel(const std::vector<Kernel>& all, DeviceKind device, const std::string& name) {
    return std::ranges::any_of(
        all, [&](const Kernel& kernel) { return runs_on(kernel.device, device) && kernel.name == name; });
}

}  // namespace detail

/// Returns the device that --device asks for. With --device auto, asks for the CPU if every kernel that
/// --kernel names exists only for the CPU; otherwise choose_device() decides.
template <class Kernel>
DeviceRequest device_for(const std::vector<Kernel>& all, const CommonOptions& options) {
    const std::vector<std::string> names = options.named_kernels();
    const bool for_cpu_only = !names.empty() && std::ranges::all_of(names, [&](const std::string& name) {
        return detail::has_kernel(all, DeviceKind::cpu, name) &&
               !detail::has_kernel(all, DeviceKind::cuda, name);
    });
    DeviceRequest request = options.device;
    if (!request.kind && for_cpu_only) request.kind = DeviceKind::cpu;
    return request;
}

/// Returns the kernels that the options select on the chosen device. --benchmark without --kernel selects all
/// kernels. If --device auto fell back to the CPU, prints the reason on stderr. Errors: UsageError,
/// MachineError.
template <class Kernel>
std::vector<Kernel> kernels_on(const ChosenDevice& chosen, const std::string& sample,
                               const std::vector<Kernel>& all, const DefaultKernels& defaults,
                               const CommonOptions& options) {
    const DeviceKind device = chosen.device.kind;
    std::vector<std::string> names = options.named_kernels();
    const bool none_named = names.empty();
    if (none_named) names.push_back(is_gpu(device) ? defaults.gpu : defaults.cpu);
    std::vector<Kernel> kernels;
    for (const std::string& wanted : names) {
        const bool every = wanted == "all" || (options.benchmark && none_named);
        const std::size_t before = kernels.size();
        std::ranges::copy_if(all, std::back_inserter(kernels), [&](const Kernel& kernel) {
            return runs_on(kernel.device, device) && (every || kernel.name == wanted);
        });
        if (kernels.size() > before) continue;
        if (std::ranges::find(all, wanted, &Kernel::name) == all.end()) {
            std::vector<std::string> there;
            for (const Kernel& kernel : all)
                if (std::ranges::find(there, kernel.name) == there.end()) there.push_back(kernel.name);
            throw UsageError(fmt::format("--kernel '{}': use all, {}", wanted, fmt::join(there, ", ")));
        }
        if (is_gpu(device) || options.device.kind)
            throw UsageError(fmt::format("--kernel '{}' does not run on --device {}; see --list-kernels",
                                         wanted, name_of(device)));
        throw MachineError(fmt::format("--kernel '{}' needs a GPU: {}; {}leave it out to run on the CPU",
                                       wanted, chosen.why_no_gpu,
                                       built_with_emulation ? "use --device emulated, or " : ""));
    }
    if (!chosen.why_no_gpu.empty()) note(options, sample, "on the CPU, because " + chosen.why_no_gpu);
    return kernels;
}

/// Returns the device and the kernels that the options select on this machine: see device_for() and
/// kernels_on(). Errors: UsageError, MachineError.
template <class Kernel>
Choice<Kernel> choose_kernels(const std::string& sample, const std::vector<Kernel>& all,
                              const FindCudaDevices& find_cuda, const DefaultKernels& defaults,
                              const CommonOptions& options) {
    const ChosenDevice chosen = choose_device(device_for(all, options), find_cuda);
    return {chosen.device, kernels_on(chosen, sample, all, defaults, options)};
}

/// Calls choose_kernels() with all kernels of a sample: the kernels for the GPU, then the kernels for the
/// CPU. If --list-devices or --list-kernels was given, prints the lists and returns nullopt instead. If
/// --device asks for an emulated GPU, calls start_emulation() first. Errors: as for choose_kernels().
template <class Kernel>
std::optional<Choice<Kernel>> list_or_choose_kernels(const std::string& sample, std::vector<Kernel> gpu,
                                                     const std::vector<Kernel>& cpu,
                                                     const FindCudaDevices& find_cuda,
                                                     const DefaultKernels& defaults,
                                                     const CommonOptions& options) {
    std::vector<Kernel> all = std::move(gpu);
    std::ranges::copy(cpu, std::back_inserter(all));
    if (options.list_devices) fmt::print("{}", device_list(find_cuda()));
    if (options.list_kernels) print_kernels(all);
    if (options.only_lists()) return std::nullopt;
    if (options.device.kind == DeviceKind::emulated) start_emulation(sample, options, find_cuda);
    return choose_kernels(sample, all, find_cuda, defaults, options);
}

}  // namespace cudabook
