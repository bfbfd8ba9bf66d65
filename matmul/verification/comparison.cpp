#include "matmul/verification/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace cudabook::matmul {

namespace {

using Index = std::ptrdiff_t;

constexpr Index strip = 1024;  // columns that are computed together

}  // namespace

Rows spread_rows(std::size_t m, std::size_t count) {
    count = std::min(count, m);
    Rows rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(i * m / count);
    return rows;
}

std::vector<float> take_rows(const std::vector<float>& matrix, const Rows& rows, std::size_t columns) {
    std::vector<float> taken(rows.size() * columns);
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(matrix.data() + rows[i] * columns, columns, taken.data() + i * columns);
    return taken;
}

std::size_t differing(const std::vector<float>& c, const std::vector<float>& expected) {
    std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (Index i = 0; i < static_cast<Index>(expected.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (std::bit_cast<std::uint32_t>(c[at]) != std::bit_cast<std::uint32_t>(expected[at])) ++count;
    }
    return count;
}

ExactRows exact_rows(const Factors& factors, Rows rows) {
    const std::size_t n = factors.shape.n;
    const std::size_t k = factors.shape.k;
    const std::size_t count = rows.size();
    ExactRows exact{std::move(rows), std::vector<double>(count * n), std::vector<double>(count * n),
                    norms(factors)};
    const Index strips = (static_cast<Index>(n) + strip - 1) / strip;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (Index i = 0; i < static_cast<Index>(count); ++i)
        for (Index s = 0; s < strips; ++s) {
            const auto row = static_cast<std::size_t>(i);
            const auto first = static_cast<std::size_t>(s * strip);
            const std::size_t last = std::min(n, first + strip);
            for (std::size_t p = 0; p < k; ++p) {
                const double a = factors.a[exact.rows[row] * k + p];
                for (std::size_t j = first; j < last; ++j) {
                    const double product = a * factors.b[p * n + j];
                    exact.values[row * n + j] += product;
                    exact.magnitudes[row * n + j] += std::fabs(product);
                }
            }
        }
    return exact;
}

Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c, const ErrorBound& bound) {
    const std::size_t n = exact.norms.columns.size();
    double squared_error = 0;
    double squared_norm = 0;
    double worst = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double value = exact.values[i];
        const double error = std::fabs(c[i] - value);
        squared_error += error * error;
        squared_norm += value * value;
        const double norm = exact.norms.rows[exact.rows[i / n]] * exact.norms.columns[i % n];
        const double allowed = bound.products * exact.magnitudes[i] + bound.norms * norm;
        const double share = error == 0 ? 0 : error / allowed;
        if (!(share <= worst) && !std::isnan(worst)) worst = share;  // also true for a NaN, which then stays
    }
    return {squared_error == 0 ? 0 : std::sqrt(squared_error / squared_norm), worst};
}

Norms norms(const Factors& factors) {
    const std::size_t m = factors.shape.m;
    const std::size_t n = factors.shape.n;
    const std::size_t k = factors.shape.k;
    Norms norms{std::vector<double>(m), std::vector<double>(n)};
#pragma omp parallel for
    for (Index i = 0; i < static_cast<Index>(m); ++i) {
        double sum = 0;
        const float* row = factors.a.data() + static_cast<std::size_t>(i) * k;
        for (std::size_t p = 0; p < k; ++p) sum += static_cast<double>(row[p]) * row[p];
        norms.rows[static_cast<std::size_t>(i)] = std::sqrt(sum);
    }
    const Index strips = (static_cast<Index>(n) + strip - 1) / strip;
#pragma omp parallel for
    for (Index s = 0; s < strips; ++s) {
        const auto first = static_cast<std::size_t>(s * strip);
        const std::size_t last = std::min(n, first + strip);
        for (std::size_t p = 0; p < k; ++p)
            for (std::size_t j = first; j < last; ++j) {
                const double element = factors.b[p * n + j];
                norms.columns[j] += element * element;
            }
        for (std::size_t j = first; j < last; ++j) norms.columns[j] = std::sqrt(norms.columns[j]);
    }
    return norms;
}

std::size_t far_apart(const std::vector<float>& c, const std::vector<float>& expected,
                      const std::optional<Rows>& rows, const Norms& norms, double bound) {
    const std::size_t n = norms.columns.size();
    const std::size_t count_of_rows = rows ? rows->size() : norms.rows.size();
    std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (Index i = 0; i < static_cast<Index>(count_of_rows); ++i) {
        const auto row = static_cast<std::size_t>(i);
        const std::size_t first = row * n;
        const double of_row = bound * norms.rows[rows ? (*rows)[row] : row];
        for (std::size_t j = 0; j < n; ++j) {
            const double apart = std::fabs(double{c[first + j]} - double{expected[first + j]});
            if (!(apart <= of_row * norms.columns[j])) ++count;
        }
    }
    return count;
}

}  // namespace cudabook::matmul
