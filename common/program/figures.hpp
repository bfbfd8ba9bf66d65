// Named values in the order in which they were set: the figures of a result in a report.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cudabook {

/// A number, a string, a boolean, or nothing, which becomes null in JSON.
struct Figure {
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string>;

    Figure() = default;
    Figure(std::nullptr_t) {}
    Figure(std::same_as<bool> auto yes) : value(yes) {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) Figure(Integer number)
        : value(static_cast<std::int64_t>(number)) {}
    template <std::floating_point Number>
    Figure(Number number) : value(static_cast<double>(number)) {}
    Figure(const char* word) : value(word) {}
    Figure(std::string_view word) : value(std::string(word)) {}
    Figure(std::string word) : value(std::move(word)) {}
    friend bool operator==(const Figure&, const Figure&) = default;

    Value value;
};

/// Named figures. Each name includes the figure's unit: ms, gcells_per_s, ...
class Figures {
  public:
    using Entry = std::pair<std::string, Figure>;

    Figures() = default;
    Figures(std::initializer_list<Entry> entries) : entries_(entries) {}

    /// The figure `name`. If there is none, adds an empty figure of that name.
    Figure& operator[](std::string_view name);

    /// The figure of that name, or null.
    [[nodiscard]] const Figure* find(std::string_view name) const;

    /// Removes the figure of that name, if there is one.
    void erase(std::string_view name);

    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }
    friend bool operator==(const Figures&, const Figures&) = default;

  private:
    std::vector<Entry> entries_;
};

}  // namespace cudabook
