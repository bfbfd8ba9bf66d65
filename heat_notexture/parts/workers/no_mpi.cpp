// Compiled where there is no MPI.
#include <fmt/format.h>

#include "heat_notexture/parts/workers/processes.hpp"

namespace cudabook {

ExitStatus run_on_processes(std::string_view, const std::function<ExitStatus(Worker&)>&) {
    throw MachineError(
        "this build has no MPI; install it (Debian: apt-get install libopenmpi-dev) and build again, "
        "or start one process");
}

}  // namespace cudabook
