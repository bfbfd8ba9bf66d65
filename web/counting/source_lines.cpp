// emulator/tracing/source_lines.hpp for a page's program: web/kernels.py has written the lines of the places
// in the code, and the text of the sources.
#include "emulator/tracing/source_lines.hpp"

#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cudabook::emulation {

extern const char* const lines_of_places;

namespace {

const nlohmann::json& table() {
    static const auto* const read = new nlohmann::json(nlohmann::json::parse(lines_of_places));
    return *read;
}

}  // namespace

std::vector<std::vector<SourceLine>> source_lines(const std::vector<std::uint64_t>& addresses) {
    std::vector<std::vector<SourceLine>> all;
    for (const std::uint64_t address : addresses) {
        std::vector<SourceLine>& lines = all.emplace_back();
        const auto found = table()["places"].find(
            fmt::format("{}", address + 1));  // the caller has subtracted 1, as from a return address
        if (found == table()["places"].end()) continue;
        for (const auto& [file, line] : found->get<std::vector<std::pair<std::size_t, unsigned>>>())
            lines.push_back({table()["files"][file][0].get<std::string>(), line});
    }
    return all;
}

std::vector<std::string> text_of(const std::string& file) {
    std::vector<std::string> lines;
    for (const auto& [name, text] :
         table()["files"].get<std::vector<std::pair<std::string, std::string>>>()) {
        if (name != file) continue;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
    }
    return lines;
}

std::string shown_name(const std::string& file) { return file; }

}  // namespace cudabook::emulation
