// The room on the CPU: the oracle, the same by blocks that fit into the caches, and float64 to compare with.
#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/numbers/rand_blocks.hpp"
#include "common/program/fault.hpp"
#include "common/program/shared_library.hpp"
#include "common/program/simd.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

namespace {

using Index = std::ptrdiff_t;

/// c += a B for a row of C and of A: the formula.
[[gnu::always_inline]] inline void add_row(float* __restrict c, const float* __restrict a,
                                           const float* __restrict b, Index n, Index k) {
    for (Index p = 0; p < k; ++p)
#pragma omp simd
        for (Index j = 0; j < n; ++j) c[j] = std::fma(a[p], b[p * n + j], c[j]);
}

/// c += a b for a tile of C, rows × columns elements in rows `stride` apart, which stay in registers
/// meanwhile; a is depth × rows, b is depth × columns.
template <int rows, int columns>
[[gnu::always_inline]] inline void add_tile(float* __restrict c, Index stride, const float* __restrict a,
                                            const float* __restrict b, Index depth) {
    float sums[rows][columns];
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) sums[i][j] = c[i * stride + j];
    for (Index p = 0; p < depth; ++p, a += rows, b += columns)
#pragma GCC unroll 16
        for (int i = 0; i < rows; ++i)
#pragma omp simd
            for (int j = 0; j < columns; ++j) sums[i][j] = std::fma(a[i], b[j], sums[i][j]);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) c[i * stride + j] = sums[i][j];
}

constexpr int ceiling_chains = 192;  // of fma, side by side: enough to hide how long each takes

/// Nothing but fmas whose operands are at hand.
[[gnu::always_inline]] inline float chain_fmas(Index rounds) {
    float chains[ceiling_chains] = {};
    for (Index round = 0; round < rounds; ++round)
#pragma omp simd
        for (float& chain : chains) chain = std::fma(chain, 0.999F, 0.5F);
    float sum = 0;
    for (const float chain : chains) sum += chain;
    return sum;
}

