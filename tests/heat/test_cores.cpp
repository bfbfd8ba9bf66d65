// heat_notexture/parts/workers/cores.hpp: which workers share the cores of a machine.
#include "heat_notexture/parts/workers/cores.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>

#include "heat_notexture/parts/workers/threads.hpp"
#include "tests/support/wrapped_worker.hpp"

namespace cudabook {
namespace {

/// A worker of another machine.
class Elsewhere : public test::WrappedWorker {
  public:
    Elsewhere(Worker& worker, int machine) : WrappedWorker(worker), machine_(machine) {}
    [[nodiscard]] int machine() const override { return machine_; }

  private:
    int machine_;
};

/// The number of workers that share the cores of each of four workers.
std::array<int, 4> sharers(const std::array<std::string, 4>& cores, const std::array<int, 4>& machines) {
    std::array<int, 4> found{};
    run_on_threads(4, [&](Worker& worker) {
        const auto own = static_cast<std::size_t>(worker.index());
        Elsewhere there(worker, machines[own]);
        found[own] = workers_with(there, cores[own]);
        return ExitStatus::ok;
    });
    return found;
}

TEST(Cores, OfASetAreSharedByAllThatMayRunThere) {
    EXPECT_EQ(sharers({"0-1", "0-1", "0-1", "0-1"}, {0, 0, 0, 0}), (std::array{4, 4, 4, 4}));
    EXPECT_EQ(sharers({"", "", "", ""}, {0, 0, 0, 0}), (std::array{4, 4, 4, 4}));
}

TEST(Cores, OfABoundWorkerAreItsOwn) {
    EXPECT_EQ(sharers({"0-1", "2-3", "4-5", "6-7"}, {0, 0, 0, 0}), (std::array{1, 1, 1, 1}));
    EXPECT_EQ(sharers({"0-3", "0-3", "4-7", "4-7"}, {0, 0, 0, 0}), (std::array{2, 2, 2, 2}));
}

TEST(Cores, OfAnotherMachineAreOthers) {
    EXPECT_EQ(sharers({"0-1", "0-1", "0-1", "0-1"}, {0, 0, 2, 2}), (std::array{2, 2, 2, 2}));
    EXPECT_EQ(sharers({"0-1", "2-3", "0-1", "2-3"}, {0, 0, 2, 2}), (std::array{1, 1, 1, 1}));
}

TEST(Cores, AreThoseThatThisProcessMayRunOn) {
#ifdef __linux__
    EXPECT_NE(cores_allowed(), "");
    EXPECT_EQ(cores_allowed().find_first_not_of("0123456789,-"), std::string::npos) << cores_allowed();
#endif
}

}  // namespace
}  // namespace cudabook
