// The workers of a run. Each worker computes a part of the work. Workers are processes that mpirun started,
// on one machine or on several, or threads of one process, one for each of its GPUs. All workers run the same
// code, and communicate through their Worker.
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

/// Bytes for another worker; `tag` distinguishes the messages between two workers.
struct Outgoing {
    int to = 0;
    int tag = 0;
    std::span<const std::byte> bytes;
};

/// Memory for bytes from another worker. The other worker must send exactly as many bytes.
struct Incoming {
    int from = 0;
    int tag = 0;
    std::span<std::byte> bytes;
};

class Worker {
  public:
    virtual ~Worker() = default;

    /// This worker's index, 0 to count() - 1.
    [[nodiscard]] virtual int index() const = 0;
    [[nodiscard]] virtual int count() const = 0;

    /// The index of the first worker on this worker's machine.
    [[nodiscard]] virtual int machine() const = 0;

    /// The number of workers on this machine.
    [[nodiscard]] virtual int count_on_machine() const = 0;

    /// Whether this is the worker that writes reports, pictures and progress.
    [[nodiscard]] bool is_first() const { return index() == 0; }

    /// Sends and receives these messages. Returns when all incoming bytes have arrived and the memory of the
    /// outgoing bytes may be reused.
    virtual void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) = 0;

    /// All-gather: every worker calls this with its text, and gets the texts of all workers in the order of
    /// their indices.
    virtual std::vector<std::string> all_gather(std::string_view said) = 0;

    /// Whether the messages of exchange() may be in the memory of a GPU.
    [[nodiscard]] virtual bool takes_device_memory() const = 0;

    /// Registers stop(), which is called when another worker ends by an error, or immediately if another
    /// worker has already ended by an error. stop() must end every wait of this worker outside exchange() and
    /// all_gather(). An empty function unregisters.
    virtual void when_another_fails(std::function<void()> stop) = 0;

    /// Stops the other workers. A worker that ends by an error must call this before it frees memory or other
    /// objects that the other workers use. Returns false if the other workers stop only when this process
    /// exits; the calling worker must then free nothing.
    virtual bool stop_others() = 0;

    /// Calls wait(), which waits for other workers outside exchange() and all_gather(). If a process waits
    /// for ten seconds, a line on stderr says that it waits for `whom`, because `whom` may have been
    /// suspended.
    virtual void wait_for(const std::string& whom, const std::function<void()>& wait) = 0;

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

  protected:
    Worker() = default;
};

/// All-gather of a number: returns the numbers of all workers in the order of their indices. Every worker
/// calls this.
std::vector<std::int64_t> all_gather(Worker& worker, std::int64_t number);

/// Returns when every worker has called this.
inline void barrier(Worker& worker) { worker.all_gather(""); }

/// The exception that every worker throws if one worker fails. One worker's exception has the line of the
/// error as its what(). The what() of the other exceptions is empty, so that the line is printed once.
class FailedTogether : public std::runtime_error {
  public:
    FailedTogether(ExitStatus status, const std::string& line) : std::runtime_error(line), status_(status) {}
    [[nodiscard]] ExitStatus status() const { return status_; }

  private:
    ExitStatus status_;
};

namespace detail {

/// Every worker calls this with `ok`, or with the status and the reason of its failure. Returns if no worker
/// failed. Errors: FailedTogether.
void throw_first_failure(Worker& worker, ExitStatus status, const std::string& why);

}  // namespace detail

/// A collective operation: does `work` and waits until all workers have done their `work`. Every worker calls
/// this. If `work` fails on any worker by a UsageError, a MachineError or lack of memory, every worker throws
/// FailedTogether, with the exit status and the line of the failed worker that has the least index.
template <class Work>
void collectively(Worker& worker, Work work) {
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
    detail::throw_first_failure(worker, status, why);
}

}  // namespace cudabook
