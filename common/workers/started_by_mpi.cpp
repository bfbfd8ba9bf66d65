#include <cstdlib>

#include "common/workers/processes.hpp"

namespace cudabook {

bool started_by_mpi() {
    const auto count = [](const char* name) {
        const char* const value = std::getenv(name);
        return value == nullptr ? 0 : std::atoi(value);
    };
    // What Open MPI gives each process; what MPICH, those made from it and srun --mpi=pmi2 do; and srun
    // --mpi=pmix, where PMIx itself has no count in the environment.
    return count("OMPI_COMM_WORLD_SIZE") > 1 || count("PMI_SIZE") > 1 ||
           (std::getenv("PMIX_RANK") != nullptr && count("SLURM_STEP_NUM_TASKS") > 1);
}

}  // namespace cudabook
