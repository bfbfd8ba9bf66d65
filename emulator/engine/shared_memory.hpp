// The shared memory of blocks, and its contents when a block begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace cudabook::emulation {

class Cluster;

/// The shared memory of the blocks that run in an operating system's thread, one block after another.
class SharedMemory;
SharedMemory& shared_memory_here();

/// Prepares the shared memory of this operating system's thread for the next block. Sets every byte to 0xff,
/// so that a float that the kernel reads before it writes it is NaN. Makes ThreadSanitizer forget the
/// previous block's accesses. Makes AddressSanitizer report accesses beyond `dynamic_bytes` bytes of dynamic
/// shared memory. `cluster` is the block's cluster, or null if the launch has no clusters.
void begin_shared_memory(std::size_t dynamic_bytes, const Cluster* cluster = nullptr);

/// Call this when a block of a cluster has ended. The sanitizers then report accesses by other blocks to
/// the block's shared memory.
void end_shared_memory();

/// Returns whether the address is in the shared memory of the block that runs in this operating system's
/// thread.
bool is_in_shared_memory(const void* address);

/// Returns the rank of the cluster's block whose shared memory contains the address. Returns nothing if the
/// address is not in the shared memory of the cluster.
std::optional<unsigned> rank_of_owner(const Cluster& cluster, const void* address);

/// Converts an address in the shared memory of block `from` to the corresponding address in the shared memory
/// of block `to`, and returns it. `from` and `to` are ranks. If block `to` has ended, accesses to the
/// returned address fail.
void* address_in_block(const Cluster& cluster, unsigned to, unsigned from, const void* address);

/// Returns whether this is an address that address_in_block() returns for a block that has ended.
bool is_of_ended_block(std::uintptr_t address);

/// For AddressSanitizer's reports: returns a text that says why an access to this address is an error. The
/// text is empty unless the address is beyond the dynamic shared memory of a block, or in the shared memory
/// of a block that has ended. The block may be the running block or another block of its cluster.
std::string beyond_shared_text(const void* address);

/// Makes ThreadSanitizer forget the block's accesses to shared memory since the block began or since the last
/// call of this function.
void forget_touched();

}  // namespace cudabook::emulation
