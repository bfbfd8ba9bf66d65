// Starts OpenMP's threads early, while there is memory for them.
#pragma once

namespace cudabook {

/// Starts the threads that OpenMP's loops use from now on. A loop that cannot start its threads would end the
/// process with OpenMP's own message. So this function first tests whether as many ordinary threads can be
/// started. Errors: OutOfMemory.
void start_threads();

}  // namespace cudabook
