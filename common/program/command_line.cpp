#include "common/program/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/program/errors.hpp"
#include "common/program/language.hpp"
#include "common/program/version.hpp"

namespace cudabook {

namespace {

/// A name, then its description at `column`, or on the next line if the name is too long.
std::string in_two_columns(const std::string& name, const std::string& what, std::size_t column) {
    const std::size_t used = terminal_columns(name);
    const std::string space(column - (used < column ? used : 0), ' ');
    return name + (used < column ? "" : "\n") + space + what + '\n';
}

/// --help in Chinese. CLI11 itself would count a character's bytes as columns.
class ChineseHelp : public CLI::Formatter {
  public:
    ChineseHelp() {
        for (const char* word : {"Usage", "OPTIONS", "POSITIONALS", "Positionals", "Excludes"})
            label(word, in_language_of_user(word));
    }

    std::string make_group(std::string group, bool is_positional,
                           std::vector<const CLI::Option*> options) const override {
        return CLI::Formatter::make_group(in_language_of_user(group), is_positional, std::move(options));
    }

    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return in_two_columns("  " + make_option_name(option, is_positional) + make_option_opts(option),
                              make_option_desc(option), get_column_width());
    }

    /// A line of the footer is plain text, or a name followed by two or more spaces and its description.
    std::string make_footer(const CLI::App* app) const override {
        std::istringstream lines(app->get_footer());
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
            const std::size_t end = line.find("  ", begin);
            const std::size_t what = line.find_first_not_of(' ', end);
            if (what == std::string::npos)
                text += in_language_of_user(line) + '\n';
            else
                text += in_two_columns(
                    line.substr(0, begin) + in_language_of_user(line.substr(begin, end - begin)),
                    in_language_of_user(line.substr(what)), what);
        }
        return text.empty() ? text : text + '\n';
    }
};

/// Returns an option. --help calls its value by CLI11's name of the type: INT, UINT, FLOAT or TEXT.
template <class Value>
Option<Value> added(CLI::Option& option) {
    option.type_name(in_language_of_user(option.get_type_name()));
    return Option<Value>(option);
}

}  // namespace

template <class Value>
Option<Value>& Option<Value>::that(const std::function<bool(Value)>& good,
                                   const std::string& kind) requires std::is_arithmetic_v<Value> {
    option_->check({[good, kind](const std::string& text) -> std::string {
                        Value number{};
                        if (CLI::detail::lexical_cast(text, number) && good(number)) return {};
                        return fmt::format("'{}' is not a number {}", text, kind);
                    },
                    in_language_of_user(kind)});
    return *this;
}

template <class Value>
Option<Value>& Option<Value>::in_range(Value least, Value most) requires std::is_arithmetic_v<Value> {
    return that([least, most](Value number) { return number >= least && number <= most; },
                fmt::format("from {} to {}", least, most));
}

template <class Value>
Option<Value>& Option<Value>::finite() requires std::is_floating_point_v<Value> {
    return that([](Value number) { return std::isfinite(number); }, "that is finite");
}

template <class Value>
Option<Value>& Option<Value>::one_of(const std::vector<Value>& values) {
    option_->check(CLI::IsMember(values));
    return *this;
}

template <class Value>
Option<Value>& Option<Value>::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

template <class Value>
Option<Value>& Option<Value>::show_default() {
    option_->capture_default_str();
    return *this;
}

template <class Value>
Option<Value> CommandLine::option(const std::string& option, Value& value, const std::string& what) {
    return added<Value>(*app_->add_option(option, value, in_language_of_user(what)));
}

template <class Value>
Option<Value> CommandLine::option(const std::string& option, std::optional<Value>& value,
                                  const std::string& what) {
    return added<Value>(*app_->add_option(option, value, in_language_of_user(what)));
}

void CommandLine::flag(const std::string& option, bool& given, const std::string& what) {
    app_->add_flag(option, given, in_language_of_user(what));
}

void CommandLine::exclude(const std::string& option, const std::string& other) {
    app_->get_option(option)->excludes(app_->get_option(other));
}

void CommandLine::footer(const std::string& text) { app_->footer(text); }

bool CommandLine::given(const std::string& option) const { return app_->count(option) > 0; }

