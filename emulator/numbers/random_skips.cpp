#include "emulator/numbers/random_skips.hpp"

#include <bit>
#include <cstddef>
#include <memory>

namespace cudabook::emulation {

namespace {

// One step multiplies the state by a matrix, and so do 2^k steps. The matrices for all k below most_powers
// are computed once, by squaring.
constexpr unsigned most_powers = 192;

/// A matrix over the field of two elements. Column i is its product with the state that has only bit i.
struct XorwowMatrix {
    std::array<XorwowState, 160> columns;

    [[nodiscard]] XorwowState operator*(const XorwowState& state) const {
        XorwowState product{};
        for (std::size_t word = 0; word < state.size(); ++word)
            for (std::uint32_t bits = state[word]; bits != 0; bits &= bits - 1) {
                const XorwowState& column =
                    columns[32 * word + static_cast<std::size_t>(std::countr_zero(bits))];
                for (std::size_t i = 0; i < product.size(); ++i) product[i] ^= column[i];
            }
        return product;
    }
};

XorwowMatrix step_of_xorwow() {
    XorwowMatrix matrix{};
    for (unsigned bit = 0; bit < matrix.columns.size(); ++bit) {
        XorwowState state{};
        state[bit / 32] = 1U << bit % 32;
        const std::uint32_t mixed = state[0] ^ state[0] >> 2;
        matrix.columns[bit] = {state[1], state[2], state[3], state[4],
                               state[4] ^ state[4] << 4 ^ mixed ^ mixed << 1};
    }
    return matrix;
}

XorwowMatrix square(const XorwowMatrix& matrix) {
    XorwowMatrix product{};
    for (std::size_t i = 0; i < matrix.columns.size(); ++i) product.columns[i] = matrix * matrix.columns[i];
    return product;
}

/// A matrix of integers modulo `modulus`, by rows.
struct MrgMatrix {
    std::array<std::array<std::uint32_t, 3>, 3> rows;
    std::uint32_t modulus;

    [[nodiscard]] std::array<std::uint32_t, 3> operator*(const std::array<std::uint32_t, 3>& state) const {
        std::array<std::uint32_t, 3> product{};
        for (std::size_t row = 0; row < 3; ++row) {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < 3; ++i)
                sum = (sum + std::uint64_t{rows[row][i]} * state[i]) % modulus;
            product[row] = static_cast<std::uint32_t>(sum);
        }
        return product;
    }
};

MrgMatrix square(const MrgMatrix& matrix) {
    MrgMatrix product{{}, matrix.modulus};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto column = matrix * std::array{matrix.rows[0][i], matrix.rows[1][i], matrix.rows[2][i]};
        for (std::size_t row = 0; row < 3; ++row) product.rows[row][i] = column[row];
    }
    return product;
}

/// The matrices of 1, 2, 4, 8, ... steps.
template <class Matrix>
class Powers {
  public:
    explicit Powers(const Matrix& step) : matrices_(new std::array<Matrix, most_powers>) {
        (*matrices_)[0] = step;
        for (std::size_t i = 1; i < most_powers; ++i) (*matrices_)[i] = square((*matrices_)[i - 1]);
    }

    template <class State>
    [[nodiscard]] State skip(State state, std::uint64_t count, unsigned log2) const {
        for (; count != 0; count >>= 1, ++log2)
            if ((count & 1) != 0) state = (*matrices_)[log2] * state;
        return state;
    }

  private:
    std::unique_ptr<std::array<Matrix, most_powers>> matrices_;
};

}  // namespace

XorwowState skip(const XorwowState& state, std::uint64_t count, unsigned log2) {
    static const Powers<XorwowMatrix> powers(step_of_xorwow());
    return powers.skip(state, count, log2);
}

MrgState skip(const MrgState& state, std::uint64_t count, unsigned log2) {
    static const Powers<MrgMatrix> first(
        {{{{0, 1, 0}, {0, 0, 1}, {mrg_modulus_1 - 810728, 1403580, 0}}}, mrg_modulus_1});
    static const Powers<MrgMatrix> second(
        {{{{0, 1, 0}, {0, 0, 1}, {mrg_modulus_2 - 1370589, 0, 527612}}}, mrg_modulus_2});
    return {first.skip(state.s1, count, log2), second.skip(state.s2, count, log2)};
}

}  // namespace cudabook::emulation
