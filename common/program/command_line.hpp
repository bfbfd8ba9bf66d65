// The command line that all samples share. Include it only where a program adds its own options: CLI11 takes
// long to compile.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/program/common_options.hpp"

namespace cudabook {

/// A program's options: the common ones, and those that it adds to app().
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& what);

    [[nodiscard]] CLI::App& app() { return app_; }

    /// --device may name several: cuda:0,cuda:1.
    void allow_several_devices() { several_devices_ = true; }

    /// Parses the command line. Empty if --help or --version was given and answered. Errors: UsageError.
    [[nodiscard]] std::optional<CommonOptions> parse(int argc, const char* const* argv);

  private:
    CLI::App app_;
    CommonOptions options_;
    std::string device_ = "auto";
    bool several_devices_ = false;
};

/// A CLI11 validator: the option must be a number for which `good` holds; `kind` completes the message "is
/// not a number …".
template <class Number, class Good>
CLI::Validator number_that(Good good, const std::string& kind) {
    return {[good, kind](std::string& text) -> std::string {
                Number number{};
                if (CLI::detail::lexical_cast(text, number) && good(number)) return {};
                return fmt::format("'{}' is not a number {}", text, kind);
            },
            kind};
}

/// A validator for a range, both ends included.
template <class Number>
CLI::Validator in_range(Number least, Number most) {
    return number_that<Number>([least, most](Number number) { return number >= least && number <= most; },
                               fmt::format("from {} to {}", least, most));
}

/// A validator for numbers that are neither infinite nor NaN.
CLI::Validator finite();

}  // namespace cudabook
