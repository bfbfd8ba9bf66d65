// Faults that are put into what matmul's kernels give, to prove that each is found.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"

namespace cudabook::test {

/// The kernels that the program lists for a device.
inline std::set<std::string> listed_kernels(const std::string& device) {
    std::set<std::string> names;
    for (const std::string& line : lines_of(run("matmul", {"--list-kernels"}).out)) {
        std::istringstream words(line);
        std::string name;
        std::string of_device;
        words >> name >> of_device;
        if (of_device == device) names.insert(name);
    }
    return names;
}

/// Runs all kernels of a device, once without a fault and once with one in each kernel and each library that
/// can run there: it ends in verified false, NO and status 1.
inline void expect_every_fault_found(const std::string& device) {
    for (const Words& more : {Words{}, Words{"--benchmark"}}) {
        if (device == "emulated" && !more.empty()) break;  // it takes a second for each kernel of each run
        const Words arguments = Words{"--size", "64", "--device", device, "--kernel", "all"} + more;
        const Ending right = run("matmul", arguments + Words{"--json", "-"});
        ASSERT_EQ(right.status, 0) << right.err;
        std::set<std::string> tested;
        std::set<std::string> left_out;
        const auto right_report = test::report_of(right.out);
        for (const nlohmann::json& result : right_report["results"]) {
            const std::string kernel = result["kernel"];
            if (result.contains("left_out")) {
                left_out.insert(kernel);
                continue;
            }
            tested.insert(kernel);
            EXPECT_EQ(result["verified"], true) << kernel;
        }
        for (const std::string& kernel : listed_kernels(device == "cpu" ? "cpu" : "cuda"))
            EXPECT_TRUE(tested.contains(kernel) || left_out.contains(kernel)) << kernel;
        EXPECT_FALSE(tested.empty());

        for (const std::string& kernel : tested) {
            const Surroundings faulty{.unset = {}, .set = {"CUDABOOK_TEST_FAULT=" + kernel}};
            const Ending json = run("matmul", arguments + Words{"--json", "-"}, faulty);
            EXPECT_EQ(json.status, 1) << shown(arguments) << ", fault in " << kernel;
            const auto report = test::report_of(json.out);
            EXPECT_EQ(report["ok"], false) << kernel;
            for (const nlohmann::json& result : report["results"]) {
                if (result["kernel"] == kernel) {
                    EXPECT_EQ(result["verified"], false) << kernel;
                }
            }
            const Ending text = run("matmul", arguments, faulty);
            EXPECT_EQ(text.status, 1) << kernel;
            EXPECT_NE(text.out.find(" NO "), std::string::npos) << kernel << '\n' << text.out;
        }
    }
}

}  // namespace cudabook::test
