// --trace as a user sees it: programs as processes, and the content of the page. The page itself is tested in
// a browser (trace_page/test_page.py).
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::Words;
using test::operator+;  // NOLINT(misc-unused-using-decls): it is used

void expect_error(const Words& arguments, int status, const Words& words) {
    test::expect_error("heat_notexture", test::run("heat_notexture", arguments), status, words,
                       shown(arguments));
}

TEST(CliTrace, NeedsAnEmulatedGpu) {
    for (const char* device : {"auto", "cpu", "cuda"})
        expect_error({"--headless", "--trace", "t.html", "--device", device}, 2,
                     {"--trace", "--device emulated"});
    expect_error({"--trace", "t.html", "--device", "emulated", "--benchmark"}, 2, {"--trace", "--benchmark"});
}

TEST(CliTrace, OptionsThatAreWrong) {
    const Words trace{"--headless", "--device", "emulated", "--trace", "t.html"};
    for (const char* block : {"", "x", "1,", "1,2,3,4", "-1", "1;2", "99999999999"})
        expect_error(trace + Words{"--trace-block", block}, 2, {"--trace-block"});
    for (const char* warps : {"0", "33", "many"})
        expect_error(trace + Words{"--trace-warps", warps}, 2, {"--trace-warps"});
    expect_error(trace + Words{"--trace-limit", "0"}, 2, {"--trace-limit"});
    for (const char* option : {"--trace-block", "--trace-warps", "--trace-limit"})
        expect_error({"--headless", "--device", "emulated", option, "1"}, 2, {option, "--trace FILE"});
}

/// The JSON in the page.
json trace_in(const std::filesystem::path& file) {
    std::ifstream stream(file);
    const std::string page{std::istreambuf_iterator<char>(stream), {}};
    const std::string begin = R"(<script id="trace" type="application/json">)";
    const std::size_t at = page.find(begin);
    if (at == std::string::npos) return {};
    const std::size_t from = at + begin.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from), nullptr, false);
}

/// The counters, calculated from the steps of a launch.
std::map<std::string, std::int64_t> sums_of(const json& launch) {
    static const char* const names[] = {"global_load",   "global_store",  "global_atomic", "shared_load",
                                        "shared_store",  "shared_atomic", "texture",       "texture",
                                        "constant_load", "surface_load",  "surface_store"};
    static const char* const parts[] = {"_sectors",    "_sectors",    "_sectors", "_wavefronts",
                                        "_wavefronts", "_wavefronts", "_sectors", "_sectors",
                                        "_addresses",  "_sectors",    "_sectors"};
    std::map<std::string, std::int64_t> sums;
    std::int64_t barriers = 0;
    for (const json& warp : launch["warps"]) {
        std::int64_t of_warp = 0;
        for (const json& step : warp) {
            const std::size_t kind = step[0];
            const std::int64_t lanes = std::popcount(static_cast<std::uint32_t>(step[2].get<std::int64_t>()));
            if (kind == 11) ++sums["shuffles"];
            if (kind == 12) ++of_warp;
            if (kind > 10) continue;
            const std::string name = names[kind];
            const bool is_fetch = name == "texture";
            const std::int64_t texels = step.size() > 7 ? lanes * step[7].get<std::int64_t>() : lanes;
            ++sums[name + "_requests"];
            sums[name + parts[kind]] += step[4].get<std::int64_t>();
            sums[name + (is_fetch ? "_fetches" : "_accesses")] += lanes;
            sums[name + "_bytes"] += texels * step[3].get<std::int64_t>();
            if (is_fetch) sums["texels"] += texels;
            if (is_fetch) sums["texture_tag_requests"] += step[5].get<std::int64_t>();
            if (kind >= 3 && kind <= 5) sums[name + "_bank_conflicts"] += step[5].get<std::int64_t>();
        }
        barriers = std::max(barriers, of_warp);
    }
    sums["barriers"] += barriers;
    return sums;
}

class CliTraced : public testing::Test {
  protected:
    void SetUp() override {
        if (CUDABOOK_HAS_COUNTERS == 0) GTEST_SKIP() << "this build has no programs that count";
    }

    [[nodiscard]] std::filesystem::path page() const { return folder_.path() / "trace.html"; }
    [[nodiscard]] Words traced(const Words& more) const {
        return Words{"--device", "emulated", "--trace", page().string()} + more;
    }
    /// Runs the program and returns its trace.
    json trace_of(const std::string& program, const Words& arguments, const Words& environment = {}) const {
        const Ending ending = test::run(program, traced(arguments), {.unset = {}, .set = environment});
        EXPECT_EQ(ending.status, 0) << program << ' ' << shown(arguments) << '\n' << ending.err;
        return trace_in(page());
    }

    static Words heat(const char* size, const char* kernel) {
        return {"--headless", "--width",           size, "--height", size,  "--frames",
                "1",          "--steps-per-frame", "3",  "--kernel", kernel};
    }

    test::TemporaryFolder folder_;
};

