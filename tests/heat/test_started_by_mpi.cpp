// heat_notexture/parts/workers/processes.hpp: a launcher tells each process in its environment that it is one
// of several.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "heat_notexture/parts/workers/processes.hpp"
#include "tests/support/scoped_variable.hpp"

namespace cudabook {
namespace {

struct Variable {
    const char* name;
    const char* value;
};

bool started_with(const std::vector<Variable>& variables) {
    std::vector<std::unique_ptr<test::ScopedVariable>> all;
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
                             "PMIX_RANK", "SLURM_STEP_NUM_TASKS"})
        all.push_back(std::make_unique<test::ScopedVariable>(name, nullptr));
    for (const Variable& variable : variables)
        all.push_back(std::make_unique<test::ScopedVariable>(variable.name, variable.value));
    const bool started = started_by_mpi();
    while (!all.empty()) all.pop_back();
    return started;
}

TEST(StartedByMpi, AsOneOfSeveral) {
    EXPECT_TRUE(started_with({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}}));
    EXPECT_TRUE(started_with({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}));
    EXPECT_TRUE(started_with({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}}));
    EXPECT_TRUE(started_with({{"PMIX_RANK", "0"}}));  // by a launcher that gives no count
}

// For example a shell that srun --pty has started, and the programs that are started from that shell.
TEST(StartedByMpi, AloneIsAProgramLikeAnyOther) {
    EXPECT_FALSE(started_with({}));
    EXPECT_FALSE(started_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
    EXPECT_FALSE(started_with({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}));
    EXPECT_FALSE(started_with({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
    EXPECT_FALSE(started_with({{"PMIX_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
    EXPECT_FALSE(started_with({{"SLURM_STEP_NUM_TASKS", "8"}}));
}

}  // namespace
}  // namespace cudabook
