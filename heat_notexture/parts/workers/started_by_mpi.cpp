#include <cstdlib>

#include "heat_notexture/parts/workers/processes.hpp"

namespace cudabook {

bool started_by_mpi() {
    const auto count = [](const char* name) {
        const char* const value = std::getenv(name);
        return value == nullptr ? 0 : std::atoi(value);
    };
    // Open MPI sets OMPI_COMM_WORLD_SIZE. MPICH, its derivatives and srun --mpi=pmi2 set PMI_SIZE. PMIx sets
    // no count, but srun --mpi=pmix sets SLURM_STEP_NUM_TASKS.
    if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return count("OMPI_COMM_WORLD_SIZE") > 1;
    if (std::getenv("PMI_SIZE") != nullptr) return count("PMI_SIZE") > 1;
    return std::getenv("PMIX_RANK") != nullptr &&
           (std::getenv("SLURM_STEP_NUM_TASKS") == nullptr || count("SLURM_STEP_NUM_TASKS") > 1);
}

}  // namespace cudabook
