// The comparisons of a product: bit by bit, with float64, or with float32 within a bound.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// The indices of min(count, m) of m rows, spread evenly.
Rows spread_rows(std::size_t m, std::size_t count);

/// The given rows of a matrix, one after the other.
std::vector<float> take_rows(const std::vector<float>& matrix, const Rows& rows, std::size_t columns);

/// The number of elements of `c` whose bits differ from the same element of `expected`.
std::size_t differing(const std::vector<float>& c, const std::vector<float>& expected);

/// The norms of each row of A and of each column of B. By the Cauchy-Schwarz inequality, element (i, j) of
/// |A||B| is at most rows[i] × columns[j].
struct Norms {
    std::vector<double> rows;     ///< one for each row of A
    std::vector<double> columns;  ///< one for each column of B
};

Norms norms(const Factors& factors);

/// Some rows of C in float64.
struct ExactRows {
    Rows rows;
    std::vector<double> values;      ///< rows.size() × n elements of AB
    std::vector<double> magnitudes;  ///< the same elements of |A||B|
    Norms norms;
};

ExactRows exact_rows(const Factors& factors, Rows rows);

struct Accuracy {
    double relative_error;  ///< |C - AB| / |AB|, Frobenius norms
    double worst;           ///< the largest ratio of an element's error to its bound; NaN if an error is NaN
};

/// The accuracy of `c`, which has the rows `exact.rows` of C. The default bound is |A||B|.
Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c, const ErrorBound& bound = {1});

/// The number of elements that are NaN or differ too much between `c` and `expected`: by more than `bound` ×
/// the norm of the element's row of A × the norm of its column of B. Both matrices have the given rows of C,
/// or all rows.
std::size_t far_apart(const std::vector<float>& c, const std::vector<float>& expected,
                      const std::optional<Rows>& rows, const Norms& norms, double bound);

}  // namespace cudabook::matmul
