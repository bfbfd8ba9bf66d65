// The clock of the emulated GPU.
#pragma once

namespace cudabook::emulation {

/// Returns the host's steady clock, in cycles of the GPU that was current when this host thread first
/// called this function.
long long clock_cycles();

/// Returns the host's steady clock in ns.
unsigned long long clock_ns();

}  // namespace cudabook::emulation
