// The state of a run in a file, from which another run goes on: an .npz, which NumPy opens as it is.
#pragma once

#include <filesystem>
#include <memory>

#include "heat_notexture/parts/checkpoint_format.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// Tries, before the work, whether each worker can write to a file beside `file`, and `file` may be replaced.
/// All workers call it. Errors: FailedTogether. No file is there after it that was not there before.
void require_writable_checkpoint(Worker& worker, const std::filesystem::path& file);

/// Writes the grid of all workers: first to a file beside `file`, which then takes its name. So there is a
/// whole checkpoint at any time, the old or the new one. All workers call it, and all see the same folder.
/// `part`: null where the worker has none. head: its checksum is found here. Errors: FailedTogether; then
/// there is no new file.
void write_checkpoint(Worker& worker, const Partition& partition, const PartSolver* part, CheckpointHead head,
                      const std::filesystem::path& file);

class CheckpointFile;

/// A checkpoint to go on from. It stays open, so that it is the same when a new one has taken its name.
class Checkpoint {
  public:
    /// Errors: MachineError, if it is no checkpoint, a part of one, or one that was changed anywhere but in
    /// its temperatures.
    explicit Checkpoint(const std::filesystem::path& file);
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;
    ~Checkpoint();

    [[nodiscard]] const CheckpointHead& head() const { return head_; }

    /// Reads the temperatures of each worker's part, whatever parts they were written by, and compares their
    /// checksum with the head's. All workers call it. `part`: null where the worker has none. Errors:
    /// FailedTogether.
    void read(Worker& worker, const Partition& partition, PartSolver* part) const;

  private:
    std::unique_ptr<const CheckpointFile> file_;
    CheckpointHead head_;
};

}  // namespace cudabook::heat
