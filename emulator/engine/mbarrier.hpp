// The state of an mbarrier, in its 8 bytes of shared memory. A block runs in one host thread, so nothing here
// is atomic. Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
#pragma once

#include <cstdint>
#include <cstring>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/engine/block.hpp"

namespace cudabook::emulation {

class Mbarrier {
  public:
    static constexpr std::uint32_t most_arrivals = (1U << 20) - 1;

    /// Fails the kernel if this is an mbarrier of another block, because other blocks run in other host
    /// threads and nothing here is atomic.
    explicit Mbarrier(std::uint64_t& memory) : memory_(&memory) {
        if (cluster_place().size_given && address_space_of(memory_) == AddressSpace::cluster)
            fail_kernel(
                "the emulated GPU has no mbarriers of other blocks: let the cluster wait at its own "
                "barrier");
    }

    void init(std::uint32_t arrivals) {
        if (arrivals == 0 || arrivals > most_arrivals)
            fail_kernel("an mbarrier expects 1 to 1048575 arrivals");
        store({.bytes = 0,
               .pending = arrivals & most_arrivals,
               .expected = arrivals & most_arrivals,
               .phase = 0});
    }

    /// Counts arrivals. If `drop` is true, one arrival fewer is expected from the next phase on. Returns
    /// the token: the state before the arrivals.
    std::uint64_t arrive(bool drop = false, std::uint32_t arrivals = 1) {
        State state = load();
        const std::uint64_t token = read(*memory_);
        release(memory_);
        if (arrivals == 0) fail_kernel("an arrival at an mbarrier counts at least 1");
        if (state.pending < arrivals) fail_kernel("more arrivals at an mbarrier than it expects");
        state.pending = (state.pending - arrivals) & most_arrivals;
        if (drop) --state.expected;
        end_phase_and_store(state);
        return token;
    }

    /// Adds `bytes` to the number of bytes that this phase still waits for. A negative number means that
    /// bytes have arrived.
    void expect(int bytes) {
        State state = load();
        release(memory_);
        state.bytes = (state.bytes + static_cast<unsigned>(bytes)) & ((1U << 22) - 1);
        end_phase_and_store(state);
    }

    /// Returns whether a phase has ended. The lowest bit of `parity` selects the current phase or the phase
    /// before it.
    [[nodiscard]] bool has_ended(unsigned parity) const { return load().phase != (parity & 1); }
    [[nodiscard]] static unsigned parity_of(std::uint64_t token) { return from_memory(token).phase; }
    [[nodiscard]] static std::uint32_t pending_of(std::uint64_t token) { return from_memory(token).pending; }

    /// Waits until has_ended(parity).
    void wait(unsigned parity) const {
        struct Phase {
            const Mbarrier& barrier;
            unsigned parity;
        };
        const Phase phase{*this, parity};
        await_condition(
            [](const void* of) {
                const auto& waited_for = *static_cast<const Phase*>(of);
                return waited_for.barrier.has_ended(waited_for.parity);
            },
            &phase, "mbarrier");
        acquire(memory_);
        order_this_thread();
    }

  private:
    struct State {
        std::uint64_t bytes : 22;    ///< bytes that have not arrived yet, mod 2^22
        std::uint64_t pending : 20;  ///< arrivals that have not come yet
        std::uint64_t expected : 20;
        std::uint64_t phase : 1;
    };
    static_assert(sizeof(State) == sizeof(std::uint64_t));

    static State from_memory(std::uint64_t bits) {
        State state;
        std::memcpy(&state, &bits, sizeof state);
        return state;
    }
    // Threads of a block may use an mbarrier at the same time, which is no race.
    __attribute__((no_sanitize("thread"))) static std::uint64_t read(const std::uint64_t& memory) {
        return memory;
    }
    __attribute__((no_sanitize("thread"))) static void write(std::uint64_t& memory, std::uint64_t bits) {
        memory = bits;
    }
    [[nodiscard]] State load() const { return from_memory(read(*memory_)); }
    void store(State state) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &state, sizeof bits);
        write(*memory_, bits);
    }

    void end_phase_and_store(State state) {
        if (state.pending == 0 && state.bytes == 0) {
            state.pending = state.expected;
            state.phase = state.phase ^ 1;
        }
        store(state);
    }

    std::uint64_t* memory_;
};

}  // namespace cudabook::emulation
