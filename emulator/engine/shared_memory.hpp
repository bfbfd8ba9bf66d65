// Where shared memory is, and what a block finds in it.
#pragma once

#include <cstddef>
#include <string>

namespace cudabook::emulation {

/// Shared memory for a block that begins in this thread of the operating system: every byte is 0xff, so that
/// a float that is read before it is written is NaN. ThreadSanitizer forgets what the block before did there.
/// AddressSanitizer reports what is beyond `dynamic_bytes` of dynamic shared memory.
void begin_shared_memory(std::size_t dynamic_bytes);

/// What a message adds where an address is beyond the dynamic shared memory of the block that runs here;
/// empty if it is not. With AddressSanitizer alone.
std::string beyond_dynamic_text(const void* address);

/// ThreadSanitizer forgets what the block has done in shared memory since it began, or since the last time.
void forget_touched();

}  // namespace cudabook::emulation
