#include "common/program/command_line.hpp"

#include <cmath>
#include <limits>

#include "common/program/errors.hpp"

namespace cudabook {

CommandLine::CommandLine(const std::string& name, const std::string& what) : app_(what, name) {
    app_.set_version_flag("--version", fmt::format("{} (cudabook) {}", name, CUDABOOK_VERSION));
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.add_option(
            "--device", device_,
            "auto (the first usable GPU, else the CPU), cpu, cuda, cuda:N, emulated (this program's GPU code "
            "on the CPU, as by an H200) or emulated:NAME (as by another GPU)")
        ->capture_default_str()
        ->type_name("DEVICE");
    app_.add_flag("--list-devices", options_.list_devices, "Print the devices, real and emulated, and exit");
    app_.add_option("--schedule", options_.schedule,
                    "Let an emulated GPU run blocks and threads in an order that depends on this number")
        ->check(in_range(0U, std::numeric_limits<unsigned>::max()))
        ->type_name("SEED");
    app_.add_flag(
        "--counters", options_.counters,
        "Count what each kernel asks of memory, on an emulated GPU: requests, sectors, bank conflicts");
    app_.add_option("--kernel", options_.kernel, "The kernel to run, or all of the device's kernels")
        ->type_name("NAME|all");
    app_.add_flag("--list-kernels", options_.list_kernels, "Print the kernels and exit");
    app_.add_option("--json", options_.json,
                    "Write the report as JSON; '-' is stdout, and then nothing else goes there")
        ->type_name("FILE|-");
    app_.add_flag("--benchmark", options_.benchmark,
                  "Check, then time each kernel beside the machine's ceilings");
    app_.add_flag("--quiet", options_.quiet, "Print errors only");
}

std::optional<CommonOptions> CommandLine::parse(int argc, const char* const* argv) {
    try {
        app_.parse(argc, argv);
        options_.device = parse_device(device_);
        options_.arguments.assign(argv, argv + argc);
    } catch (const CLI::Success& asked) {
        app_.exit(asked);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        std::string what = error.what();
        what = what.substr(0, what.find('\n'));
        throw UsageError(fmt::format("{}; see --help", what));
    }
    if (!options_.device.more_indices.empty() && !several_devices_)
        throw UsageError(fmt::format("--device '{}': this program uses one device", device_));
    if (options_.schedule && options_.device.kind != DeviceKind::emulated)
        throw UsageError(
            "--schedule: only an emulated GPU has an order that can be chosen; use it with --device "
            "emulated");
    if (options_.counters && options_.device.kind != DeviceKind::emulated)
        throw UsageError("--counters: only an emulated GPU counts; use it with --device emulated");
    if (options_.counters && options_.benchmark)
        throw UsageError("--counters: what is counted is not timed; leave out --benchmark");
    return options_;
}

CLI::Validator finite() {
    return number_that<float>([](float number) { return std::isfinite(number); }, "that is finite");
}

}  // namespace cudabook
