#include "common/program/counts.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace cudabook {

namespace {

using Row = std::vector<std::string>;

std::string ratio(std::uint64_t number, double of, int digits) {
    return fmt::format("{:.{}f}", static_cast<double>(number) / of, digits);
}

/// A few digits, also of a small number.
std::string per_element(std::uint64_t number, const std::optional<CountedWork>& work) {
    return work ? fmt::format("{:.3g}", static_cast<double>(number) / work->elements) : std::string();
}

/// The lines of a kernel: one for each kind of access that it made.
std::vector<Row> rows_of(const KernelCounts& kernel, const std::optional<CountedWork>& work) {
    std::vector<Row> rows;
    const auto launches = static_cast<double>(kernel.launches);
    const auto add_traffic = [&](const char* name, const Traffic& traffic, bool shared) {
        if (traffic.requests == 0) return;
        const auto requests = static_cast<double>(traffic.requests);
        rows.push_back({"", "", name, ratio(traffic.requests, launches, 0),
                        per_element(traffic.accesses, work),
                        ratio(traffic.parts, requests, 2) + (shared ? " wavefronts" : " sectors   "),
                        shared ? ratio(traffic.parts - traffic.conflicts, requests, 2)
                               : ratio(traffic.bytes, 32 * requests, 2),
                        shared ? ratio(traffic.conflicts, launches, 0) : ""});
    };
    const auto add_number = [&](const char* name, std::uint64_t number, std::uint64_t of_threads,
                                const Row& more) {
        if (number == 0) return;
        rows.push_back(
            {"", "", name, ratio(number, launches, 0), of_threads > 0 ? per_element(of_threads, work) : ""});
        rows.back().insert(rows.back().end(), more.begin(), more.end());
    };
    const Counts& counts = kernel.counts;
    add_traffic("global loads", counts.global_load, false);
    add_traffic("global stores", counts.global_store, false);
    add_traffic("global atomics", counts.global_atomic, false);
    add_traffic("shared loads", counts.shared_load, true);
    add_traffic("shared stores", counts.shared_store, true);
    add_traffic("shared atomics", counts.shared_atomic, true);
    add_number(
        "texture fetches", counts.texture_requests, counts.texture_fetches,
        {ratio(counts.texels, static_cast<double>(counts.texture_requests), 2) + " texels    ", "", ""});
    add_number("shuffles", counts.shuffles, 0, {"", "", ""});
    add_number("barriers", counts.barriers, 0, {"", "", ""});
    if (rows.empty()) rows.emplace_back(8);
    rows.front()[0] = "  " + kernel.kernel;
    rows.front()[1] = fmt::format("{}", kernel.launches);
    return rows;
}

/// Columns 0 and 2 are words, aligned left; the others are numbers.
std::string aligned(const std::vector<Row>& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const Row& row : table)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : table) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += i == 0 || i == 2 ? fmt::format("{:<{}}  ", row[i], widths[i])
                                     : fmt::format("{:>{}}  ", row[i], widths[i]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& more) {
    requests += more.requests;
    accesses += more.accesses;
    bytes += more.bytes;
    parts += more.parts;
    conflicts += more.conflicts;
    return *this;
}

Counts& Counts::operator+=(const Counts& more) {
    for (const auto traffic : {&Counts::global_load, &Counts::global_store, &Counts::global_atomic,
                               &Counts::shared_load, &Counts::shared_store, &Counts::shared_atomic})
        this->*traffic += more.*traffic;
    for (const auto number :
         {&Counts::texture_requests, &Counts::texture_fetches, &Counts::texels, &Counts::texture_tag_requests,
          &Counts::texture_sectors, &Counts::barriers, &Counts::shuffles})
        this->*number += more.*number;
    return *this;
}

std::vector<KernelCounts> take_counts() {
    return counted_so_far == nullptr ? std::vector<KernelCounts>() : counted_so_far();
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
    add_shared("shared_load", counts.shared_load);
    add_shared("shared_store", counts.shared_store);
    add_shared("shared_atomic", counts.shared_atomic);
    figures["texture_requests"] = counts.texture_requests;
    figures["texture_fetches"] = counts.texture_fetches;
    figures["texture_tag_requests"] = counts.texture_tag_requests;
    figures["texture_sectors"] = counts.texture_sectors;
    figures["texels"] = counts.texels;
    figures["barriers"] = counts.barriers;
    figures["shuffles"] = counts.shuffles;
    return figures;
}

std::string table_of(const std::vector<CountedResult>& results) {
    std::vector<Row> table;
    for (const auto& [name, kernels, work] : results) {
        table.push_back({name, "launches", "", "requests", work ? "per " + work->element : "",
                         "per request   ", "ideal", "conflicts"});
        for (const KernelCounts& kernel : kernels)
            for (Row& row : rows_of(kernel, work)) table.push_back(std::move(row));
    }
    return "Counted: requests of warps and what they take, in each launch; ideal: without gaps and "
           "conflicts.\n" +
           aligned(table);
}

}  // namespace cudabook
