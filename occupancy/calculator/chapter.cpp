// The printed numbers are written down here; the calculated numbers come from xe_lp.hpp.
#include "occupancy/calculator/chapter.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/program/text_table.hpp"
#include "occupancy/calculator/xe_lp.hpp"

namespace cudabook::occupancy {

namespace {

/// A row of the comparison: a value as the chapter prints it, and the same value as calculated here.
struct Row {
    std::string_view table;
    std::string what;
    std::string printed;
    std::string calculated;
    std::string slip = {};  ///< the right value, if the printed value is wrong
};

/// Returns a percentage with `digits` decimals, as the chapter prints it.
std::string percent(double part, double whole, int digits = 1) {
    return fmt::format("{:.{}f}%", 100 * part / whole, digits);
}

void add_resources(std::vector<Row>& rows) {
    const auto add = [&](const char* what, const char* printed, int calculated) {
        rows.push_back({"resources", what, printed, fmt::format("{}", calculated)});
    };
    add("threads of an Xe-core", "112", XeLp::threads_of_core);
    add("lanes of an Xe-core", "896", XeLp::threads_of_core * XeLp::operations);
    add("threads in all", "672", XeLp::threads);
    add("lanes in all", "5376", XeLp::threads * XeLp::operations);
    add("threads of the largest group, in sub-groups of 8", "64", XeLp::most_work_items / XeLp::operations);
}

/// The configuration that fills the GPU: the largest group, in the smallest and the largest sub-groups.
void add_largest_groups(std::vector<Row>& rows) {
    const CalculatedGpu gpu = xe_lp();
    int size = 8;
    while (gpu.calculate({.threads = size + 8, .lanes = 8})->blocks > 0) size += 8;
    const auto add = [&](const char* what, const char* printed, int calculated) {
        rows.push_back({"configuration", what, printed, fmt::format("{}", calculated)});
    };
    add("work-items of the largest group", "512", size);
    add("its threads, in sub-groups of 8", "64", size / 8);
    add("its threads, in sub-groups of 32", "16", size / 32);
}

/// Groups of 128 R work-items with a barrier, in sub-groups of 8.
void add_groups_with_barrier(std::vector<Row>& rows) {
    struct Printed {
        const char* size;
        const char* utilisation;
        int digits;
        const char* occupancy;
        const char* slip;
    };
    constexpr Printed printed[] = {{"128", "14%", 0, "100% with 7", ""},
                                   {"128x2", "28.6%", 1, "86% with 3", ""},
                                   {"128x4", "42.9%", 1, "86% with 2", "128x3"},
                                   {"128x4", "57%", 0, "57% with 1", ""}};
    const CalculatedGpu gpu = xe_lp();
    int r = 0;
    for (const Printed& row : printed) {
        ++r;
        const Held held = *gpu.calculate({.threads = 128 * r, .lanes = 8});
        const int of_group = held.warps / held.blocks;
        const std::string what = fmt::format("R = {}", r);
        rows.push_back(
            {"barrier", what + ", group", row.size, r == 1 ? "128" : fmt::format("128x{}", r), row.slip});
        rows.push_back({"barrier", what + ", one group", row.utilisation,
                        percent(of_group, XeLp::threads_of_core, row.digits)});
        rows.push_back(
            {"barrier", what + ", occupancy", row.occupancy,
             fmt::format("{} with {}", percent(held.warps, XeLp::threads_of_core, 0), held.blocks)});
    }
    const Held held = *gpu.calculate({.threads = 128 * 5, .lanes = 8});
    rows.push_back({"barrier", "R > 4", "fails to start", held.blocks == 0 ? "fails to start" : "starts"});
}

/// Returns the occupancy of the whole GPU: first with as many groups as it holds, then with the rest.
std::string in_waves(int groups, int threads_of_group, int digits) {
    const int threads = groups * threads_of_group;
    if (threads <= XeLp::threads) return percent(threads, XeLp::threads, digits);
    if (threads % XeLp::threads == 0) return "100%";
    return fmt::format("100% then {}", percent(threads % XeLp::threads, XeLp::threads, digits));
}

/// VectorAdd1: the compiler chose groups of 512 work-items in sub-groups of 32.
void add_vector_add1(std::vector<Row>& rows) {
    constexpr int groups = 53760;
    const Held held = *xe_lp().calculate({.threads = 512, .lanes = 32});
    const int of_group = held.warps / held.blocks;
    rows.push_back({"VectorAdd1", "work-items", "27.5M", fmt::format("{:.1f}M", groups * 512 / 1e6)});
    rows.push_back({"VectorAdd1", "threads of a group", "16", fmt::format("{}", of_group)});
    rows.push_back({"VectorAdd1", "threads", "860K", fmt::format("{:.0f}K", groups * of_group / 1e3)});
    rows.push_back({"VectorAdd1", "occupancy", "100%", in_waves(groups, of_group, 0)});
}

/// VectorAdd2: groups of 512 work-items in sub-groups of 32.
void add_vector_add2(std::vector<Row>& rows) {
    struct Printed {
        int groups;
        const char* occupancy;
        const char* slip;
    };
    constexpr Printed printed[] = {{1, "2.4%", ""},
                                   {2, "4.8%", ""},
                                   {3, "7.1%", ""},
                                   {4, "9.5%", ""},
                                   {5, "11.9%", ""},
                                   {6, "14.3%", ""},
                                   {7, "16.7%", ""},
                                   {8, "19%", ""},
                                   {12, "28.6%", ""},
                                   {16, "38.1%", ""},
                                   {20, "47.7%", "47.6%"},
                                   {24, "57.1%", ""},
                                   {28, "66.7%", ""},
                                   {32, "76.2%", ""},
                                   {36, "85.7%", ""},
                                   {40, "95.2%", ""},
                                   {42, "100%", ""},
                                   {44, "100% then 4.7%", "100% then 4.8%"},
                                   {48, "100% then 14.3%", ""}};
    rows.push_back({"VectorAdd2", "work-items of a group, in the text", "51",
                    fmt::format("{}", XeLp::most_work_items), "512"});
    const Held held = *xe_lp().calculate({.threads = 512, .lanes = 32});
    const int of_group = held.warps / held.blocks;
    for (const Printed& row : printed) {
        const bool whole = std::string_view(row.occupancy).find('.') == std::string_view::npos;
        rows.push_back({"VectorAdd2", fmt::format("{} group{}", row.groups, row.groups == 1 ? "" : "s"),
                        row.occupancy, in_waves(row.groups, of_group, whole ? 0 : 1), row.slip});
    }
}

/// VectorAdd3 and VectorAdd4: 8 groups of 320 work-items in sub-groups of 8.
void add_phases(std::vector<Row>& rows) {
    constexpr int threads = 320 / 8;
    const auto shown = [](const Phase& phase) {
        return fmt::format("{} threads, {}", phase.threads, percent(phase.threads, XeLp::threads));
    };
    const auto add = [&](const char* table, const char* what, const char* printed, const Phase& phase,
                         const char* slip = "") {
        rows.push_back({table, what, printed, shown(phase), slip});
    };
    std::vector<Phase> lasting;
    for (const Phase& phase : xe_lp_phases(8, threads, false))
        if (phase.lasts()) lasting.push_back(phase);
    lasting.resize(2);
    add("VectorAdd3", "first phase", "224 threads, 33.3%", lasting[0]);
    add("VectorAdd3", "second phase", "96 threads, 14.3%", lasting[1]);
    std::vector<Phase> phases = xe_lp_phases(8, threads, true);
    phases.resize(phases.size() < 2 ? 2 : phases.size());
    add("VectorAdd4", "all groups", "304 threads, 45.3%", phases[0], "304 threads, 45.2%");
    add("VectorAdd4", "a group has ended", "264 threads, 39.3%", phases[1]);
    Phase last;
    for (const Phase& phase : phases)
        if (phase.lasts()) last = phase;
    add("VectorAdd4", "the last two groups", "80 threads, 11.9%", last);
    // 24 groups of 224 work-items: the number of threads of a group divides the number of threads of a core.
    for (const bool barrier : {false, true}) {
        const Phase first = xe_lp_phases(24, 224 / 8, barrier).front();
        rows.push_back({barrier ? "VectorAdd4" : "VectorAdd3", "24 groups of 224", "nearly 100%",
                        "nearly " + percent(first.threads, XeLp::threads, 0)});
    }
}

}  // namespace

ChapterTables chapter_tables() {
    std::vector<Row> rows;
    add_resources(rows);
    add_largest_groups(rows);
    add_groups_with_barrier(rows);
    add_vector_add1(rows);
    add_vector_add2(rows);
    add_phases(rows);

    ChapterTables tables;
    TextTable text({"table", "case", "printed", "calculated", ""});
    for (const Row& row : rows) {
        const bool ok = row.calculated == (row.slip.empty() ? row.printed : row.slip);
        const std::string note = !ok ? "NOT what is printed" : row.slip.empty() ? "" : "a slip of the pen";
        tables.ok = tables.ok && ok;
        text.add({std::string(row.table), row.what, row.printed, row.calculated, note});
        tables.rows.push_back({{"table", row.table},
                               {"case", row.what},
                               {"printed", row.printed},
                               {"calculated", row.calculated},
                               {"note", note},
                               {"ok", ok}});
    }
    tables.text = text.text();
    return tables;
}

}  // namespace cudabook::occupancy
