// The room on the CPU: the words are made in blocks, on all cores, and read as they come.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <span>

#include "common/rand_blocks.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

using Words = std::span<const std::uint32_t>;

#ifdef __GLIBC__
constexpr bool c_library_has_the_stream = true;
#else
constexpr bool c_library_has_the_stream = false;
#endif

std::uint32_t sum_of(Words words) {
    std::uint32_t sum = 0;
    for (const std::uint32_t word : words) sum += word;
    return sum;
}

/// Adds up what `read` makes of each block: it is given the number of the block's first word, and the block.
template <class Read>
std::uint32_t sum_of_stream(std::size_t words, const OnProgress& on_progress, Read read) {
    constexpr std::size_t blocks_at_once = 1024;  // to enter the stream takes as long as 50 blocks
    const std::size_t blocks = (words + RandBlocks::size - 1) / RandBlocks::size;
    const auto pieces = static_cast<std::ptrdiff_t>((blocks + blocks_at_once - 1) / blocks_at_once);
    std::atomic<std::ptrdiff_t> done = 0;
    std::uint32_t sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (std::ptrdiff_t piece = 0; piece < pieces; ++piece) {
        std::size_t first = static_cast<std::size_t>(piece) * blocks_at_once * RandBlocks::size;
        const std::size_t end = std::min(words, first + blocks_at_once * RandBlocks::size);
        for (RandBlocks stream(first); first < end; first += RandBlocks::size)
            sum += read(first, stream.next().first(std::min(RandBlocks::size, end - first)));
        ++done;
        if (omp_get_thread_num() == 0) on_progress(static_cast<double>(done) / static_cast<double>(pieces));
    }
    on_progress(1);  // another thread may have had the last piece, or all of them
    return sum;
}

/// Words of the array, read as texels through the textures that they stand in.
std::uint32_t sum_through_textures(const Split& split, std::size_t first_word, Words words) {
    const auto components = static_cast<std::size_t>(split.components);
    const std::size_t first = first_word / components;
    const std::size_t end = first + words.size() / components;
    std::uint32_t sum = 0;
    for (std::size_t texel = first; texel < end;) {
        const std::size_t texture = texel >> split.index_bits;
        const std::size_t texture_end = std::min(end, split.begin(texture) + split.size(texture));
        sum += sum_of(words.subspan((texel - first) * components, (texture_end - texel) * components));
        texel = texture_end;
    }
    return sum;
}

class Stream final : public Data {
  public:
    explicit Stream(std::size_t words) : words_(words) {}

    [[nodiscard]] std::string memory() const override { return "stream"; }
    [[nodiscard]] int index_bits(int) const override { return 62; }

    Reading read(const Kernel& kernel, const Split& split, const OnProgress& on_progress) override {
        Reading reading{};
        reading.ms = wall_ms([&] {
            reading.sum = kernel.memory == "global"
                              ? expected_sum(words_, on_progress)
                              : sum_of_stream(words_, on_progress, [&](std::size_t first, Words words) {
                                    return sum_through_textures(split, first, words);
                                });
        });
        return reading;
    }

    /// A serial loop of the C library's rand(), where that is the GNU one.
    [[nodiscard]] std::string peer() const override { return c_library_has_the_stream ? "rand" : ""; }
    Reading read_by_peer() override {
        Reading reading{};
        reading.ms = wall_ms([&] {
            std::srand(1);
            for (std::size_t i = 0; i < words_; ++i) reading.sum += static_cast<std::uint32_t>(std::rand());
        });
        return reading;
    }

  private:
    std::size_t words_;
};

}  // namespace

std::vector<Kernel> cpu_kernels() {
    return {{"book", "texture1d", "through the textures that the book's program has", DeviceKind::cpu,
             as_in_book},
            {"global", "global", "without textures", DeviceKind::cpu},
            {"texture", "texture1d", "through as many textures as it takes", DeviceKind::cpu}};
}

std::unique_ptr<Data> cpu_data(std::size_t words) { return std::make_unique<Stream>(words); }

std::uint32_t expected_sum(std::size_t words, const OnProgress& on_progress) {
    return sum_of_stream(words, on_progress, [](std::size_t, Words block) { return sum_of(block); });
}

}  // namespace cudabook::tex1dfetch_big
