// The names of program_file.hpp as a person reads them.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "emulator/engine/program_file.hpp"

namespace cudabook::emulation {

namespace {

/// Returns the demangled name, or the argument if it is not mangled.
std::string demangled(const std::string& mangled) {
    if (!mangled.starts_with("_Z")) return mangled;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    return text == nullptr ? mangled : text.get();
}

}  // namespace

std::string variable_name(std::string_view mangled) {
    std::string name = demangled(std::string(mangled));
    name.erase(std::min(name.rfind("[abi:cudabook_"), name.size()));  // the tag of __shared__ or __constant__
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

std::string name_of(const void* function) {
    std::string mangled = mangled_name_of(function);
    if (mangled.empty()) return "a kernel";
    std::string name = demangled(mangled);
    if (name.starts_with("void ")) name.erase(0, 5);
    if (name.starts_with(cluster_namespace)) name.erase(0, cluster_namespace.size());
    if (const std::size_t tag = name.find("[abi:" + std::string(cluster_tag)); tag != std::string::npos)
        name.erase(tag, name.find(']', tag) + 1 - tag);
    std::size_t depth = 0;  // how many < are open: template arguments may contain functions' parameters
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<') ++depth;
        if (name[i] == '>') --depth;
        if (name[i] != '(' || depth > 0) continue;
        if (name.compare(i, 21, "(anonymous namespace)") == 0) {
            name.erase(i, 23);  // and the colons after it
            --i;
            continue;
        }
        name.erase(i);
    }
    return name;
}

std::string short_name_of(const void* function) {
    std::string name = name_of(function);
    for (std::size_t colons = name.find("::"); colons != std::string::npos; colons = name.find("::")) {
        const std::size_t before = name.find_last_of("<>, ", colons);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        name.erase(begin, colons + 2 - begin);
    }
    return name;
}

}  // namespace cudabook::emulation
