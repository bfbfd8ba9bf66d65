// The shared memory of blocks, and the content that it has when a block begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace cudabook::emulation {

class Cluster;

/// The shared memory of an operating system's thread.
class SharedMemory;
SharedMemory& shared_memory_here();

/// Prepares shared memory for a block that begins in this operating system's thread: every byte is 0xff, so
/// that a float that is read before it is written is NaN. ThreadSanitizer forgets the previous block's
/// accesses. AddressSanitizer reports accesses beyond `dynamic_bytes` of dynamic shared memory. `cluster`
/// is the block's cluster, or null if the launch has no clusters.
void begin_shared_memory(std::size_t dynamic_bytes, const Cluster* cluster = nullptr);

/// Call this when a block of a cluster has ended. The sanitizers then report accesses by other blocks to
/// the block's shared memory.
void end_shared_memory();

/// Returns whether the address is in the shared memory of the block that runs in this operating system's
/// thread.
bool is_in_shared_memory(const void* address);

/// Returns the rank of the cluster's block whose shared memory contains the address; nothing if no block's
/// does.
std::optional<unsigned> rank_of_owner(const Cluster& cluster, const void* address);

/// Returns the address in the block `to` that corresponds to an address in the block `from`. If the block
/// `to` has ended, accesses at the address fail.
void* address_in_block(const Cluster& cluster, unsigned to, unsigned from, const void* address);

/// Returns whether address_in_block() has returned the address for a block that had ended.
bool is_of_ended_block(std::uintptr_t address);

/// With AddressSanitizer, returns text for a message if the address is beyond the dynamic shared memory of
/// a block, or in the shared memory of a block that has ended: of the running block or another block of its
/// cluster. Otherwise returns an empty string.
std::string beyond_shared_text(const void* address);

/// Makes ThreadSanitizer forget the block's accesses to shared memory since the last call or the block's
/// begin.
void forget_touched();

}  // namespace cudabook::emulation
