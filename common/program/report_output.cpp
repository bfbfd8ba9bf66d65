#include "common/program/report_output.hpp"

#include <cstdio>

#include "common/program/run_program.hpp"

namespace cudabook {

namespace {

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    check_stdout();
}

}  // namespace

ReportOutput::ReportOutput(const CommonOptions& options)
    : quiet_(options.quiet), on_stdout_(options.json_on_stdout()), summary_(options.summary) {
    if (options.json && !on_stdout_) file_.emplace(*options.json);
    if (!options.trace) return;
    trace_.emplace(*options.trace);
    tracing->begin(options.trace_options);
}

void ReportOutput::write(const Report& report) {
    if (trace_) {
        const std::string page = tracing->page(report.sample());
        if (page.empty()) throw MachineError("--trace: no kernel was launched");
        trace_->write(page);
    }
    if (on_stdout_)
        print(report.json() + '\n');
    else if (!quiet_)
        print(report.text());
    if (summary_) print(report.summary() + '\n');
    if (file_) {
        file_->write(report.json() + '\n');
        file_->commit();
    }
    if (trace_) trace_->commit();
}

}  // namespace cudabook
