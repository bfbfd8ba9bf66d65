// heat_notexture/gpu/stream_*.hpp: the bands and shares cover every grid once, with halos as wide as the
// steps need, and kernel `streamed` is used where it is quickest.
#include "heat_notexture/gpu/stream_tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/stream_time.hpp"
#include "heat_notexture/scene.hpp"
#include "tests/heat/source_tiles.hpp"

namespace cudabook::heat {
namespace {

constexpr GpuTraits hopper{132, true};

TEST(StreamTiling, BandsWriteEachColumnOnceAndReadAHaloBeside) {
    for (const int columns : stream_columns)
        for (int width = 32 * columns; width < 5000; width += width < 1500 ? 4 : 332)
            for (const int steps : {1, 3, 10, 24}) {
                SCOPED_TRACE(testing::Message()
                             << width << ", " << columns << " a lane, " << steps << " steps");
                const Bands bands = bands_of(width, columns, steps);
                EXPECT_EQ(bands.begin(0), 0);
                EXPECT_EQ(bands.begin(bands.count - 1) + 32 * columns, width);
                EXPECT_EQ(bands.first_written(0), 0);
                EXPECT_EQ(bands.first_written(bands.count), width);
                for (int band = 0; band < bands.count; ++band) {
                    const int begin = bands.begin(band);
                    const int first = bands.first_written(band);
                    const int end = bands.first_written(band + 1);
                    ASSERT_EQ(begin % 4, 0);
                    ASSERT_EQ(first % 4, 0);
                    ASSERT_LT(first, end);
                    ASSERT_GE(first - begin, band == 0 ? 0 : steps);
                    ASSERT_GE(begin + 32 * columns - end, band + 1 == bands.count ? 0 : steps);
                }
            }
}

/// The shares of all blocks write each row of each band once.
void expect_each_row_once(int width, int height, int steps, const StreamTiling& tiling,
                          const StreamCuts& cuts) {
    const Bands bands = bands_of(width, tiling.columns, steps);
    const RowsInLine line = rows_in_line(height, steps);
    std::vector<StreamCuts::Share> shares(cuts.shares, cuts.shares + tiling.blocks);
    std::ranges::stable_sort(shares, {}, [](const auto& share) { return std::pair(share.begin, share.end); });
    int place = 0;
    int band = 0;
    int row = 0;
    for (auto [next, end] : shares) {
        EXPECT_EQ(next, place);
        place = end;
        for (Stretch s; line.take(next, end, s);) {
            if (row == height) {
                ++band;
                row = 0;
            }
            ASSERT_EQ(s.band, band);
            ASSERT_EQ(s.top, row);
            ASSERT_LT(s.top, s.bottom);
            row = s.bottom;
        }
    }
    EXPECT_EQ(place, line.count(bands.count));
    EXPECT_EQ(band, bands.count - 1);
    EXPECT_EQ(row, height);
}

std::vector<unsigned char> no_sources(int width, int height) {
    return std::vector<unsigned char>(static_cast<std::size_t>((width + 127) / 128) * ((height + 7) / 8));
}

TEST(StreamTiling, BlocksWriteEachRowOnce) {
    for (const int width : {384, 640, 1000, 4096})
        for (const int height : {32, 33, 129, 1000})
            for (const int steps : {1, 9, 24})
                for (const int blocks : {1, 3, 132})
                    for (const int columns : stream_columns) {
                        if (width < 32 * columns) continue;
                        SCOPED_TRACE(testing::Message() << width << "x" << height << ", " << steps
                                                        << " steps, " << blocks << " blocks");
                        std::vector<unsigned char> flags = no_sources(width, height);
                        SourceTiles without(width, height, flags);
                        const StreamTiling tiling{columns, blocks};
                        expect_each_row_once(width, height, steps, tiling, without.cuts(tiling, steps));
                        for (std::size_t i = 0; i < flags.size(); i += 5) flags[i] = 1;
                        SourceTiles with(width, height, flags);
                        expect_each_row_once(width, height, steps, tiling, with.cuts(tiling, steps));
                    }
}

TEST(StreamTiling, BlocksWithSourcesHaveFewerRows) {
    std::vector<unsigned char> flags = no_sources(640, 800);
    for (std::size_t i = 0; i < flags.size() / 2; ++i) flags[i] = 1;
    SourceTiles tiles(640, 800, flags);
    const StreamCuts& cuts = tiles.cuts({20, 2}, 24);
    EXPECT_EQ(cuts.with_sources, 2);
    const int cut = cuts.shares[0].end;
    // Both blocks begin a stretch, which costs them 36 rows at each end.
    const double of_first = time_of_source_row * (36 + cut + 36);
    const double of_second = time_of_source_row * (36 + 400 - cut) + time_of_row_beside_sources * (400 + 36);
    EXPECT_NEAR(of_first, of_second, 2 * time_of_source_row);
    EXPECT_NEAR(tiles.time({20, 2}, 24), of_first, 2 * time_of_source_row);
}

TEST(StreamTiling, TheNumberOfSharesWithSourcesIsEven) {
    for (std::size_t row = 0; row < 100; row += 7) {
        std::vector<unsigned char> flags = no_sources(640, 8000);
        flags[10 * row] = 1;
        const int with_sources = SourceTiles(640, 8000, flags).cuts({20, 20}, 24).with_sources;
        EXPECT_TRUE(with_sources == 2 || with_sources == 4) << with_sources;
    }
}

/// Returns whether a block reads a row that lies in a tile with a source. The block reads rows in groups of
/// three, from `steps` above a stretch, and rows beyond the grid are mirrored.
bool reads_sources(int width, int height, int steps, const StreamTiling& tiling, const StreamCuts& cuts,
                   int block, const std::vector<unsigned char>& flags) {
    const Bands bands = bands_of(width, tiling.columns, steps);
    auto [next, end] = cuts.shares[block];
    for (Stretch s{}; rows_in_line(height, steps).take(next, end, s);)
        for (int i = 0; i < (s.bottom - s.top + 2 * steps + 2) / 3 * 3; ++i) {
            const int y = s.top - steps + i;
            const int row = (y < 0 ? -1 - y : y >= height ? 2 * height - 1 - y : y) / 8;
            for (int x = bands.begin(s.band); x < bands.begin(s.band) + 32 * tiling.columns; x += 4)
                if (flags[static_cast<std::size_t>(x / 128 + row * ((width + 127) / 128))] != 0) return true;
        }
    return false;
}

TEST(StreamTiling, BlocksThatReadNoSourceAreKnown) {
    int with = 0;
    int without = 0;
    for (const auto& [width, height] : {std::pair{640, 800}, std::pair{1284, 300}, std::pair{384, 33}})
        for (const int steps : {1, 10, 24})
            for (const int blocks : {1, 3, 20})
                for (const int columns : stream_columns)
                    for (std::size_t tile = 0; tile < no_sources(width, height).size(); tile += 11) {
                        if (width < 32 * columns) continue;
                        std::vector<unsigned char> flags = no_sources(width, height);
                        flags[tile] = 1;
                        const StreamTiling tiling{columns, blocks};
                        SourceTiles tiles(width, height, flags);
                        const StreamCuts& cuts = tiles.cuts(tiling, steps);
                        for (int block = 0; block < blocks; ++block) {
                            const bool reads =
                                reads_sources(width, height, steps, tiling, cuts, block, flags);
                            EXPECT_TRUE((block < cuts.with_sources) || !reads);
                            ++(reads ? with : without);
                            without -= (block < cuts.with_sources) && !reads ? 1 : 0;
                        }
                    }
    EXPECT_GT(with, 300);
    EXPECT_GT(without, with) << "blocks without sources must be told from others";
}

TEST(StreamTiling, LeavesWhatItCannotDoToOthers) {
    const auto stream_tiling = [](int width, int height, int steps, int most, const GpuTraits& gpu,
                                  double than) {
        return heat::stream_tiling(width, height, steps, most, gpu, nullptr, than);
    };
    EXPECT_TRUE(stream_tiling(4096, 4096, 24, 24, hopper, 1e9));
    EXPECT_FALSE(stream_tiling(4096, 4096, 24, 24, {108, false}, 1e9)) << "no Hopper";
    EXPECT_FALSE(stream_tiling(4098, 4096, 24, 24, hopper, 1e9)) << "no whole fours";
    EXPECT_FALSE(stream_tiling(380, 4096, 24, 24, hopper, 1e9)) << "narrower than a band";
    EXPECT_FALSE(stream_tiling(4096, 31, 24, 24, hopper, 1e9)) << "too low";
    EXPECT_FALSE(stream_tiling(1 << 15, 1 << 29, 24, 24, hopper, 1e99)) << "too high";
    EXPECT_EQ(stream_tiling(500, 4096, 24, 24, hopper, 1e9)->columns, 12);
    EXPECT_EQ(stream_tiling(8192, 8192, 24, 24, hopper, 1e9)->columns, 20);
    EXPECT_FALSE(stream_tiling(8192, 8192, 24, 24, hopper, 1)) << "others are quicker";
}

TEST(StreamTiling, SmallGridsAreLeftToPrefetched) {
    EXPECT_EQ(steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 1024, 1024, 90, hopper),
              steps_at_once(prefetched_time, register_steps, 1024, 1024, 90, hopper));
    EXPECT_GT(steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 8192, 8192, 90, hopper),
              register_steps);
    EXPECT_EQ(
        steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 8192, 8192, 90, {132, false}),
        steps_at_once(prefetched_time, register_steps, 8192, 8192, 90, {132, false}));
}

TEST(StreamTiling, GridsWithSourcesAreLeftToPrefetchedUpToALargerSize) {
    SourceTiles sources = test::tiles_of(book_scene(2048, 2048));
    EXPECT_GT(steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 2048, 2048, 96, hopper),
              register_steps);
    EXPECT_LE(steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 2048, 2048, 96, hopper,
                            &sources),
              register_steps);
    SourceTiles more = test::tiles_of(book_scene(4096, 4096));
    EXPECT_GT(steps_at_once(streamed_time<prefetched_or_register_time>, stream_steps, 4096, 4096, 96, hopper,
                            &more),
              register_steps);
}

}  // namespace
}  // namespace cudabook::heat
