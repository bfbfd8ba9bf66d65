// The command line that all rooms have in common, and the way every program ends.
#pragma once

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/output_file.hpp"
#include "common/program/report.hpp"
#include "common/program/threads.hpp"

namespace cudabook {

/// What the options that every room has were given.
struct CommonOptions {
    DeviceRequest device;
    std::string kernel;  ///< empty: the default
    bool list_kernels = false;
    std::optional<std::string> json;  ///< a file, or "-" for stdout
    bool benchmark = false;
    bool quiet = false;

    [[nodiscard]] bool all_kernels() const { return kernel == "all"; }
    [[nodiscard]] bool json_on_stdout() const { return json == "-"; }
};

/// A program's options: the common ones, and those that it adds to app().
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& what) : app_(what, name) {
        app_.set_version_flag("--version", fmt::format("{} (cudabook) {}", name, CUDABOOK_VERSION));
        app_.set_help_flag("-h,--help", "Print this help and exit");
        app_.add_option("--device", device_, "auto (the first usable GPU, else the CPU), cpu, cuda or cuda:N")
            ->capture_default_str()
            ->type_name("DEVICE");
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

    [[nodiscard]] CLI::App& app() { return app_; }

    /// Reads the command line. Nothing: --help or --version was asked for, and answered. Errors: UsageError.
    [[nodiscard]] std::optional<CommonOptions> parse(int argc, const char* const* argv) {
        try {
            app_.parse(argc, argv);
            options_.device = parse_device(device_);
        } catch (const CLI::Success& asked) {
            app_.exit(asked);
            return std::nullopt;
        } catch (const CLI::ParseError& error) {
            std::string what = error.what();
            what = what.substr(0, what.find('\n'));
            throw UsageError(fmt::format("{}; see --help", what));
        }
        return options_;
    }

  private:
    CLI::App app_;
    CommonOptions options_;
    std::string device_ = "auto";
};

/// A CLI11 validator: the option is a number for which `good` holds; `kind` completes "is not a number …".
template <class Number, class Good>
CLI::Validator number_that(Good good, const std::string& kind) {
    return {[good, kind](std::string& text) -> std::string {
                Number number{};
                if (CLI::detail::lexical_cast(text, number) && good(number)) return {};
                return fmt::format("'{}' is not a number {}", text, kind);
            },
            kind};
}

/// A validator for numbers of a range, both ends included.
template <class Number>
CLI::Validator in_range(Number least, Number most) {
    return number_that<Number>([least, most](Number number) { return number >= least && number <= most; },
                               fmt::format("from {} to {}", least, most));
}

/// A validator for numbers that are neither infinite nor NaN.
inline CLI::Validator finite() {
    return number_that<float>([](float number) { return std::isfinite(number); }, "that is finite");
}

/// Throws MachineError unless all that was printed on stdout got there.
inline void check_stdout() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw MachineError(fmt::format("cannot write to stdout: {}", std::strerror(errno)));
}

/// The report's way out: the table on stdout unless that is taken or nothing shall be printed, the JSON where
/// it is asked for. The JSON file is opened at construction, so that one that cannot be written is known
/// before the work.
class ReportOutput {
  public:
    explicit ReportOutput(const CommonOptions& options)
        : quiet_(options.quiet), on_stdout_(options.json_on_stdout()) {
        if (options.json && !on_stdout_) file_.emplace(*options.json);
    }

    /// Errors: MachineError.
    void write(const Report& report) {
        if (on_stdout_)
            print(report.json().dump(2) + '\n');
        else if (!quiet_)
            print(report.text());
        if (file_) {
            file_->write(report.json().dump(2) + '\n');
            file_->commit();
        }
    }

  private:
    static void print(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        check_stdout();
    }

    bool quiet_;
    bool on_stdout_;
    std::optional<OutputFile> file_;
};

namespace detail {

/// While an object of it lives, a library that ends the process does so with the status of the machine's
/// errors: libgomp, where it cannot start a thread after start_threads(), would end it with status 1.
class ExitsAreTheMachines {
  public:
    ExitsAreTheMachines() {
        static const int handler = std::atexit([] {
            if (at_work) std::_Exit(static_cast<int>(ExitStatus::machine));
        });
        static_cast<void>(handler);
        at_work = true;
    }
    ExitsAreTheMachines(const ExitsAreTheMachines&) = delete;
    ExitsAreTheMachines& operator=(const ExitsAreTheMachines&) = delete;
    ~ExitsAreTheMachines() { at_work = false; }

  private:
    static inline bool at_work = false;
};

}  // namespace detail

/// Runs a program and gives what it throws as one line on stderr and the exit status that it means.
inline int run_program(std::string_view name, const std::function<ExitStatus()>& program) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other, not a death
    const auto fail = [name](const char* what, ExitStatus status) {
        fmt::print(stderr, "{}: {}\n", name, what);
        return static_cast<int>(status);
    };
    const detail::ExitsAreTheMachines guard;
    try {
        start_threads();
        const ExitStatus status = program();
        check_stdout();
        return static_cast<int>(status);
    } catch (const UsageError& error) {
        return fail(error.what(), ExitStatus::usage);
    } catch (const MachineError& error) {
        return fail(error.what(), ExitStatus::machine);
    } catch (const std::bad_alloc&) {
        return fail("out of memory; choose a smaller problem", ExitStatus::machine);
    } catch (const std::exception& error) {
        return fail(error.what(), ExitStatus::machine);
    }
}

/// A line on stderr for the user who asked nothing wrong but should know something.
inline void note(const CommonOptions& options, std::string_view sample, std::string_view text) {
    if (!options.quiet) fmt::print(stderr, "{}: {}\n", sample, text);
}

}  // namespace cudabook