/// The loops at one SIMD level. They are plain C++ that the compiler vectorises; every level gives the same
/// bits.
struct Loops {
    const char* simd;
    int rows;  ///< of the tile of C that fits into the registers
    int columns;
    void (*add_row)(float* c, const float* a, const float* b, Index n, Index k);
    void (*add_tile)(float* c, Index stride, const float* a, const float* b, Index depth);
    float (*chain_fmas)(Index rounds);
};

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_LOOPS(name, target, rows, columns)                                                         \
    namespace name {                                                                                        \
    target void row(float* c, const float* a, const float* b, Index n, Index k) { add_row(c, a, b, n, k); } \
    target void tile(float* c, Index stride, const float* a, const float* b, Index depth) {                 \
        add_tile<rows, columns>(c, stride, a, b, depth);                                                    \
    }                                                                                                       \
    target float chain(Index rounds) { return chain_fmas(rounds); }                                         \
    constexpr Loops loops{#name, rows, columns, row, tile, chain};                                          \
    }

CUDABOOK_LOOPS(portable, , 4, 8)
#ifdef __x86_64__
CUDABOOK_LOOPS(avx2, CUDABOOK_AVX2, 6, 16)
CUDABOOK_LOOPS(avx512, CUDABOOK_AVX512, 14, 32)
#endif
// NOLINTEND(bugprone-macro-parentheses)
#undef CUDABOOK_LOOPS

constexpr std::size_t most_in_registers = 14UL * 32;  // elements of the largest level's tile

/// The levels that this processor has, the widest first.
std::span<const Loops> levels() {
    static constexpr Loops all[] = {
#ifdef __x86_64__
        avx512::loops, avx2::loops,
#endif
        portable::loops};
    return std::span(all).last(static_cast<std::size_t>(simd_level()) + 1);
}

/// Part of a matrix, cut into strips of `width` rows (or columns), each of which is on end for every step
/// along k; the last strip is filled up with zeros.
class Strips {
  public:
    Strips(Index width, Index size, Index depth)
        : width_(width),
          size_(size),
          elements_(static_cast<std::size_t>((size + width - 1) / width * width * depth)) {}

    /// The element of step p in row (or column) i is from[p * step_stride + i * stride]; one of the strides
    /// is 1.
    void fill(Index depth, const float* from, Index step_stride, Index stride) {
        depth_ = depth;
#pragma omp parallel for
        for (Index strip = 0; strip < count(); ++strip) {
            float* to = elements_.data() + strip * width_ * depth;
            const float* first = from + strip * width_ * stride;
            const Index there = std::min(width_, size_ - strip * width_);
            if (there < width_) std::fill_n(to, width_ * depth, 0.0F);
            if (stride == 1)
                for (Index p = 0; p < depth; ++p)
                    std::copy_n(first + p * step_stride, there, to + p * width_);
            else
                for (Index i = 0; i < there; ++i)
                    for (Index p = 0; p < depth; ++p) to[p * width_ + i] = first[i * stride + p];
        }
    }
    [[nodiscard]] Index count() const { return (size_ + width_ - 1) / width_; }
    [[nodiscard]] const float* strip(Index i) const { return elements_.data() + i * width_ * depth_; }

  private:
    Index width_;
    Index size_;
    Index depth_ = 0;
    std::vector<float> elements_;
};

/// One tile of C at a row and a column; what of it is beyond C's edges is made aside.
void add_tile_at(float* c, Index m, Index n, Index row, Index column, const Loops& simd, const float* a,
                 const float* b, Index depth) {
    if (row + simd.rows <= m && column + simd.columns <= n)
        return simd.add_tile(c + row * n + column, n, a, b, depth);
    std::array<float, most_in_registers> aside{};
    const Index height = std::min<Index>(simd.rows, m - row);
    const Index width = std::min<Index>(simd.columns, n - column);
    for (Index i = 0; i < height; ++i)
        std::copy_n(c + (row + i) * n + column, width, aside.data() + i * simd.columns);
    simd.add_tile(aside.data(), simd.columns, a, b, depth);
    for (Index i = 0; i < height; ++i)
        std::copy_n(aside.data() + i * simd.columns, width, c + (row + i) * n + column);
}

void multiply_plainly(std::vector<float>& c, const Shape& shape, const float* a, const float* b) {
    const auto n = static_cast<Index>(shape.n);
    const auto k = static_cast<Index>(shape.k);
    std::ranges::fill(c, 0.0F);
    const Loops& simd = levels().front();
#pragma omp parallel for
    for (Index i = 0; i < static_cast<Index>(shape.m); ++i)
        simd.add_row(c.data() + i * n, a + i * k, b, n, k);
    flip_bit_if_asked("reference", std::span(c));
}

/// The order of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", 2008): a part of
/// B that stays in the last cache, strips of A in the second, a strip of B in the first, a tile of C in the
/// registers.
void multiply_by_blocks(std::vector<float>& c, const Shape& shape, const float* a, const float* b,
                        const Loops& simd) {
    const auto m = static_cast<Index>(shape.m);
    const auto n = static_cast<Index>(shape.n);
    const auto k = static_cast<Index>(shape.k);
    constexpr Index depth = blocked_depth;
    constexpr Index columns = 4096;
    constexpr Index strips_of_a = 8;  // of a task
    constexpr Index strips_of_b = 16;
    std::ranges::fill(c, 0.0F);
    Strips a_strips(simd.rows, m, std::min(depth, k));
    for (Index column = 0; column < n; column += columns) {
        const Index width = std::min(columns, n - column);
        Strips b_strips(simd.columns, width, std::min(depth, k));
        for (Index begin = 0; begin < k; begin += depth) {
            const Index deep = std::min(depth, k - begin);
            a_strips.fill(deep, a + begin, 1, k);
            b_strips.fill(deep, b + begin * n + column, n, 1);
#pragma omp parallel for collapse(2) schedule(dynamic)
            for (Index i_task = 0; i_task < a_strips.count(); i_task += strips_of_a)
                for (Index j_task = 0; j_task < b_strips.count(); j_task += strips_of_b)
                    for (Index j = j_task; j < std::min(j_task + strips_of_b, b_strips.count()); ++j)
                        for (Index i = i_task; i < std::min(i_task + strips_of_a, a_strips.count()); ++i)
                            add_tile_at(c.data(), m, n, i * simd.rows, column + j * simd.columns, simd,
                                        a_strips.strip(i), b_strips.strip(j), deep);
        }
    }
    flip_bit_if_asked("blocked", std::span(c));
}

/// OpenBLAS, where it is there; its interface in C is that of every BLAS.
class OpenBlas {
  public:
    OpenBlas() {
        if (set_threads_ != nullptr) set_threads_(omp_get_max_threads());
    }

    [[nodiscard]] bool loaded() const { return multiply_ != nullptr; }

    void multiply(std::vector<float>& c, const Factors& f) const {
        constexpr int row_major = 101;
        constexpr int as_it_is = 111;
        const int m = static_cast<int>(f.shape.m);
        const int n = static_cast<int>(f.shape.n);
        const int k = static_cast<int>(f.shape.k);
        multiply_(row_major, as_it_is, as_it_is, m, n, k, 1, f.a.data(), k, f.b.data(), n, 0, c.data(), n);
        flip_bit_if_asked("openblas", std::span(c));
    }

    /// The processor it takes this one for.
    [[nodiscard]] std::string core() const { return core_ == nullptr ? "an unknown processor" : core_(); }

  private:
    using Sgemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                       const float* a, int a_stride, const float* b, int b_stride, float beta, float* c,
                       int c_stride);
    static SharedLibrary load() {
        // A version that does not know a new processor takes it for an old one, and is slow.
        if (simd_level() == SimdLevel::avx512) setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
        return {"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib"};
    }
    SharedLibrary library_ = load();
    Sgemm* multiply_ = library_.function<Sgemm>("cblas_sgemm");
    const char* (*core_)() = library_.function<const char*()>("openblas_get_corename");
    void (*set_threads_)(int) = library_.function<void(int)>("openblas_set_num_threads");
};

