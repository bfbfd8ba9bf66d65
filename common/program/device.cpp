#include "common/program/device.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/gpus.hpp"

namespace cudabook {

DeviceRequest parse_device(std::string_view text) {
    if (const auto comma = text.find(','); comma != std::string_view::npos) {
        DeviceRequest request = parse_device(text.substr(0, comma));
        const DeviceRequest rest = parse_device(text.substr(comma + 1));
        if (!request.index || !rest.index)
            throw UsageError(
                fmt::format("--device '{}': a list may name only CUDA devices, such as cuda:0,cuda:1", text));
        request.more_indices = rest.more_indices;
        request.more_indices.insert(request.more_indices.begin(), *rest.index);
        if (std::ranges::count(request.more_indices, *request.index) > 0)
            throw UsageError(fmt::format("--device '{}': cuda:{} is named twice", text, *request.index));
        return request;
    }
    if (text == "auto") return {};
    if (text == "cpu") return {.kind = DeviceKind::cpu};
    if (text == "cuda") return {.kind = DeviceKind::cuda};
    if (text == "emulated") return {.kind = DeviceKind::emulated};
    constexpr std::string_view cuda = "cuda:";
    if (text.starts_with(cuda)) {
        const auto digits = text.substr(cuda.size());
        int index = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error == std::errc{} && end == digits.data() + digits.size() && index >= 0)
            return {.kind = DeviceKind::cuda, .index = index};
    }
    constexpr std::string_view emulated = "emulated:";
    if (text.starts_with(emulated)) {
        const auto name = text.substr(emulated.size());
        if (find_emulated_gpu(name) != nullptr)
            return {.kind = DeviceKind::emulated, .emulated_gpu = std::string(name)};
        throw UsageError(fmt::format("--device '{}': the emulated GPUs are {}", text, emulated_gpu_names()));
    }
    throw UsageError(
        fmt::format("--device '{}': use auto, cpu, cuda, cuda:N, emulated or emulated:NAME", text));
}

Device cpu_device() {
    Device device;
    device.name = "CPU";
    device.units = static_cast<int>(std::thread::hardware_concurrency());
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        device.name = line.substr(line.find(':') + 2);
        break;
    }
    return device;
}

FoundDevice first_usable(const CudaDevices& cuda, DeviceKind kind) {
    FoundDevice found{std::nullopt, cuda.why_none};
    for (const Device& device : cuda.all) {
        if (device.kind != kind) continue;
        const std::string why = cuda.why_unusable(device);
        if (why.empty()) return {device, ""};
        found.why_none = fmt::format("cuda:{} cannot be used ({})", device.index, why);
    }
    return found;
}

namespace {

constexpr const char* without_a_gpu =
    built_with_emulation ? "use --device cpu or --device emulated" : "use --device cpu";

/// The CUDA device with this index; makes no other device current. `cuda` must have real devices.
Device device_of_number(int index, const CudaDevices& cuda) {
    std::string why = "no such device";
    std::string others;
    for (const Device& device : cuda.all) {
        if (device.index != index) {
            others += fmt::format("{}cuda:{}", others.empty() ? "" : ", ", device.index);
            continue;
        }
        const std::string unusable = cuda.why_unusable(device);
        if (unusable.empty()) return device;
        why = fmt::format("it cannot be used ({})", unusable);
    }
    throw MachineError(fmt::format("--device cuda:{}: {}; {}", index, why,
                                   others.empty() ? without_a_gpu : "there is " + others));
}

Device emulated_device(const DeviceRequest& request, const CudaDevices& cuda) {
    const FoundDevice found = first_usable(cuda, DeviceKind::emulated);
    if (found.device) return *found.device;
    throw MachineError(fmt::format(
        "--device emulated{}{}: {}", request.emulated_gpu.empty() ? "" : ":", request.emulated_gpu,
        built_with_emulation ? found.why_none
                             : "this build has no emulated GPU; install Boost.Context (Debian: "
                               "apt-get install libboost-context-dev) and build again"));
}

}  // namespace

ChosenDevice choose_device(const DeviceRequest& request, const FindCudaDevices& find_cuda) {
    if (request.kind == DeviceKind::cpu) return {cpu_device(), ""};
    const CudaDevices cuda = find_cuda();
    if (request.kind == DeviceKind::emulated) return {emulated_device(request, cuda), ""};
    const bool any_real = std::ranges::find(cuda.all, DeviceKind::cuda, &Device::kind) != cuda.all.end();
    if (request.index && any_real) return {device_of_number(*request.index, cuda), ""};
    const FoundDevice found = first_usable(cuda);
    if (found.device) return {*found.device, ""};
    if (!request.kind) return {cpu_device(), found.why_none};
    const std::string asked = request.index ? fmt::format("cuda:{}", *request.index) : "cuda";
    throw MachineError(fmt::format("--device {}: {}; {}", asked, found.why_none, without_a_gpu));
}

}  // namespace cudabook
