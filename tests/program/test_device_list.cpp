// common/program/device_list.hpp: what --list-devices prints.
#include "common/program/device_list.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "common/program/gpus.hpp"

namespace cudabook {
namespace {

std::vector<std::string> lines_of(const CudaDevices& cuda) {
    std::vector<std::string> lines;
    std::istringstream text(device_list(cuda));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

CudaDevices two_gpus() {
    return {{{DeviceKind::cuda, 0, "Some GPU", "9.0", std::size_t{80} << 30U, 132},
             {DeviceKind::cuda, 2, "Other", "12.0", std::size_t{8} << 30U, 24}},
            ""};
}

constexpr std::size_t note_lines = built_with_emulation ? 0 : 1;

TEST(DeviceList, RealGpusThenTheCpuThenTheEmulatedOnes) {
    const auto lines = lines_of(two_gpus());
    ASSERT_EQ(lines.size(), 1 + 2 + 1 + emulated_gpus().size() + note_lines);
    EXPECT_EQ(lines[1].find("cuda:0 "), 0U) << lines[1];
    for (const char* word : {"Some GPU", " 9.0 ", " 132 ", " 80 GiB"})
        EXPECT_NE(lines[1].find(word), std::string::npos) << lines[1];
    EXPECT_EQ(lines[2].find("cuda:2 "), 0U) << lines[2];
    EXPECT_EQ(lines[3].find("cpu "), 0U) << lines[3];
    EXPECT_NE(lines[3].find(" threads"), std::string::npos) << lines[3];
    EXPECT_EQ(lines[4].find("emulated:t4 "), 0U) << lines[4];
    for (const char* word : {"Tesla T4", " 7.5 ", " 40 ", " 16 GiB"})
        EXPECT_NE(lines[4].find(word), std::string::npos) << lines[4];
}

TEST(DeviceList, ColumnsAreAligned) {
    const auto lines = lines_of(two_gpus());
    for (const std::size_t i : {1U, 2U, 4U, 5U}) EXPECT_EQ(lines[i].size(), lines[0].size()) << lines[i];
}

TEST(DeviceList, SaysWhyThereIsNoRealGpu) {
    const auto lines = lines_of({{}, "no driver"});
    EXPECT_EQ(lines.at(lines.size() - 1 - note_lines), "No --device cuda: no driver");
    EXPECT_EQ(device_list(two_gpus()).find("No --device cuda"), std::string::npos);
    CudaDevices emulated;
    emulated.all.push_back({DeviceKind::emulated, 0, "an emulated GPU", "7.5", 1, 1});
    EXPECT_NE(device_list(emulated).find("No --device cuda: this build has no CUDA\n"), std::string::npos);
    EXPECT_EQ(device_list(emulated).find("an emulated GPU"), std::string::npos) << "its name lists it";
}

TEST(DeviceList, SaysWhatABuildWithoutEmulationLacks) {
    EXPECT_EQ(device_list({}).find("libboost-context-dev") == std::string::npos, built_with_emulation);
}

}  // namespace
}  // namespace cudabook
