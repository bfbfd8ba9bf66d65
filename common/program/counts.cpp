#include "common/program/counts.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "common/program/figures.hpp"
#include "common/program/text_table.hpp"
#include "common/program/trace.hpp"

namespace cudabook {

namespace {

std::string ratio(std::uint64_t number, double of, int digits) {
    return fmt::format("{:.{}f}", static_cast<double>(number) / of, digits);
}

/// The lines of a kernel: one for each kind of access that it made.
class KernelLines {
  public:
    KernelLines(TextTable& table, const KernelCounts& kernel, const std::optional<CountedWork>& work)
        : table_(table), launches_(static_cast<double>(kernel.launches)), work_(work) {}

    void add_global(const char* name, const Traffic& traffic) {
        if (traffic.requests == 0) return;
        add({.name = name, .requests = traffic.requests, .accesses = traffic.accesses},
            {traffic.parts, "sectors   ", static_cast<double>(traffic.bytes) / 32}, "");
    }
    void add_shared(const char* name, const Traffic& traffic) {
        if (traffic.requests == 0) return;
        add({.name = name, .requests = traffic.requests, .accesses = traffic.accesses},
            {traffic.parts, "wavefronts", static_cast<double>(traffic.parts - traffic.conflicts)},
            ratio(traffic.conflicts, launches_, 0));
    }
    void add_constant(const Traffic& traffic) {
        if (traffic.requests == 0) return;
        add({.name = "constant loads", .requests = traffic.requests, .accesses = traffic.accesses},
            {traffic.parts, "addresses ", static_cast<double>(traffic.requests)}, "");
    }
    void add_texture(const Counts& counts) {
        if (counts.texture_requests == 0) return;
        const Requests requests{"texture fetches", counts.texture_requests, counts.texture_fetches};
        if (counts.texture_sectors > 0)
            add(requests,
                {counts.texture_sectors, "sectors   ", static_cast<double>(counts.texture_bytes) / 32}, "");
        else  // the places of the texels in memory are unknown
            add(requests, {counts.texels, "texels    ", static_cast<double>(counts.texels)}, "");
    }
    void add_number(const char* name, std::uint64_t number) {
        if (number > 0) table_.add({in_column(name), ratio(number, launches_, 0)});
    }

  private:
    struct Requests {
        const char* name;
        std::uint64_t requests;
        std::uint64_t accesses;
    };
    struct Parts {
        std::uint64_t taken;
        const char* unit;
        double ideal;
    };

    /// The rows of a kernel stand to the right of its name.
    static std::string in_column(const char* name) { return std::string("    ") + name; }

    void add(const Requests& what, const Parts& parts, const std::string& conflicts) {
        const auto requests = static_cast<double>(what.requests);
        const auto accesses = static_cast<double>(what.accesses);
        table_.add({in_column(what.name), ratio(what.requests, launches_, 0),
                    fmt::format("{:.1f}", accesses / requests),
                    work_ ? fmt::format("{:.3g}", accesses / work_->elements) : "",
                    fmt::format("{} {}", ratio(parts.taken, requests, 2), parts.unit),
                    fmt::format("{:.2f}", parts.ideal / requests), conflicts});
    }

    TextTable& table_;
    double launches_;
    const std::optional<CountedWork>& work_;
};

void add_kernel(TextTable& to, const KernelCounts& kernel, const std::optional<CountedWork>& work) {
    to.add_line(
        fmt::format("  {}, {} launch{}", kernel.kernel, kernel.launches, kernel.launches == 1 ? "" : "es"));
    KernelLines lines(to, kernel, work);
    const Counts& counts = kernel.counts;
    lines.add_global("global loads", counts.global_load);
    lines.add_global("global stores", counts.global_store);
    lines.add_global("global atomics", counts.global_atomic);
    lines.add_shared("shared loads", counts.shared_load);
    lines.add_shared("shared stores", counts.shared_store);
    lines.add_shared("shared atomics", counts.shared_atomic);
    lines.add_constant(counts.constant_load);
    lines.add_texture(counts);
    lines.add_global("surface loads", counts.surface_load);
    lines.add_global("surface stores", counts.surface_store);
    lines.add_number("shuffles", counts.shuffles);
    lines.add_number("barriers", counts.barriers);
}

}  // namespace

std::vector<KernelCounts> take_counts(const std::string& result) {
    if (tracing != nullptr) tracing->end_run(result);
    return counted_so_far == nullptr ? std::vector<KernelCounts>() : counted_so_far();
}

void forget_counts() {
    if (tracing != nullptr) tracing->forget();
    if (counted_so_far != nullptr) counted_so_far();
}

Figures figures_of(const KernelCounts& kernel) {
    Figures figures{{"kernel", kernel.kernel}, {"launches", kernel.launches}};
    const Counts& counts = kernel.counts;
    const auto add_global = [&](const std::string& name, const Traffic& traffic) {
        figures[name + "_requests"] = traffic.requests;
        figures[name + "_sectors"] = traffic.parts;
        figures[name + "_accesses"] = traffic.accesses;
        figures[name + "_bytes"] = traffic.bytes;
    };
    const auto add_shared = [&](const std::string& name, const Traffic& traffic) {
        figures[name + "_requests"] = traffic.requests;
        figures[name + "_wavefronts"] = traffic.parts;
        figures[name + "_bank_conflicts"] = traffic.conflicts;
        figures[name + "_accesses"] = traffic.accesses;
        figures[name + "_bytes"] = traffic.bytes;
    };
    add_global("global_load", counts.global_load);
    add_global("global_store", counts.global_store);
    add_global("global_atomic", counts.global_atomic);
    add_global("surface_load", counts.surface_load);
    add_global("surface_store", counts.surface_store);
    add_shared("shared_load", counts.shared_load);
    add_shared("shared_store", counts.shared_store);
    add_shared("shared_atomic", counts.shared_atomic);
    figures["constant_load_requests"] = counts.constant_load.requests;
    figures["constant_load_addresses"] = counts.constant_load.parts;
    figures["constant_load_accesses"] = counts.constant_load.accesses;
    figures["constant_load_bytes"] = counts.constant_load.bytes;
    figures["texture_requests"] = counts.texture_requests;
    figures["texture_fetches"] = counts.texture_fetches;
    figures["texture_bytes"] = counts.texture_bytes;
    figures["texture_tag_requests"] = counts.texture_tag_requests;
    figures["texture_sectors"] = counts.texture_sectors;
    figures["texels"] = counts.texels;
    figures["barriers"] = counts.barriers;
    figures["shuffles"] = counts.shuffles;
    return figures;
}

std::string table_of(const std::vector<CountedResult>& results) {
    if (results.empty()) return "";
    // All results are of one program, which has one name for its elements.
    const std::optional<CountedWork>& work = results.front().work;
    TextTable table({"    ", "requests", "threads", work ? "per " + work->element : "", "per request   ",
                     "ideal", "conflicts"},
                    1);
    for (const CountedResult& result : results) {
        table.add_line(result.name);
        for (const KernelCounts& kernel : result.kernels) add_kernel(table, kernel, result.work);
    }
    return "All numbers are per launch. A request is the accesses of a warp's threads by one instruction, at "
           "best of all 32.\nIdeal: the number if the bytes had no gaps and there were no bank conflicts.\n" +
           table.text();
}

}  // namespace cudabook
