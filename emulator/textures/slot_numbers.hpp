// Numbers of the slots of a table, from 1 up: handles of texture and surface objects.
#pragma once

#include <cstddef>
#include <vector>

namespace cudabook::emulation {

class SlotNumbers {
  public:
    /// There are numbers 1 to `most`.
    explicit SlotNumbers(std::size_t most) : most_(most) {}

    /// A free number; 0: there is none.
    [[nodiscard]] std::size_t take() {
        if (free_.empty()) return next_ > most_ ? 0 : next_++;
        const std::size_t number = free_.back();
        free_.pop_back();
        return number;
    }
    void give_back(std::size_t number) { free_.push_back(number); }

    /// Those from this one on have never been taken.
    [[nodiscard]] std::size_t next() const { return next_; }

  private:
    std::size_t most_;
    std::size_t next_ = 1;
    std::vector<std::size_t> free_;
};

}  // namespace cudabook::emulation
