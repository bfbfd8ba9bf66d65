// Runs one of the suite's programs as several processes.
#pragma once

#include <string>

#include "tests/support/cli.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/process.hpp"

namespace cudabook::test {

/// Returns surroundings in which mpirun also runs as root and starts more processes than there are cores.
/// LeakSanitizer is off, because Open MPI leaks some memory.
inline Surroundings for_mpirun() {
    return {
        .unset = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"},
        .set = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                "OMPI_MCA_rmaps_base_oversubscribe=1", "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
                "OMPI_MCA_btl=self,vader", "OMP_WAIT_POLICY=passive", "OMPI_MCA_mpi_yield_when_idle=1",
                "OMPI_MCA_hwloc_base_binding_policy=none", "ASAN_OPTIONS=detect_leaks=0"}};
}

/// Returns the arguments with which mpirun starts `processes` processes of one of the suite's programs.
inline Words mpirun(int processes, const std::string& program, const Words& arguments) {
    return Words{"-n", std::to_string(processes), std::string(program_folder) + "/" + program} + arguments;
}

/// Returns surroundings in which a program has several emulated GPUs, such as "h200,t4". A heat sample then
/// uses them in one process, with a thread for each GPU.
inline Surroundings with_gpus(const std::string& gpus) {
    Surroundings surroundings = for_mpirun();
    surroundings.set.push_back("CUDABOOK_EMULATED_GPUS=" + gpus);
    return surroundings;
}

}  // namespace cudabook::test
