// Checks that a wrong number is detected: runs the programs with a wrong bit in the result of one of their
// kernels or references (common/program/fault.hpp).
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook::test {

/// Returns the kernels that a program lists for a device, "cpu" or "cuda".
inline std::vector<std::string> listed_kernels(const std::string& program, const std::string& device) {
    std::vector<std::string> names;
    for (const std::string& line : lines_of(run(program, {"--list-kernels"}).out)) {
        std::istringstream words(line);
        std::string name;
        std::string its_device;
        if (words >> name >> its_device && its_device == device) names.push_back(name);
    }
    return names;
}

/// Returns the arguments for a short run or a short benchmark.
inline Words short_run(const std::string& program, const std::string& device, bool benchmark) {
    Words words{"--device", device};
    if (benchmark) words.emplace_back("--benchmark");
    if (program == "tex1dfetch_big") return words + Words{"1"};
    if (program == "tex1dfetch_int2float") return words;
    if (program == "occupancy") return words + Words{"--passes", "2"};
    if (program == "texture_unit")  // the CPU's default pictures have published checksums, which find more
        return device == "cpu" ? words : words + Words{"--size", "32"};
    if (program == "access_patterns")
        return words + Words{"--size", "16", "--element", "4", "--pattern", "random"};
    words = words + Words{"--width", "64", "--height", "48", "--steps-per-frame", "20"};
    return benchmark ? words : words + Words{"--headless", "--frames", "2"};
}

/// Runs the kernel `kernel`, or all kernels if `kernel` is "all". If `faulty` names a kernel or a reference,
/// its result gets a wrong bit. Then the program must report each result of `kernel` as wrong, in the table
/// and in the JSON, and exit with status 1. If `faulty` is empty, every result must be right.
inline void expect_verified(const std::string& program, const Words& arguments, const std::string& kernel,
                            const std::string& faulty) {
    const TemporaryFolder folder;
    const Words words = arguments + Words{"--kernel", kernel, "--json", folder / "report.json"};
    SCOPED_TRACE(program + " " + shown(words) + ", fault in: " + faulty);
    Surroundings surroundings;
    surroundings.unset = {"DISPLAY", "WAYLAND_DISPLAY", "CUDABOOK_TEST_FAULT"};
    if (!faulty.empty()) surroundings.set = {"CUDABOOK_TEST_FAULT=" + faulty};
    const Ending ending = run(program, words, surroundings);
    EXPECT_EQ(ending.status, faulty.empty() ? 0 : 1) << ending.err;
    EXPECT_EQ(ending.out.find(" NO ") == std::string::npos, faulty.empty()) << ending.out;
    const auto report = report_of(content_of(folder / "report.json"));
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["ok"], faulty.empty());
    int of_kernel = 0;
    for (const auto& result : report["results"]) {
        if (program == "texture_unit" && result.contains("ms")) continue;  // measured after the comparison
        const bool chosen = kernel == "all" || result["kernel"] == kernel;
        if (chosen) ++of_kernel;
        if (chosen || faulty.empty()) {
            EXPECT_EQ(result["verified"], faulty.empty()) << result;
        }
    }
    EXPECT_GT(of_kernel, 0);
}

/// Runs the kernel with a wrong bit in the kernel's own result, and without a wrong bit.
inline void expect_fault_is_found(const std::string& program, const Words& arguments,
                                  const std::string& kernel) {
    expect_verified(program, arguments, kernel, kernel);
    expect_verified(program, arguments, kernel, "");
}

}  // namespace cudabook::test
