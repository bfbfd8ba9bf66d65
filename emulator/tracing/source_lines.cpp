#include "emulator/tracing/source_lines.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/program_folder.hpp"
#include "emulator/counting/command_output.hpp"

namespace cudabook::emulation {

namespace {

namespace fs = std::filesystem;

/// In the debug information of device code, this replaces the project's folder (cmake/emulation.cmake).
constexpr std::string_view project = "/cudabook/";

/// Returns false for files of the compiler, and for the emulated GPU's headers, both in the project and
/// where they are installed.
bool is_shown(std::string_view file) {
    for (const std::string_view folder : {"/usr/include/", "/usr/lib/", "??"})
        if (file.starts_with(folder)) return false;
    for (const std::string_view part : {"emulator/", "common/book/"})
        for (const std::string_view folder : {project, std::string_view(CUDABOOK_SOURCE_FOLDER "/")})
            if (file.starts_with(folder) && file.substr(folder.size()).starts_with(part)) return false;
    for (const std::string_view installed : {"/include/cudabook/emulator/", "/include/cudabook/common/book/"})
        if (file.find(installed) != std::string_view::npos) return false;
    return !file.ends_with(".cu.cpp");  // a generated file that includes a sample's file
}

/// Parses "FILE:LINE" or "FILE:LINE (discriminator N)".
SourceLine parse_line(std::string_view text) {
    text = text.substr(0, text.find(" ("));
    const std::size_t colon = text.rfind(':');
    unsigned line = 0;
    if (colon == std::string_view::npos) return {std::string(text), line};
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
    return {fs::path(text.substr(0, colon)).lexically_normal().string(), line};
}

}  // namespace

std::vector<std::vector<SourceLine>> source_lines(const std::vector<std::uint64_t>& addresses) {
    std::vector<std::vector<SourceLine>> all;
    // addr2line inherits this open file. By the name /proc/PID/exe it would find QEMU, where QEMU runs the
    // program.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> program(std::fopen("/proc/self/exe", "r"),
                                                                  std::fclose);
    if (!program)
        throw MachineError("--trace cannot read the program's file: /proc/self/exe cannot be opened");
    constexpr std::size_t at_once = 4096;  // a command's length is limited
    for (std::size_t begin = 0; begin < addresses.size(); begin += at_once) {
        const std::size_t end = std::min(begin + at_once, addresses.size());
        std::string command = fmt::format("addr2line -a -i -e /proc/self/fd/{}", fileno(program.get()));
        for (std::size_t i = begin; i < end; ++i) command += fmt::format(" {:#x}", addresses[i]);
        const std::string output = output_of(command + " 2>/dev/null");
        for (std::size_t at = 0; at < output.size();) {
            const std::size_t newline = std::min(output.find('\n', at), output.size());
            const std::string_view text = std::string_view(output).substr(at, newline - at);
            at = newline + 1;
            if (text.starts_with("0x"))
                all.emplace_back();
            else if (SourceLine line = parse_line(text); is_shown(line.file) && !all.empty())
                all.back().push_back(std::move(line));
        }
        if (all.size() != end)
            throw MachineError(
                "--trace needs addr2line, which finds the lines of the source (Debian: apt-get install "
                "binutils)");
    }
    return all;
}

std::vector<std::string> text_of(const std::string& file) {
    std::vector<std::string> places{file};
    if (file.starts_with(project)) {
        const std::string name = file.substr(project.size());
        const std::string installed = program_folder() + "../../../";  // from lib/cudabook/counted/
        places = {CUDABOOK_SOURCE_FOLDER "/" + name, installed + "share/cudabook/" + name,
                  installed + "include/cudabook/" + name, file};
    }
    for (const std::string& place : places) {
        std::ifstream stream(place);
        if (!stream) continue;
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
        return lines;
    }
    return {};
}

std::string shown_name(const std::string& file) {
    if (file.starts_with(project)) return file.substr(project.size());
    std::error_code error;
    const std::string here = fs::current_path(error).string() + '/';
    return file.starts_with(here) ? file.substr(here.size()) : file;
}

}  // namespace cudabook::emulation
