#include "common/program/figures.hpp"

#include <algorithm>

namespace cudabook {

const Figure* Figures::find(std::string_view name) const {
    const auto entry = std::ranges::find(entries_, name, &Entry::first);
    return entry == entries_.end() ? nullptr : &entry->second;
}

Figure& Figures::operator[](std::string_view name) {
    const auto entry = std::ranges::find(entries_, name, &Entry::first);
    return entry == entries_.end() ? entries_.emplace_back(name, nullptr).second : entry->second;
}

void Figures::erase(std::string_view name) {
    std::erase_if(entries_, [name](const Entry& entry) { return entry.first == name; });
}

}  // namespace cudabook
