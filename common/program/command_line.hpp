// The command line that all samples share, and the options that a program adds to it. CLI11 parses the
// command line; only the source file includes CLI11, because it takes long to compile.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/program/common_options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cudabook {

/// Further properties of an option. Value is int, unsigned, std::size_t, float, double or std::string.
template <class Value>
class Option {
  public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    /// Rejects a number if `good` returns false. The error message is "'NUMBER' is not a number KIND", where
    /// KIND is the text `kind`, such as "from 1 to 5".
    Option& that(const std::function<bool(Value)>& good,
                 const std::string& kind) requires std::is_arithmetic_v<Value>;

    /// The value must be in this range, both ends included.
    Option& in_range(Value least, Value most) requires std::is_arithmetic_v<Value>;

    /// The value must be neither infinite nor NaN.
    Option& finite() requires std::is_floating_point_v<Value>;

    Option& one_of(const std::vector<Value>& values);

    /// Sets the name of the value in --help.
    Option& type_name(const std::string& name);

    /// Lets --help show the current value of the option's variable.
    Option& show_default();

  private:
    CLI::Option* option_;
};

/// A program's options: the common options and the options that the program adds. The name of an option is
/// the text on the command line, such as --size; the name of a positional argument, such as SIZE_IN_MB, has
/// no dashes. Each option sets a variable, which must live until parse() has returned.
class CommandLine {
  public:
    CommandLine(const std::string& name, const std::string& what);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    template <class Value>
    Option<Value> option(const std::string& option, Value& value, const std::string& what);
    template <class Value>
    Option<Value> option(const std::string& option, std::optional<Value>& value, const std::string& what);
    void flag(const std::string& option, bool& given, const std::string& what);

    /// Allows at most one of these two options on the command line.
    void exclude(const std::string& option, const std::string& other);

    /// Lets --device name several devices, as in cuda:0,cuda:1.
    void allow_several_devices() { several_devices_ = true; }

    /// Sets the text at the end of --help.
    void footer(const std::string& text);

    /// Parses the command line. Returns nullopt if --help or --version was given and answered. Errors:
    /// UsageError.
    [[nodiscard]] std::optional<CommonOptions> parse(int argc, const char* const* argv);

    /// Returns true if the option was on the command line. Call this function after parse().
    [[nodiscard]] bool given(const std::string& option) const;

  private:
    std::unique_ptr<CLI::App> app_;
    CommonOptions options_;
    std::string device_ = "auto";
    std::string trace_block_ = "0,0";
    bool several_devices_ = false;
};

}  // namespace cudabook
