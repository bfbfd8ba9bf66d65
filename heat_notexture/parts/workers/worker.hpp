// The workers of a run, each of which computes a part of it: processes that mpirun started, on one machine or
// on several, or threads of one process, one for each of its GPUs. All of them run the same code; what one
// says of itself to the others goes through its Worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/program/errors.hpp"

namespace cudabook {

/// Bytes for another worker; `tag` tells the messages between two workers apart.
struct Outgoing {
    int to = 0;
    int tag = 0;
    std::span<const std::byte> bytes;
};

/// Bytes from another worker, which sends as many.
struct Incoming {
    int from = 0;
    int tag = 0;
    std::span<std::byte> bytes;
};

class Worker {
  public:
    virtual ~Worker() = default;

    /// Which one this is: 0 to count() - 1.
    [[nodiscard]] virtual int index() const = 0;
    [[nodiscard]] virtual int count() const = 0;

    /// Which machine this one is on: the index of the first worker there.
    [[nodiscard]] virtual int machine() const = 0;

    /// How many of them this machine has.
    [[nodiscard]] virtual int count_on_machine() const = 0;

    /// The one that writes: reports, pictures, progress.
    [[nodiscard]] bool is_first() const { return index() == 0; }

    /// Sends and receives all of these; returns when the memory of all can be used again.
    virtual void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) = 0;

    /// Every worker calls it with what it has to say; all get what all said, in their order.
    virtual std::vector<std::string> gather(std::string_view said) = 0;

    /// Whether the messages of exchange() may be in the memory of a GPU.
    [[nodiscard]] virtual bool takes_device_memory() const = 0;

    /// From now on, when another worker ends by an error, its thread calls stop(), which must end what this
    /// one waits for outside of exchange() and gather(); at once, if one has ended. Empty: nothing.
    virtual void when_another_fails(std::function<void()> stop) = 0;

    /// For a worker that is about to end by an error, before it takes away what the others use: stops them.
    /// False: its own end will end them, and it leaves what they use alone.
    virtual bool stop_others() = 0;

    /// Calls wait(), which waits for other workers outside of exchange() and gather(). Where a wait may last
    /// for ever, because one of them was stopped, a line says after ten seconds that `whom` is waited for.
    virtual void wait_for(const std::string& whom, const std::function<void()>& wait) = 0;

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

  protected:
    Worker() = default;
};

/// The numbers that all workers give, in their order. Every worker calls it.
std::vector<std::int64_t> gather(Worker& worker, std::int64_t number);

/// All workers have failed together, and know it. One of them has the error's line; the others' is empty.
class FailedTogether : public std::runtime_error {
  public:
    FailedTogether(ExitStatus status, const std::string& line) : std::runtime_error(line), status_(status) {}
    [[nodiscard]] ExitStatus status() const { return status_; }

  private:
    ExitStatus status_;
};

namespace detail {

/// Every worker calls it: with `ok`, or how and why it failed. Returns if all are well. Errors:
/// FailedTogether.
void compare_notes(Worker& worker, ExitStatus status, const std::string& why);

}  // namespace detail

/// Does `work` on every worker and waits for all of them. Where it fails by a UsageError, a MachineError or
/// for want of memory, it fails everywhere, with the line of the first worker that failed. Errors:
/// FailedTogether.
template <class Work>
void together(Worker& worker, Work work) {
    ExitStatus status = ExitStatus::ok;
    std::string why;
    try {
        work();
    } catch (const UsageError& error) {
        status = ExitStatus::usage;
        why = error.what();
    } catch (const MachineError& error) {
        status = ExitStatus::machine;
        why = error.what();
    } catch (const std::bad_alloc&) {
        status = ExitStatus::machine;
        why = "out of memory; choose a smaller problem";
    }
    detail::compare_notes(worker, status, why);
}

}  // namespace cudabook
