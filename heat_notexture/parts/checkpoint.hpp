// Checkpoints: the state of a run in an .npz file, which NumPy can open and another run can resume from.
#pragma once

#include <filesystem>
#include <memory>

#include "heat_notexture/parts/checkpoint_format.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook::heat {

/// Checks that each worker can write to a new file beside `file` and that `file` may be replaced. Called
/// before the run starts, so that the run does not fail at its end. Leaves no new file behind. All workers
/// call this. Errors: FailedTogether.
void require_writable_checkpoint(Worker& worker, const std::filesystem::path& file);

/// Writes the grid of all workers to a new file beside `file`, and then renames the new file to `file`. So a
/// complete checkpoint exists at any time, either the old or the new checkpoint. All workers call this and
/// see the same folder. part: null if the worker has no part. head: everything but the checksum, which is
/// computed here. Errors: FailedTogether; the new file is then removed.
void write_checkpoint(Worker& worker, const Partition& partition, const PartSolver* part, CheckpointHead head,
                      const std::filesystem::path& file);

class CheckpointFile;

/// A checkpoint to resume from. The file stays open, so that its content can still be read after a new
/// checkpoint has replaced the file.
class Checkpoint {
  public:
    /// Errors: MachineError if the file is no checkpoint, is incomplete, or has a wrong byte outside the
    /// temperatures. read() checks the temperatures.
    explicit Checkpoint(const std::filesystem::path& file);
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;
    ~Checkpoint();

    [[nodiscard]] const CheckpointHead& head() const { return head_; }

    /// Reads the temperatures of each worker's part, and compares the checksum of the grid with the head's
    /// checksum. The grid may have been divided in another way when the checkpoint was written. All workers
    /// call this. part: null if the worker has no part. Errors: FailedTogether.
    void read(Worker& worker, const Partition& partition, PartSolver* part) const;

  private:
    std::unique_ptr<const CheckpointFile> file_;
    CheckpointHead head_;
};

}  // namespace cudabook::heat
