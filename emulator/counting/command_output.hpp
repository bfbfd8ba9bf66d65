// Gets the output of a shell command, such as a tool of binutils that reads this program's file.
#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>

namespace cudabook::emulation {

/// Runs a shell command. Returns its stdout, or an empty string if the command cannot be run.
inline std::string output_of(const std::string& command) {
    const auto close = [](std::FILE* pipe) { pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"));
    std::string output;
    std::array<char, 4096> part{};
    while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe.get()) != nullptr)
        output += part.data();
    return output;
}

}  // namespace cudabook::emulation
