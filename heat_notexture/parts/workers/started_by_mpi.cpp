#include <cstdlib>

#include "heat_notexture/parts/workers/processes.hpp"

namespace cudabook {

bool started_by_mpi() {
    const auto count = [](const char* name) {
        const char* const value = std::getenv(name);
        return value == nullptr ? 0 : std::atoi(value);
    };
    // What Open MPI gives each process; what MPICH, those made from it and srun --mpi=pmi2 do. PMIx has no
    // count in the environment, but srun --mpi=pmix has.
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return count("OMPI_COMM_WORLD_SIZE") > 1;
    if (std::getenv("PMI_SIZE") != nullptr) return count("PMI_SIZE") > 1;
    return std::getenv("PMIX_RANK") != nullptr &&
           (std::getenv("SLURM_STEP_NUM_TASKS") == nullptr || count("SLURM_STEP_NUM_TASKS") > 1);
}

}  // namespace cudabook