const OpenBlas& open_blas() {
    static const OpenBlas library;
    return library;
}

class CpuProduct final : public Product {
  public:
    explicit CpuProduct(const Factors& factors) : factors_(factors), c_(factors.shape.m * factors.shape.n) {}

    double run(const Kernel& kernel) override {
        return wall_ms([&] {
            const auto& [shape, a, b] = factors_;
            if (kernel.name == "reference")
                multiply_plainly(c_, shape, a.data(), b.data());
            else if (kernel.name == "blocked")
                multiply_by_blocks(c_, shape, a.data(), b.data(), levels().front());
            else
                open_blas().multiply(c_, factors_);
        });
    }

    [[nodiscard]] std::vector<float> result(const Kernel& kernel) override {
        std::ranges::fill(c_, std::numeric_limits<float>::quiet_NaN());
        run(kernel);
        return c_;
    }

    [[nodiscard]] std::optional<Occupancy> occupancy(const Kernel&) const override { return std::nullopt; }

  private:
    const Factors& factors_;
    std::vector<float> c_;
};

constexpr Index strip = 1024;  // columns that are made together

/// The product, or some rows of it, by a function that multiplies.
template <class Multiply>
std::vector<float> rows_of_product(const Factors& factors, const std::optional<Rows>& rows,
                                   Multiply multiply) {
    Shape shape = factors.shape;
    std::vector<float> some_of_a;
    if (rows) {
        shape.m = rows->size();
        some_of_a = take_rows(factors.a, *rows, shape.k);
    }
    std::vector<float> c(shape.m * shape.n);
    multiply(c, shape, rows ? some_of_a.data() : factors.a.data(), factors.b.data());
    return c;
}

/// TFLOP/s of all cores.
double fma_tflops() {
    constexpr Index rounds = 1 << 18;
    constexpr int tasks = 64;
    float sum = 0;
    const Measurement time = measure([&] {
        return wall_ms([&] {
#pragma omp parallel for reduction(+ : sum)
            for (int task = 0; task < tasks; ++task) sum += levels().front().chain_fmas(rounds);
        });
    });
    return sum == 0 ? 0 : 2.0 * ceiling_chains * tasks * static_cast<double>(rounds) / time.median / 1e9;
}

}  // namespace