// With a grid of one block, the trace contains all that is counted.
TEST_F(CliTraced, SumsAreThoseOfTheCounters) {
    const std::pair<const char*, Words> programs[] = {
        {"heat_notexture", heat("16", "all")},
        {"heat", heat("16", "all")},
        {"matmul", {"--size", "16", "--kernel", "all"}},
    };
    for (const auto& [program, arguments] : programs) {
        const Ending ending = test::run(program, traced(arguments + Words{"--counters", "--json", "-"}));
        ASSERT_EQ(ending.status, 0) << program << '\n' << ending.err;
        const json report = json::parse(ending.out, nullptr, false);
        const json trace = trace_in(page());
        ASSERT_EQ(trace["runs"].size(), report["results"].size()) << program;
        EXPECT_EQ(trace["cut"], false);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < report["results"].size(); ++i) {
            const json& run = trace["runs"][i];
            EXPECT_EQ(run["name"], report["results"][i]["kernel"]);
            std::map<std::string, std::map<std::string, std::int64_t>> of_kernel;
            std::set<std::string> larger;  // grids of several blocks
            for (const json& launch : run["launches"]) {
                if (launch["grid"] != json{1, 1, 1}) larger.insert(launch["kernel"]);
                for (const auto& [name, sum] : sums_of(launch)) {
                    EXPECT_EQ(launch["counters"].value(name, 0), sum) << launch["kernel"] << ' ' << name;
                    of_kernel[launch["kernel"]][name] += sum;
                }
            }
            for (const json& counted : report["results"][i]["counters"]) {
                if (larger.contains(counted["kernel"])) continue;
                for (const auto& [name, value] : counted.items())
                    if (name != "kernel" && name != "launches") {
                        EXPECT_EQ(of_kernel[counted["kernel"]][name], value)
                            << program << ' ' << counted["kernel"] << ' ' << name;
                        ++compared;
                    }
            }
        }
        EXPECT_GT(compared, 100U) << program;
    }
}

TEST_F(CliTraced, CountersAreTheSameAsWithoutIt) {
    const Words arguments =
        heat("40", "tiled,temporal") + Words{"--device", "emulated", "--counters", "--json", "-"};
    const auto counters = [](const Ending& ending) {
        const json report = json::parse(ending.out, nullptr, false);
        json all;
        for (const json& result : report["results"]) all.push_back(result["counters"]);
        return all;
    };
    const json without = counters(test::run("heat_notexture", arguments));
    EXPECT_EQ(without.size(), 2U);
    EXPECT_EQ(without, counters(test::run("heat_notexture", arguments + Words{"--trace", page().string()})));
}

TEST_F(CliTraced, LinesOfTheKernel) {
    const json trace = trace_of("heat_notexture", heat("32", "tiled"));
    const auto text_of = [&](const json& step) {
        const json& place = trace["places"][step[1].get<std::size_t>()];
        EXPECT_FALSE(place.empty());
        if (place.empty()) return std::string();
        const json& file = trace["files"][place[0][0].get<std::size_t>()];
        return file["path"].get<std::string>() + ": " +
               file["lines"][place[0][1].get<std::size_t>() - 1].get<std::string>();
    };
    bool found = false;
    for (const json& launch : trace["runs"][0]["launches"]) {
        if (launch["kernel"] != "tiled_kernel") continue;
        found = true;
        EXPECT_EQ(launch["shared"][0]["name"], "tile");
        for (const json& step : launch["warps"][0]) {
            const std::string text = text_of(step);
            EXPECT_EQ(text.find("heat_notexture/kernels/4_tiled.cuh: "), 0U) << text;
            EXPECT_NE(text.find(step[0] == 12 ? "__syncthreads()" : "["), std::string::npos) << text;
        }
    }
    EXPECT_TRUE(found);
}

TEST_F(CliTraced, TheSameWithAnyNumberOfCores) {
    const json one = trace_of("heat_notexture", heat("100", "all"), {"OMP_NUM_THREADS=1"});
    EXPECT_GT(one["runs"].size(), 5U);
    EXPECT_EQ(one, trace_of("heat_notexture", heat("100", "all"), {"OMP_NUM_THREADS=3"}));
}

TEST_F(CliTraced, BlockWarpsAndLimit) {
    const json trace =
        trace_of("heat_notexture", heat("64", "book,tiled") + Words{"--trace-block", "2,1", "--trace-warps",
                                                                    "3", "--trace-limit", "60"});
    EXPECT_EQ(trace["block"], (json{2, 1, 0}));
    EXPECT_EQ(trace["limit"], 60);
    EXPECT_EQ(trace["cut"], true);
    std::size_t steps = 0;
    for (const json& run : trace["runs"])
        for (const json& launch : run["launches"]) {
            EXPECT_EQ(launch["warps"].size(), 3U);
            for (const json& warp : launch["warps"]) steps += warp.size();
        }
    EXPECT_GE(steps, 10U);
    EXPECT_LT(steps, 60U);
}

TEST_F(CliTraced, KernelsInTheOrderInWhichTheyWereNamed) {
    const json trace = trace_of("heat_notexture", heat("16", "tiled,book"));
    ASSERT_EQ(trace["runs"].size(), 2U);
    EXPECT_EQ(trace["runs"][0]["name"], "tiled");
    EXPECT_EQ(trace["runs"][1]["name"], "book");
}

TEST_F(CliTraced, ReportHasNoCountersUnasked) {
    const Ending ending = test::run("heat_notexture", traced(heat("16", "book") + Words{"--json", "-"}));
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(json::parse(ending.out, nullptr, false)["results"][0].count("counters"), 0U);
}

TEST_F(CliTraced, BlockOutsideTheGrid) {
    const Words arguments = traced(heat("64", "book") + Words{"--trace-block", "4,4", "--quiet"});
    test::expect_error("heat_notexture", test::run("heat_notexture", arguments), 2,
                       {"--trace-block 4,4,0", "no grid has that block", "4x4x1"}, shown(arguments));
    EXPECT_FALSE(std::filesystem::exists(page()));
}

TEST_F(CliTraced, FileThatCannotBeWritten) {
    const Words arguments{"--device", "emulated", "--headless", "--trace", "/nowhere/trace.html"};
    test::expect_error("heat_notexture", test::run("heat_notexture", arguments), 3, {"/nowhere/trace.html"},
                       shown(arguments));
}

}  // namespace
}  // namespace cudabook