CommandLine::CommandLine(const std::string& name, const std::string& what)
    : app_(std::make_unique<CLI::App>(in_language_of_user(what), name)) {
    if (chinese_is_wanted()) app_->formatter(std::make_shared<ChineseHelp>());
    app_->set_version_flag("--version", fmt::format("{} (cudabook) {}", name, version_and_commit),
                           in_language_of_user("Display program version information and exit"));
    app_->set_help_flag("-h,--help", in_language_of_user("Print this help and exit"));
    option("--device", device_,
           "auto (the first usable GPU, else the CPU), cpu, cuda, cuda:N, emulated (this program's GPU code "
           "on the CPU, as by an H200) or emulated:NAME (as by another GPU)")
        .show_default()
        .type_name("DEVICE");
    flag("--list-devices", options_.list_devices, "Print the devices, real and emulated, and exit");
    option("--schedule", options_.schedule,
           "Let an emulated GPU run blocks and threads in an order that depends on this number")
        .in_range(0U, std::numeric_limits<unsigned>::max())
        .type_name("SEED");
    flag("--counters", options_.counters,
         "On an emulated GPU: count each kernel's memory requests, sectors and bank conflicts");
    flag("--predict", options_.predict,
         "On an emulated GPU: predict how long each kernel would take on the real GPU, and what limits it");
    option("--predict-registers", options_.registers,
           "The registers of a thread that --predict is to assume; nvcc -Xptxas -v prints them; default: 32")
        .in_range(1U, 255U)
        .type_name("N");
    option("--trace", options_.trace,
           "Write a page for a browser: each request of the warps of one block, on an emulated GPU")
        .type_name("FILE.html");
    option("--trace-block", trace_block_, "The block that is traced").type_name("X[,Y[,Z]]").show_default();
    option("--trace-warps", options_.trace_options.warps, "How many of its warps are traced")
        .in_range(1U, 32U)
        .show_default();
    option("--trace-limit", options_.trace_options.limit, "The most requests that are traced")
        .in_range(std::size_t{1}, std::size_t{100'000'000})
        .show_default();
    option("--kernel", options_.kernel,
           "The kernel to run, several between commas, or all of the device's kernels")
        .type_name("NAME[,NAME...]|all");
    flag("--list-kernels", options_.list_kernels, "Print the kernels and exit");
    option("--json", options_.json, "Write the report as JSON; '-' writes it, and nothing else, to stdout")
        .type_name("FILE|-");
    flag("--summary", options_.summary,
         "End with one line, its columns between tabs: program, device, number of kernels, how many results "
         "are right, the fastest kernel, its time");
    flag("--benchmark", options_.benchmark, "Check, then time each kernel beside the machine's ceilings");
    flag("--quiet", options_.quiet, "Print errors only, and what --summary asks for");
}

CommandLine::~CommandLine() = default;

std::optional<CommonOptions> CommandLine::parse(int argc, const char* const* argv) {
    try {
        app_->parse(argc, argv);
        options_.device = parse_device(device_);
        options_.arguments.assign(argv, argv + argc);
        options_.trace_options.block = parse_block(trace_block_, "--trace-block");
    } catch (const CLI::Success& asked) {
        app_->exit(asked);
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
    if (options_.predict && options_.device.kind != DeviceKind::emulated)
        throw UsageError("--predict: only an emulated GPU predicts; use it with --device emulated");
    if (options_.predict && options_.benchmark)
        throw UsageError(
            "--predict: kernels are not timed while their times are predicted; leave out --benchmark");
    for (const char* option :
         {"--window", "--script", "--png", "--png-every", "--video", "--checkpoint", "--checkpoint-every"})
        if (options_.runs_some_blocks() && app_->get_option_no_throw(option) != nullptr && given(option))
            throw UsageError(fmt::format(
                "{}: --predict runs only a part of the blocks; with --counters, all run", option));
    if (options_.registers && !options_.predict)
        throw UsageError("--predict-registers: nothing is predicted; use it with --predict");
    for (const char* option : {"--trace-block", "--trace-warps", "--trace-limit"})
        if (given(option) && !options_.trace)
            throw UsageError(fmt::format("{}: nothing is traced; use it with --trace FILE.html", option));
    if (options_.summary && options_.json_on_stdout())
        throw UsageError("--summary: the JSON is on stdout; use it with --json FILE");
    if (options_.trace && options_.device.kind != DeviceKind::emulated)
        throw UsageError("--trace: only an emulated GPU can be watched; use it with --device emulated");
    if (options_.trace && options_.benchmark)
        throw UsageError("--trace: kernels are not timed while they are traced; leave out --benchmark");
    if (options_.counters && options_.benchmark)
        throw UsageError("--counters: kernels are not timed while they are counted; leave out --benchmark");
    return options_;
}

template class Option<int>;
template class Option<unsigned>;
template class Option<std::size_t>;
template class Option<float>;
template class Option<double>;
// An instantiation of the whole class would make clang++ 14 instantiate the functions for numbers too.
template Option<std::string>& Option<std::string>::one_of(const std::vector<std::string>&);
template Option<std::string>& Option<std::string>::type_name(const std::string&);
template Option<std::string>& Option<std::string>::show_default();
template Option<int> CommandLine::option(const std::string&, int&, const std::string&);
template Option<int> CommandLine::option(const std::string&, std::optional<int>&, const std::string&);
template Option<unsigned> CommandLine::option(const std::string&, unsigned&, const std::string&);
template Option<unsigned> CommandLine::option(const std::string&, std::optional<unsigned>&,
                                              const std::string&);
template Option<std::size_t> CommandLine::option(const std::string&, std::size_t&, const std::string&);
template Option<std::size_t> CommandLine::option(const std::string&, std::optional<std::size_t>&,
                                                 const std::string&);
template Option<float> CommandLine::option(const std::string&, float&, const std::string&);
template Option<float> CommandLine::option(const std::string&, std::optional<float>&, const std::string&);
template Option<double> CommandLine::option(const std::string&, double&, const std::string&);
template Option<double> CommandLine::option(const std::string&, std::optional<double>&, const std::string&);
template Option<std::string> CommandLine::option(const std::string&, std::string&, const std::string&);
template Option<std::string> CommandLine::option(const std::string&, std::optional<std::string>&,
                                                 const std::string&);

}  // namespace cudabook
