// A cluster of thread blocks. Its blocks run at the same time, each in its own host thread. They have a
// common barrier and can access each other's shared memory. Source: CUDA C++ Programming Guide, "Thread Block
// Clusters" and "Distributed Shared Memory".
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <vector_types.h>

#include "emulator/checks/identity.hpp"

namespace cudabook::emulation {

class SharedMemory;

inline unsigned count_of(const dim3& size) { return size.x * size.y * size.z; }

/// The state of a cluster. The host threads that run its blocks share this object, and use it again for the
/// next cluster.
class Cluster {
  public:
    /// `size` is the cluster's size in blocks. Each block has `threads_of_block` threads.
    Cluster(const dim3& size, unsigned threads_of_block)
        : size_(size),
          all_threads_(count_of(size) * threads_of_block),
          blocks_(count_of(size)),
          threads_(all_threads_) {
        forget_uses(places_.data(), sizeof places_);
    }

    [[nodiscard]] const dim3& size() const { return size_; }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(blocks_.size()); }

    /// Waits until the previous cluster's blocks have ended. Then prepares this host thread's shared memory
    /// for block `rank`, with `dynamic_bytes` bytes of dynamic shared memory, and waits until the other
    /// blocks are prepared, too. Returns false if a block has failed.
    bool begin_block(unsigned rank, std::size_t dynamic_bytes);
    void end_block(unsigned rank);
    [[nodiscard]] bool has_ended(unsigned rank) const { return blocks_[rank].has_ended; }
    [[nodiscard]] SharedMemory& memory_of(unsigned rank) const { return *blocks_[rank].memory; }

    // The cluster's barrier. Its phases are numbered. A phase ends when all threads that have not ended have
    // arrived at the barrier in this phase.
    [[nodiscard]] std::uint64_t phase() const { return phase_; }
    void arrive();
    /// Notes that a thread has ended. If the thread has arrived at the barrier but has not waited for the end
    /// of the phase, `arrived_in` is the number of this phase.
    void end_thread(std::optional<std::uint64_t> arrived_in);

    /// For ThreadSanitizer: returns the address at which threads release and acquire in this phase. Even and
    /// odd phases have different addresses, because a thread may already be in the next phase while others
    /// have not left this phase yet.
    [[nodiscard]] const void* place(std::uint64_t phase) const { return &places_[phase % 2]; }

    /// Waits until this phase has ended. Call this when all threads of a block wait. Returns false if the
    /// phase will never end, because a block has failed or because all blocks that have not ended wait.
    bool await_end_of(std::uint64_t phase);

    /// Ends the waits of all blocks. Call this when a block has failed.
    void give_up();

  private:
    struct Block {
        SharedMemory* memory = nullptr;
        std::atomic<bool> has_ended{false};
    };

    bool meet();
    void end_phase_if_all_have_arrived();
    void look_for_standstill();

    const dim3 size_;
    const unsigned all_threads_;
    std::vector<Block> blocks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned met_ = 0;  ///< blocks that wait in meet()
    std::uint64_t meetings_ = 0;
    unsigned threads_;  ///< threads that have not ended
    unsigned arrived_ = 0;
    std::atomic<std::uint64_t> phase_{0};
    unsigned waiting_ = 0;  ///< blocks that wait for the end of the phase
    unsigned ended_ = 0;    ///< blocks that have ended
    bool stopped_ = false;
    alignas(8) std::array<char, 2> places_{};  // forget_uses() forgets words of 8 bytes
};

}  // namespace cudabook::emulation
