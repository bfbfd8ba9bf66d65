// A tool that cudabook-nvcc --emulate calls between the preprocessor and the compiler:
//
//     translate [-w] [--attribute TEXT] [--lambda-attribute TEXT] [--constant-attribute TEXT] [--rdc]
//         [--own-headers FOLDER] [--cccl FOLDER] < preprocessed > translated
//     translate --header HEADER     prints why a header of CUDA's cannot be included
//
// On an error it writes one line to stderr and exits with status 1. Warnings go to stderr, too; -w turns
// them off.
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "emulator/translator/real_cuda.hpp"
#include "emulator/translator/translator.hpp"

int main(int argc, char** argv) {
    using namespace cudabook::translator;
    try {
        Options options;
        bool warns = true;
        for (int i = 1; i < argc; ++i) {
            const std::string_view option = argv[i];
            const bool has_value = i + 1 < argc;
            if (option == "-w") {
                warns = false;
            } else if (option == "--rdc") {
                options.shares_variables = true;
            } else if (option == "--attribute" && has_value) {
                options.attribute = argv[++i];
            } else if (option == "--lambda-attribute" && has_value) {
                options.lambda_attribute = argv[++i];
            } else if (option == "--constant-attribute" && has_value) {
                options.constant_attribute = argv[++i];
            } else if (option == "--own-headers" && has_value) {
                options.own_headers.emplace_back(argv[++i]);
            } else if (option == "--cccl" && has_value) {
                options.cccl = argv[++i];
            } else if (option == "--header" && has_value) {
                std::puts(why_not_included(argv[++i]).c_str());
                return 0;
            } else {
                std::fprintf(stderr, "translate: %s: unknown option\n", argv[i]);
                return 1;
            }
        }
        std::ios::sync_with_stdio(false);
        const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
        std::string warnings;
        const std::string translation = translate(text, options, &warnings);
        if (warns) std::cerr << warnings;
        std::cout.write(translation.data(), static_cast<std::streamsize>(translation.size())).flush();
        return std::cout ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
