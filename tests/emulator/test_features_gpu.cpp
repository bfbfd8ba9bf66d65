// features.hpp: each feature has the result that it has on an H200.
#include <fstream>
#include <map>
#include <span>
#include <string>

#include "tests/emulator/features.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::test {
namespace {

/// The lines of features-h200.txt, by the feature's name.
std::map<std::string, std::string> results_of_h200() {
    std::map<std::string, std::string> results;
    std::ifstream file(std::string(test::source_folder) + "/tests/emulator/features-h200.txt");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.rfind(": ");
        results[line.substr(0, colon)] = line.substr(colon + 2);
    }
    return results;
}

class Features : public Gpu {
  protected:
    void SetUp() override {
        Gpu::SetUp();
        if (!IsSkipped() && !emulated && device().compute_capability != "9.0")
            GTEST_SKIP() << "the code of some features is for compute capability 9.0 alone";
    }

    static void compare(std::span<const Feature> features) {
        const std::map<std::string, std::string> expected = results_of_h200();
        for (const Feature& feature : features) {
            if (feature.by_kind && device().compute_capability != "9.0") continue;
            ASSERT_TRUE(expected.contains(feature.name)) << feature.name;
            EXPECT_EQ(feature.result(), expected.at(feature.name)) << feature.name;
        }
    }
};

TEST_F(Features, AreAllThatTheFileHas) {
    EXPECT_EQ(thread_features().size() + number_features().size() + runtime_features().size() +
                  texture_features().size(),
              results_of_h200().size());
}

TEST_F(Features, Threads) { compare(thread_features()); }
TEST_F(Features, Numbers) { compare(number_features()); }
TEST_F(Features, Runtime) { compare(runtime_features()); }
TEST_F(Features, Textures) { compare(texture_features()); }

}  // namespace
}  // namespace cudabook::test
