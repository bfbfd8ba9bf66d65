#include "common/program/counts.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace cudabook {

namespace {

double ratio(std::uint64_t number, double of) { return static_cast<double>(number) / of; }

/// A column of the table: its two lines of heading, and what stands in it; nothing if it is empty for all kernels.
struct Column {
    std::string first;
    std::string second;
    std::function<std::string(const KernelCounts&)> cell;
    std::function<bool(const Counts&)> any = [](const Counts&) { return true; };
};

void add_traffic_columns(std::vector<Column>& columns, const std::string& what, Traffic Counts::*traffic,
                         const std::optional<CountedWork>& work, bool shared) {
    const auto any = [=](const Counts& counts) { return (counts.*traffic).requests > 0; };
    const auto add = [&](const std::string& name, std::function<std::string(const KernelCounts&, const Traffic&)> text) {
        columns.push_back({what, name,
                           [=](const KernelCounts& kernel) {
                               const Traffic& t = kernel.counts.*traffic;
                               return t.requests == 0 ? std::string("-") : text(kernel, t);
                           },
                           any});
    };
    add("requests", [](const KernelCounts& kernel, const Traffic& t) {
        return fmt::format("{:.0f}", ratio(t.requests, static_cast<double>(kernel.launches)));
    });
    if (work)
        add("a " + work->element, [elements = work->elements](const KernelCounts&, const Traffic& t) {
            return fmt::format("{:.3g}", ratio(t.accesses, elements));
        });
    if (!shared) {
        add("sectors/request", [](const KernelCounts&, const Traffic& t) {
            return fmt::format("{:.2f}", ratio(t.parts, static_cast<double>(t.requests)));
        });
        add("ideal", [](const KernelCounts&, const Traffic& t) {
            return fmt::format("{:.2f}", ratio(t.bytes, 32.0 * static_cast<double>(t.requests)));
        });
    } else {
        add("wavefronts/request", [](const KernelCounts&, const Traffic& t) {
            return fmt::format("{:.2f}", ratio(t.parts, static_cast<double>(t.requests)));
        });
        add("conflicts", [](const KernelCounts& kernel, const Traffic& t) {
            return fmt::format("{:.0f}", ratio(t.conflicts, static_cast<double>(kernel.launches)));
        });
    }
}

void add_number_column(std::vector<Column>& columns, const std::string& first, const std::string& second,
                       std::uint64_t Counts::*number, double per) {
    columns.push_back({first, second,
                       [=](const KernelCounts& kernel) {
                           return fmt::format("{:.6g}",
                                              ratio(kernel.counts.*number,
                                                    per > 0 ? per : static_cast<double>(kernel.launches)));
                       },
                       [=](const Counts& counts) { return counts.*number > 0; }});
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
    for (const auto number : {&Counts::texture_requests, &Counts::texture_fetches, &Counts::texels,
                              &Counts::barriers, &Counts::shuffles})
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
    figures["texels"] = counts.texels;
    figures["barriers"] = counts.barriers;
    figures["shuffles"] = counts.shuffles;
    return figures;
}

std::string table_of(const std::string& title, const std::vector<KernelCounts>& kernels,
                     const std::optional<CountedWork>& work) {
    std::vector<Column> columns;
    columns.push_back({title, "", [](const KernelCounts& kernel) { return "  " + kernel.kernel; }});
    columns.push_back({"launches", "", [](const KernelCounts& kernel) { return fmt::format("{}", kernel.launches); }});
    add_traffic_columns(columns, "global loads", &Counts::global_load, work, false);
    add_traffic_columns(columns, "global stores", &Counts::global_store, work, false);
    add_traffic_columns(columns, "global atomics", &Counts::global_atomic, work, false);
    add_traffic_columns(columns, "shared loads", &Counts::shared_load, work, true);
    add_traffic_columns(columns, "shared stores", &Counts::shared_store, work, true);
    add_traffic_columns(columns, "shared atomics", &Counts::shared_atomic, work, true);
    add_number_column(columns, "texture", "requests", &Counts::texture_requests, 0);
    if (work) add_number_column(columns, "texels", "a " + work->element, &Counts::texels, work->elements);
    else add_number_column(columns, "texels", "", &Counts::texels, 0);
    add_number_column(columns, "barriers", "", &Counts::barriers, 0);
    add_number_column(columns, "shuffles", "", &Counts::shuffles, 0);
    std::erase_if(columns, [&](const Column& column) {
        return std::ranges::none_of(kernels, [&](const KernelCounts& kernel) { return column.any(kernel.counts); });
    });

    // The first line names groups of columns, the second each column.
    std::vector<std::string> lines(2 + kernels.size());
    for (auto group = columns.begin(); group != columns.end();) {
        const auto end = std::find_if(group, columns.end(), [&](const Column& c) { return c.first != group->first; });
        const std::string gap = group == columns.begin() ? "" : "  ";
        lines[0] += fmt::format("{:<{}}{}{}", "", lines[1].size() - lines[0].size(), gap, group->first);
        for (auto column = group; column != end; ++column) {
            std::vector<std::string> cells{column->second};
            for (const KernelCounts& kernel : kernels) cells.push_back(column->cell(kernel));
            std::size_t width = column + 1 == end && lines[0].size() > lines[1].size() + 2 ? lines[0].size() - lines[1].size() - gap.size() : 0;
            for (const std::string& cell : cells) width = std::max(width, cell.size());
            for (std::size_t row = 0; row < cells.size(); ++row)
                lines[row + 1] += gap + (column == columns.begin() ? fmt::format("{:<{}}", cells[row], width)
                                                                   : fmt::format("{:>{}}", cells[row], width));
        }
        group = end;
    }
    std::string text;
    for (const std::string& line : lines) text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    return text;
}

}  // namespace cudabook
