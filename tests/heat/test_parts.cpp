// heat_notexture/parts/: several workers heat a grid as one worker does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "common/numbers/crc32.hpp"
#include "common/program/errors.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/parts/checkpoint.hpp"
#include "heat_notexture/parts/counts_of_all.hpp"
#include "heat_notexture/parts/grid_picture.hpp"
#include "heat_notexture/parts/part_run.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/parts/workers/threads.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/wrapped_worker.hpp"

namespace {

/// The errors of the next calls of fallocate(), from the last element on. If empty, fallocate() works as
/// usual.
std::vector<int> fallocate_fails;

}  // namespace

extern "C" int fallocate(int file, int mode, off_t offset, off_t size) {
    if (fallocate_fails.empty()) return static_cast<int>(syscall(SYS_fallocate, file, mode, offset, size));
    errno = fallocate_fails.back();
    fallocate_fails.pop_back();
    return -1;
}

namespace cudabook::heat {
namespace {

const SolverOptions as_usual{};

Kernel kernel_named(const std::string& name) {
    const auto kernels = cpu_kernels();
    return *std::ranges::find(kernels, name, &Kernel::name);
}

int depth_of(const Partition& partition, int wanted) {
    return partition.deepest_halo() ? std::min(wanted, *partition.deepest_halo()) : wanted;
}

/// Calls work(worker, partition, part) on the workers that have parts.
template <class Work>
void on_parts(int width, int height, int workers, const std::vector<std::string>& kernels, int depth,
              Work work) {
    const Partition partition(width, height, workers);
    run_on_threads(partition.parts(), [&](Worker& worker) {
        const Kernel kernel =
            kernel_named(kernels[static_cast<std::size_t>(worker.index()) % kernels.size()]);
        PartSolver part(worker, partition, depth_of(partition, depth), kernel, as_usual);
        work(worker, partition, part);
        return ExitStatus::ok;
    });
}

std::vector<float> whole(int width, int height, int steps) {
    const auto solver = kernel_named("reference").make(book_scene(width, height), as_usual);
    solver->advance(steps);
    return solver->temperatures();
}

TEST(SceneOfARegion, IsPartOfTheScene) {
    const int width = 77, height = 50;
    const Scene all = book_scene(width, height);
    for (const Region region :
         {Region{0, 0, 77, 50}, Region{10, 5, 60, 40}, Region{0, 38, 20, 12}, Region{76, 49, 1, 1}}) {
        const Scene part = book_scene(width, height, region);
        std::size_t next = 0;
        for_each_cell(region, width, [&](std::size_t i) {
            EXPECT_EQ(part.start[next], all.start[i]);
            EXPECT_EQ(part.sources[next], all.sources[i]);
            ++next;
        });
        EXPECT_EQ(next, part.start.size());
    }
}

/// Counts the bytes that a worker passes to all_gather().
class Counting : public test::WrappedWorker {
  public:
    using WrappedWorker::WrappedWorker;
    std::vector<std::string> all_gather(std::string_view said) override {
        bytes_ += said.size();
        return WrappedWorker::all_gather(said);
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

// The message must not grow with the rows: MPI's lengths are ints, and a grid may have 2^30 rows.
TEST(PartsChecksum, TakesAShortMessageHoweverManyRowsThereAre) {
    const int width = 1, height = 100'000;
    const std::uint32_t expected = cudabook::checksum(book_scene(width, height).start_or_cold());
    on_parts(width, height, 3, {"reference"}, 1,
             [&](Worker& worker, const Partition& partition, PartSolver& part) {
                 Counting counting(worker);
                 EXPECT_EQ(checksum(counting, partition, &part), expected);
                 EXPECT_LE(counting.bytes(), 16U);
             });
}

class Parts : public testing::TestWithParam<std::tuple<int, std::tuple<int, int>>> {};

INSTANTIATE_TEST_SUITE_P(WorkersAndSizes, Parts,
                         testing::Combine(testing::Values(1, 2, 3, 4, 6, 9),
                                          testing::Values(std::tuple{64, 64}, std::tuple{101, 37},
                                                          std::tuple{5, 90}, std::tuple{90, 5},
                                                          std::tuple{1, 7}, std::tuple{3, 3},
                                                          std::tuple{1, 1})));

TEST_P(Parts, GiveTheSameChecksumByEveryKernelAndDepth) {
    const auto [workers, size] = GetParam();
    const auto [width, height] = size;
    const std::uint32_t expected = cudabook::checksum(whole(width, height, 41));
    const std::vector<std::string> mixes[] = {{"reference"}, {"blocked"}, {"blocked", "reference"}};
    for (const auto& kernels : mixes)
        for (const int depth : {1, 2, 16, 41, 100})
            on_parts(width, height, workers, kernels, depth,
                     [&](Worker& worker, const Partition& partition, PartSolver& part) {
                         part.advance(20);
                         part.advance(21);
                         const std::uint32_t sum = checksum(worker, partition, &part);
                         EXPECT_EQ(sum, expected) << kernels.front() << ", depth " << depth;
                     });
}

TEST_P(Parts, ComeBackFromACheckpointInOtherParts) {
    const auto [workers, size] = GetParam();
    const auto [width, height] = size;
    const test::TemporaryFolder folder;
    const auto file = folder / "state.npz";
    on_parts(width, height, workers, {"blocked"}, 8,
             [&](Worker& worker, const Partition& partition, PartSolver& part) {
                 part.advance(30);
                 write_checkpoint(worker, partition, &part,
                                  {.width = partition.width(),
                                   .height = partition.height(),
                                   .frames = 3,
                                   .steps_per_frame = 10,
                                   .speed = 0.25F},
                                  file);
             });
    const Checkpoint checkpoint(file);
    EXPECT_EQ(checkpoint.head().frames, 3);
    EXPECT_EQ(checkpoint.head().checksum, cudabook::checksum(whole(width, height, 30)));
    const std::uint32_t expected = cudabook::checksum(whole(width, height, 41));
    for (const int others : {1, 2, 5})
        on_parts(width, height, others, {"reference", "blocked"}, 4,
                 [&](Worker& worker, const Partition& partition, PartSolver& part) {
                     checkpoint.read(worker, partition, &part);
                     part.advance(11);
                     EXPECT_EQ(checksum(worker, partition, &part), expected) << others;
                 });
}

TEST_P(Parts, DrawTheSamePicture) {
    const auto [workers, size] = GetParam();
    const auto [width, height] = size;
    const std::vector<float> cells = whole(width, height, 25);
    std::vector<unsigned char> expected;
    for (const float cell : cells) {
        const Rgba colour = colour_of(cell);
        expected.insert(expected.end(), {colour.red, colour.green, colour.blue, colour.alpha});
    }
    on_parts(width, height, workers, {"blocked"}, 5,
             [&](Worker& worker, const Partition& partition, PartSolver& part) {
                 part.advance(25);
                 const Picture drawn = picture(worker, partition, &part);
                 if (!worker.is_first()) return;
                 EXPECT_EQ(drawn.width, partition.width());
                 EXPECT_EQ(drawn.height, partition.height());
                 EXPECT_TRUE(drawn.rgba == expected);
             });
}

TEST(PartsPicture, OfALargeGridAveragesCells) {
    const int width = 4097, height = 3;
    std::vector<std::vector<unsigned char>> pictures;
    for (const int workers : {1, 2, 3, 5})
        on_parts(width, height, workers, {"blocked"}, 1,
                 [&](Worker& worker, const Partition& partition, PartSolver& part) {
                     part.advance(3);
                     Picture drawn = picture(worker, partition, &part);
                     if (!worker.is_first()) return;
                     EXPECT_EQ(drawn.width, 2049);
                     EXPECT_EQ(drawn.height, 2);
                     pictures.push_back(std::move(drawn.rgba));
                 });
    for (const auto& other : pictures) EXPECT_TRUE(other == pictures.front());
    // The last pixel of the top row is one cell.
    const std::vector<float> cells = whole(width, height, 3);
    const Rgba colour = colour_of(cells.back());
    const std::vector<unsigned char> last{colour.red, colour.green, colour.blue, colour.alpha};
    EXPECT_TRUE(std::equal(last.begin(), last.end(), pictures.front().end() - 4));
}

// A PartRun for another size, as a benchmark makes for each of its sizes.
TEST(PartRunOfASize, IsRefusedWhereThereIsNotTheMemory) {
    const std::string program = "heat";
    const GpuBackend no_gpu;
    Options options;
    options.common.quiet = true;
    Options large = options;
    large.width = large.height = 1000000;
    run_on_threads(2, [&](Worker& worker) {
        const PartRun run(worker, program, no_gpu, options, {});
        try {
            const PartRun of_size(run, large);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const FailedTogether& failure) {
            EXPECT_EQ(failure.status(), ExitStatus::machine);
            EXPECT_EQ(std::string(failure.what()).starts_with("a grid of 1000000x1000000 cells needs"),
                      worker.is_first());
        }
        return ExitStatus::ok;
    });
}

/// The kernels launched since the last call, as if each worker were a process.
std::vector<KernelCounts> counted_by_one() {
    KernelCounts kernel{"kernel", 2, {}};
    kernel.counts.shuffles = 5;
    kernel.counts.global_load.bytes = 3;
    return {kernel, {"other", 1, {}}};
}

TEST(CountsOfAll, AreThoseOfAllWorkers) {
    counted_so_far = counted_by_one;
    run_on_threads(3, [&](Worker& worker) {
        const std::vector<KernelCounts> all = take_counts_of_all(worker, "a result");
        EXPECT_EQ(all.size(), 2U);
        if (all.size() != 2) return ExitStatus::ok;
        EXPECT_EQ(all[0].kernel, "kernel");
        EXPECT_EQ(all[0].launches, 6U);
        EXPECT_EQ(all[0].counts.shuffles, 15U);
        EXPECT_EQ(all[0].counts.global_load.bytes, 9U);
        EXPECT_EQ(all[1].kernel, "other");
        EXPECT_EQ(all[1].launches, 3U);
        return ExitStatus::ok;
    });
    counted_so_far = nullptr;
    run_on_threads(2, [&](Worker& worker) {
        EXPECT_TRUE(take_counts_of_all(worker, "a result").empty());
        return ExitStatus::ok;
    });
}

/// Writes the checkpoint of a small grid, with one worker.
void write_small(const std::filesystem::path& file, float speed = 0.25F) {
    on_parts(20, 10, 1, {"blocked"}, 1, [&](Worker& worker, const Partition& partition, PartSolver& part) {
        part.advance(5);
        write_checkpoint(worker, partition, &part,
                         {.width = 20, .height = 10, .frames = 1, .steps_per_frame = 5, .speed = speed},
                         file);
    });
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns why a run cannot resume from the checkpoint, or an empty string if it can.
std::string why_refused(const std::filesystem::path& file) {
    try {
        const Checkpoint checkpoint(file);
        on_parts(20, 10, 2, {"blocked"}, 1,
                 [&](Worker& worker, const Partition& partition, PartSolver& part) {
                     checkpoint.read(worker, partition, &part);
                 });
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

TEST(Checkpoint, IsRefusedWhereverItWasChanged) {
    const test::TemporaryFolder folder;
    write_small(folder / "whole.npz");
    const std::string bytes = content_of(folder / "whole.npz");
    EXPECT_EQ(why_refused(folder / "whole.npz"), "");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 4);
        const auto file = folder.file("changed.npz", changed);
        EXPECT_EQ(why_refused(file), file.string() + ": not a cudabook checkpoint, or damaged")
            << "byte " << i;
    }
}

TEST(Checkpoint, IsRefusedWhereItEndsTooEarlyOrTooLate) {
    const test::TemporaryFolder folder;
    write_small(folder / "whole.npz");
    const std::string bytes = content_of(folder / "whole.npz");
    for (std::size_t size = 0; size < bytes.size(); size += 7)
        EXPECT_NE(why_refused(folder.file("cut.npz", bytes.substr(0, size))), "") << size;
    EXPECT_NE(why_refused(folder.file("longer.npz", bytes + '\0')), "");
    EXPECT_NE(why_refused(folder / "none.npz"), "");
}

TEST(Checkpoint, IsRefusedWhereTheSpeedIsNotFinite) {
    const test::TemporaryFolder folder;
    for (const float speed :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const auto file = folder / "speed.npz";
        write_small(file, speed);
        EXPECT_EQ(why_refused(file), file.string() + ": not a cudabook checkpoint, or damaged");
    }
}

class CheckpointSpace : public testing::Test {
  protected:
    void TearDown() override { fallocate_fails.clear(); }
};

// Signals interrupt fallocate(), and then the file system cannot reserve space.
TEST_F(CheckpointSpace, CannotBeTakenBeforehand) {
    const test::TemporaryFolder folder;
    write_small(folder / "usual.npz");
    fallocate_fails = {EOPNOTSUPP, EINTR, EINTR};
    write_small(folder / "other.npz");
    EXPECT_TRUE(fallocate_fails.empty());
    EXPECT_EQ(content_of(folder / "other.npz"), content_of(folder / "usual.npz"));
}

TEST_F(CheckpointSpace, IsNotThere) {
    const test::TemporaryFolder folder;
    fallocate_fails = {ENOSPC};
    EXPECT_THROW(write_small(folder / "state.npz"), FailedTogether);
    EXPECT_TRUE(fallocate_fails.empty());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Checkpoint, StaysAsItWasWhileItIsOpen) {
    const test::TemporaryFolder folder;
    const auto file = folder / "state.npz";
    write_small(file);
    const Checkpoint old(file);
    write_small(file, 0.125F);
    EXPECT_EQ(Checkpoint(file).head().speed, 0.125F);
    EXPECT_EQ(old.head().speed, 0.25F);
    on_parts(20, 10, 2, {"blocked"}, 1, [&](Worker& worker, const Partition& partition, PartSolver& part) {
        old.read(worker, partition, &part);
        EXPECT_EQ(checksum(worker, partition, &part), old.head().checksum);
    });
}

/// Returns why no checkpoint can be written to the file, or an empty string if the file is writable.
std::string why_not_writable(const std::filesystem::path& file) {
    try {
        run_on_threads(2, [&](Worker& worker) {
            require_writable_checkpoint(worker, file);
            return ExitStatus::ok;
        });
    } catch (const FailedTogether& failure) {
        return failure.what();
    }
    return {};
}

TEST(Checkpoint, IsTriedWithoutATrace) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(why_not_writable(folder / "state.npz"), "");
    const auto old = folder.file("old.npz", "old");
    EXPECT_EQ(why_not_writable(old), "");
    EXPECT_EQ(why_not_writable(folder.path()), folder.path().string() + ": it is a folder");
    EXPECT_EQ(why_not_writable("/dev/null"), "/dev/null: it is no regular file");
    EXPECT_NE(why_not_writable(folder / "none" / "state.npz"), "");
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"old.npz"});
    EXPECT_EQ(content_of(old), "old");
}

TEST(Checkpoint, IsReplacedAsAWhole) {
    const test::TemporaryFolder folder;
    const auto file = folder / "state.npz";
    write_small(file);
    const std::string before = content_of(file);
    std::filesystem::create_directory(folder / "state.npz.part");  // nothing can be written there
    EXPECT_THROW(write_small(file), FailedTogether);
    EXPECT_EQ(content_of(file), before);
}

}  // namespace
}  // namespace cudabook::heat
