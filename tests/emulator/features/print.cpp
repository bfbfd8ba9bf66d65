// Prints a line for each feature: its name and its result.
#include <cstdio>
#include <exception>

#include "tests/emulator/features.hpp"

int main() {
    using namespace cudabook::test;
    for (const auto& features :
         {thread_features(), number_features(), runtime_features(), texture_features()})
        for (const Feature& feature : features) {
            std::string result;
            try {
                result = feature.result();
            } catch (const std::exception& error) {
                result = error.what();
            }
            std::printf("%s: %s\n", feature.name, result.c_str());
        }
}
