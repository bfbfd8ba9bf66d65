// The CPU: the array's words; the reference, which reads them in order; and the kernel `loop`, which reads
// them in a pattern's order.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "access_patterns/access_patterns.hpp"
#include "common/numbers/rand_blocks.hpp"
#include "common/program/fault.hpp"

namespace cudabook::access_patterns {

std::vector<std::uint32_t> random_words(std::size_t size) {
    constexpr std::size_t piece = 64 * RandBlocks::size;
    std::vector<std::uint32_t> words(size);
    const auto pieces = static_cast<std::ptrdiff_t>((size + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t p = 0; p < pieces; ++p) {
        std::size_t first = static_cast<std::size_t>(p) * piece;
        const std::size_t last = std::min(size, first + piece);
        RandBlocks stream(first);
        for (; first < last; first += RandBlocks::size)
            std::ranges::copy(stream.next().first(std::min(RandBlocks::size, last - first)),
                              words.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return words;
}

std::uint32_t expected_sum(std::span<const std::uint32_t> words) {
    std::uint32_t sum = 0;
    for (const std::byte byte : std::as_bytes(words)) sum += std::to_integer<std::uint32_t>(byte);
    flip_bit_if_asked(reference, std::span(&sum, 1));
    return sum;
}

namespace {

template <std::size_t element_bytes, class Pattern>
std::uint32_t sum_of_walk(std::span<const std::byte> bytes, const Pattern& pattern) {
    const auto count = static_cast<std::int64_t>(bytes.size() / element_bytes);
    std::uint32_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
        std::array<std::uint8_t, element_bytes> element;
        std::memcpy(element.data(), &bytes[pattern(static_cast<std::uint32_t>(i)) * element_bytes],
                    element_bytes);
        for (const std::uint8_t byte : element) sum += byte;
    }
    return sum;
}

class CpuData final : public Data {
  public:
    explicit CpuData(std::span<const std::uint32_t> words) : bytes_(std::as_bytes(words)) {}

    std::uint32_t sum(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern) override {
        std::uint32_t sum = std::visit(
            [&](const auto& walk) {
                switch (element_bytes) {
                    case 1:
                        return sum_of_walk<1>(bytes_, walk);
                    case 2:
                        return sum_of_walk<2>(bytes_, walk);
                    case 4:
                        return sum_of_walk<4>(bytes_, walk);
                    case 8:
                        return sum_of_walk<8>(bytes_, walk);
                    default:
                        return sum_of_walk<16>(bytes_, walk);
                }
            },
            pattern);
        flip_bit_if_asked(kernel.name, std::span(&sum, 1));
        return sum;
    }

    Timing measure(const Kernel& kernel, std::size_t element_bytes, const Pattern& pattern,
                   const TimeBudget& budget) override {
        volatile std::uint32_t kept = 0;
        return {cudabook::measure(
                    [&] { return wall_ms([&] { kept = sum(kernel, element_bytes, pattern); }); }, budget),
                std::nullopt};
    }

    double read_gb_per_s(const TimeBudget& budget) override {
        const auto count = static_cast<std::int64_t>(bytes_.size() / sizeof(std::uint64_t));
        volatile std::uint64_t kept = 0;
        const Measurement time = cudabook::measure(
            [&] {
                return wall_ms([&] {
                    std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
                    for (std::int64_t i = 0; i < count; ++i) {
                        std::uint64_t word = 0;
                        std::memcpy(&word, &bytes_[static_cast<std::size_t>(i) * sizeof word], sizeof word);
                        sum += word;
                    }
                    kept = sum;
                });
            },
            budget);
        return static_cast<double>(bytes_.size()) / time.median / 1e6;
    }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<Kernel> cpu_kernels() {
    return {{.name = "loop",
             .memory = "host",
             .what = "the same walk on the CPU, on all cores",
             .device = DeviceKind::cpu,
             .path = Path::global}};
}

std::unique_ptr<Data> make_cpu_data(std::span<const std::uint32_t> words) {
    return std::make_unique<CpuData>(words);
}

}  // namespace cudabook::access_patterns