Factors random_factors(const Shape& shape) {
    Factors factors{shape, std::vector<float>(shape.m * shape.k), std::vector<float>(shape.k * shape.n)};
    const std::size_t a_size = factors.a.size();
    const std::size_t size = a_size + factors.b.size();
    constexpr std::size_t piece = 256 * RandBlocks::size;  // to enter the stream takes as long as 50 blocks
    const auto pieces = static_cast<Index>((size + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic)
    for (Index p = 0; p < pieces; ++p) {
        const std::size_t begin = static_cast<std::size_t>(p) * piece;
        RandBlocks stream(begin);
        for (std::size_t first = begin; first < std::min(begin + piece, size); first += RandBlocks::size) {
            const auto words = stream.next();
            for (std::size_t i = 0; i < std::min(words.size(), size - first); ++i) {
                const auto centred = static_cast<std::int32_t>(words[i]) - (1 << 30);
                const float element = static_cast<float>(centred) * 0x1p-30F;
                (first + i < a_size ? factors.a[first + i] : factors.b[first + i - a_size]) = element;
            }
        }
    }
    return factors;
}

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

std::vector<float> reference(const Factors& factors, const std::optional<Rows>& rows) {
    return rows_of_product(factors, rows, multiply_plainly);
}

std::vector<std::string> simd_levels() {
    std::vector<std::string> names;
    for (const Loops& level : levels()) names.emplace_back(level.simd);
    return names;
}

std::vector<float> blocked(const Factors& factors, const std::optional<Rows>& rows, std::size_t level) {
    return rows_of_product(
        factors, rows, [level](std::vector<float>& c, const Shape& shape, const float* a, const float* b) {
            multiply_by_blocks(c, shape, a, b, levels()[level]);
        });
}

ExactRows exact_rows(const Factors& factors, Rows rows) {
    const std::size_t n = factors.shape.n;
    const std::size_t k = factors.shape.k;
    const std::size_t count = rows.size();
    ExactRows exact{std::move(rows), std::vector<double>(count * n), std::vector<double>(count * n)};
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

Accuracy accuracy(const ExactRows& exact, const std::vector<float>& c) {
    double squared_error = 0;
    double squared_norm = 0;
    double worst = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double value = exact.values[i];
        const double error = std::fabs(c[i] - value);
        squared_error += error * error;
        squared_norm += value * value;
        const double share = error == 0 ? 0 : error / exact.magnitudes[i];
        if (!(share <= worst) && !std::isnan(worst)) worst = share;  // a NaN too, and for good
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

std::size_t differing(const std::vector<float>& c, const std::vector<float>& expected) {
    std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (Index i = 0; i < static_cast<Index>(expected.size()); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (std::bit_cast<std::uint32_t>(c[at]) != std::bit_cast<std::uint32_t>(expected[at])) ++count;
    }
    return count;
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

std::uint32_t checksum_of(const std::vector<float>& c) {
    constexpr std::size_t part = std::size_t{1} << 20U;
    const std::size_t parts = (c.size() + part - 1) / part;
    std::vector<std::uint32_t> sums(parts);
    const auto floats = [&](std::size_t i) {
        return std::span(c).subspan(i * part, std::min(part, c.size() - i * part));
    };
#pragma omp parallel for schedule(dynamic)
    for (Index i = 0; i < static_cast<Index>(parts); ++i)
        sums[static_cast<std::size_t>(i)] = checksum(floats(static_cast<std::size_t>(i)));
    uLong sum = 0;
    for (std::size_t i = 0; i < parts; ++i)
        sum = crc32_combine(sum, sums[i], static_cast<z_off_t>(floats(i).size_bytes()));
    return static_cast<std::uint32_t>(sum);
}

Side cpu() {
    Side side;
    side.kernels = {{"reference", "memory", "three plain loops, on all cores over the rows of C: the oracle"},
                    {"blocked", "cache", "by blocks that fit into caches and registers, on all cores"}};
    side.kernels.back().compared_with = Way::plainly;
    side.peers = [] {
        const std::string what =
            open_blas().loaded() ? fmt::format("OpenBLAS's sgemm for {}", open_blas().core()) : "";
        Kernel peer{"openblas", "library", what, DeviceKind::cpu, float32_bound};
        peer.why_not = [](const Device&, const Shape& shape) -> std::string {
            if (!open_blas().loaded()) return "libopenblas is not there";
            return std::max({shape.m, shape.n, shape.k}) > std::numeric_limits<int>::max()
                       ? "OpenBLAS takes sides up to 2^31 - 1"
                       : "";
        };
        return std::vector{std::move(peer)};
    };
    side.make = [](const Device&, const Factors& factors) { return std::make_unique<CpuProduct>(factors); };
    side.ceilings = [](const Device&) {
        return std::vector<std::pair<std::string, double>>{{"fma_tflops", fma_tflops()}};
    };
    return side;
}

}  // namespace cudabook::matmul
