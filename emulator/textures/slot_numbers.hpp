// Allocates the numbers of a table's slots, from 1 on. The numbers are the handles of texture and surface
// objects.
#pragma once

#include <cstddef>
#include <vector>

namespace cudabook::emulation {

class SlotNumbers {
  public:
    /// The numbers are 1 to `most`.
    explicit SlotNumbers(std::size_t most) : most_(most) {}

    /// Returns a free number, or 0 if there is none.
    [[nodiscard]] std::size_t take() {
        if (free_.empty()) return next_ > most_ ? 0 : next_++;
        const std::size_t number = free_.back();
        free_.pop_back();
        return number;
    }
    void give_back(std::size_t number) { free_.push_back(number); }

    /// Returns the lowest number that has never been taken. Higher numbers have never been taken either.
    [[nodiscard]] std::size_t next() const { return next_; }

  private:
    std::size_t most_;
    std::size_t next_ = 1;
    std::vector<std::size_t> free_;
};

}  // namespace cudabook::emulation
