// Checks that the program matmul detects a wrong bit in the result of each of its kernels and libraries.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook::test {

/// Returns the kernels that the program lists for a device, "cpu" or "cuda".
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

/// Runs all kernels of a device without a fault. Then runs each kernel and each library of the device
/// with a wrong bit in its result, and expects `verified` false, NO on stdout and exit status 1.
inline void expect_every_fault_found(const std::string& device) {
    for (const Words& more : {Words{}, Words{"--benchmark"}}) {
        if (device == "emulated" && !more.empty()) break;  // each kernel of each run takes a second
        const Words arguments = Words{"--size", "64", "--device", device} + more;
        const Ending right = run("matmul", arguments + Words{"--kernel", "all", "--json", "-"});
        ASSERT_EQ(right.status, 0) << right.err;
        const std::set<std::string> kernels = listed_kernels(device == "cpu" ? "cpu" : "cuda");
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
        for (const std::string& kernel : kernels)
            EXPECT_TRUE(tested.contains(kernel) || left_out.contains(kernel)) << kernel;
        EXPECT_FALSE(tested.empty());

        const TemporaryFolder folder;
        for (const std::string& faulty : tested) {
            // --kernel cannot name a library; libraries run beside any kernel.
            const std::string named = kernels.contains(faulty) ? faulty : *kernels.begin();
            const Words words = arguments + Words{"--kernel", named, "--json", folder / "report.json"};
            SCOPED_TRACE(shown(words) + ", fault in " + faulty);
            const Ending ending =
                run("matmul", words, {.unset = {}, .set = {"CUDABOOK_TEST_FAULT=" + faulty}});
            EXPECT_EQ(ending.status, 1) << ending.err;
            EXPECT_NE(ending.out.find(" NO "), std::string::npos) << ending.out;
            const auto report = test::report_of(content_of(folder / "report.json"));
            EXPECT_EQ(report["ok"], false);
            int of_faulty = 0;
            for (const nlohmann::json& result : report["results"]) {
                if (result["kernel"] != faulty) continue;
                ++of_faulty;
                EXPECT_EQ(result["verified"], false);
            }
            EXPECT_EQ(of_faulty, 1);
        }
    }
}

}  // namespace cudabook::test
