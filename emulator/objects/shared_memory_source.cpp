#include "emulator/objects/shared_memory_source.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cudabook::emulation {

namespace {

bool is_shared(const ElfSymbol& symbol) { return symbol.is_thread_local && is_shared_variable(symbol.name); }

/// The sections and variables to which the code of a section refers.
struct Section {
    std::vector<const Section*> sections;
    std::vector<const ElfSymbol*> variables;  ///< `__shared__` variables
};

/// A symbol and its section.
struct Definition {
    const ElfSymbol* symbol;
    const Section* section;
};

/// The objects as a linker sees them: if a name has several definitions, the first definition counts. A
/// local name refers to its own object's definition.
class Objects {
  public:
    explicit Objects(const std::vector<ElfFile>& files) {
        for (const ElfFile& file : files) {
            std::vector<Section>& sections = sections_.emplace_back(file.sections);
            for (const ElfSymbol& symbol : file.symbols)
                if (symbol.is_defined && !symbol.is_local)
                    known_.try_emplace(symbol.name, Definition{&symbol, &sections[symbol.section]});
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            for (const ElfReference& reference : files[i].references) {
                Section& from = sections_[i][reference.section];
                const Definition to = definition(i, files[i].symbols[reference.symbol]);
                if (is_shared(*to.symbol) && to.symbol->is_defined)
                    from.variables.push_back(to.symbol);
                else
                    from.sections.push_back(to.section);
            }
        }
    }

    [[nodiscard]] bool define(std::string_view name) const { return known_.contains(name); }

    /// Returns the bytes of the `__shared__` variables that are used by a function of an object, and by the
    /// functions that it calls, directly or indirectly.
    [[nodiscard]] std::uint64_t bytes_used_by(std::size_t object, const ElfSymbol& function) const {
        std::vector<const Section*> left = {definition(object, function).section};
        std::unordered_set<const Section*> seen(left.begin(), left.end());
        std::unordered_set<const ElfSymbol*> variables;
        while (!left.empty()) {
            const Section& section = *left.back();
            left.pop_back();
            variables.insert(section.variables.begin(), section.variables.end());
            for (const Section* const used : section.sections)
                if (seen.insert(used).second) left.push_back(used);
        }
        std::uint64_t bytes = 0;
        for (const ElfSymbol* const variable : variables)
            if (!is_guard(variable->name)) bytes += variable->bytes;
        return bytes;
    }

  private:
    /// Returns the definition to which a symbol of an object refers.
    [[nodiscard]] Definition definition(std::size_t object, const ElfSymbol& symbol) const {
        const auto known = symbol.is_local ? known_.end() : known_.find(symbol.name);
        if (known != known_.end()) return known->second;
        return {&symbol, &sections_[object][symbol.section]};
    }

    std::vector<std::vector<Section>> sections_;  ///< by object
    std::unordered_map<std::string_view, Definition> known_;
};

/// Returns the lines of assembly that define the arrays of dynamic shared memory.
std::string definitions_of(const std::set<std::string_view>& arrays) {
    if (arrays.empty()) return "";
    const std::string bytes = std::to_string(dynamic_array_bytes);
    std::string text = R"(asm(".section .tbss.cudabook_shared, \"awT\", %nobits\n.balign 1024\n")"
                       "\n";
    for (const std::string_view array : arrays) {
        const std::string name = R"(\")" + std::string(array) + R"(\")";
        text += R"(    ".weak )" + name + R"(\n.hidden )" + name + R"(\n.type )" + name +
                R"(, %tls_object\n.size )" + name + ", " + bytes + R"(\n)" + name + R"(:\n")" + "\n";
    }
    return text + R"(    ".zero )" + bytes + R"(\n.previous");)" + "\n";
}

}  // namespace

std::string shared_memory_source(const std::vector<ElfFile>& files) {
    const Objects objects(files);
    std::set<std::string_view> arrays;
    std::map<std::string_view, std::uint64_t> bytes_of;  // the maximum of local functions with the same name
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const ElfSymbol& symbol : files[i].symbols) {
            if (is_shared(symbol) && !symbol.is_defined && !objects.define(symbol.name))
                arrays.insert(symbol.name);
            // A name with a dot belongs to a part or a clone of a function, which the compiler has made.
            if (symbol.is_function && symbol.is_defined && symbol.name.find('.') == std::string_view::npos)
                if (const std::uint64_t bytes = objects.bytes_used_by(i, symbol); bytes > 0)
                    bytes_of[symbol.name] = std::max(bytes_of[symbol.name], bytes);
        }
    }

    std::string text = "// Made by emulator/objects/.\n" + definitions_of(arrays);
    if (!bytes_of.empty()) {
        text += "#include \"emulator/engine/static_shared.hpp\"\n";
        text += "static const cudabook::emulation::StaticShared table[] = {\n";
        for (const auto& [name, bytes] : bytes_of)
            text += "    {\"" + std::string(name) + "\", " + std::to_string(bytes) + "},\n";
        text += "};\nstatic const cudabook::emulation::KnownStaticShared known(table);\n";
    }
    return text;
}

}  // namespace cudabook::emulation
