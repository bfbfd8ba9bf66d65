// The threads of OpenMP's loops, started while there is memory for them.
#pragma once

namespace cudabook {

/// Starts the threads that OpenMP's loops use from now on. A loop that cannot start them ends the process
/// with a message of its own, so as many others are started before, to see whether it can. Errors:
/// OutOfMemory.
void start_threads();

}  // namespace cudabook
