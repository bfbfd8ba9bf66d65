#include <algorithm>
#include <cstdlib>

#include "common/workers/processes.hpp"

namespace cudabook {

bool started_by_mpi() {
    // What Open MPI, MPICH and those made from it, and PMIx give each process; srun gives the last two.
    constexpr const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    return std::ranges::any_of(names, [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace cudabook
