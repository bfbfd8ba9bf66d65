// Three comparisons of a product: bit by bit, with a product in float64, and with a product in float32 within
// a bound.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns the indices of min(count, m) rows, spread evenly over m rows.
Rows spread_rows(std::size_t m, std::size_t count);

/// Returns the given rows of a matrix, one after the other. `columns` is the length of a row.
std::vector<float> take_rows(const std::vector<float>& matrix, const Rows& rows, std::size_t columns);

/// Returns the number of elements of `c` whose bits differ from the same element of `expected`.
std::size_t differing(const std::vector<float>& c, const std::vector<float>& expected);

/// The Euclidean norms of the rows of A and of the columns of B. By the Cauchy-Schwarz inequality, element
/// (i, j) of |A||B| is at most rows[i] × columns[j].
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

/// Returns the accuracy of `c`, which has the rows `exact.rows` of C. The default bound of an element's error
/// is the element of |A||B|.
Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c, const ErrorBound& bound = {1});

/// Returns how many elements of `c` differ from `expected` by more than `bound` × the norm of the element's
/// row of A × the norm of the element's column of B. Elements that are NaN are counted too. Both matrices
/// have the given rows of C, or all rows without `rows`.
std::size_t far_apart(const std::vector<float>& c, const std::vector<float>& expected,
                      const std::optional<Rows>& rows, const Norms& norms, double bound);

}  // namespace cudabook::matmul
