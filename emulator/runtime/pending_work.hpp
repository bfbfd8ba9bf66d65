// Pending work: work that the program has enqueued in streams and that is not done yet. A GPU would begin the
// work at once. The emulated GPU usually does the work only when a call waits for it, so that a program that
// forgets to wait reads old values.
#pragma once

#include <vector>

#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"

namespace cudabook::emulation {

/// launches_block() returns whether work is done as soon as it is enqueued. This is so if
/// CUDABOOK_LAUNCH_BLOCKING or CUDA_LAUNCH_BLOCKING is 1, or if let_launches_block() was called. Programs
/// that use Thrust call let_launches_block(), because Thrust's algorithms run on the host.
bool launches_block();
void let_launches_block();

/// Returns whether the calling thread is doing a stream's work, or is a CUDA thread. If so, its calls of CUDA
/// do not wait for work.
bool is_doing_work();

/// Adds pending work for the GPU. The new work may begin when the work with the numbers `after` has ended.
/// Returns the new work's number.
WorkNumber keep(Task task, const GpuState& gpu, std::vector<WorkNumber> after);

/// Does the oldest work if more than 1024 pieces of work are pending.
void finish_what_is_too_much();

/// Returns whether the work is done.
bool is_done(WorkNumber number);

/// Does the pending work with these numbers, and first all work that must be done before it. If another
/// thread is already doing some of the work, waits until that thread has done it. Does the work in ascending
/// order of the numbers or, with a schedule's seed, in another order that is allowed. Does nothing when the
/// program has ended, in a forked process, or if the calling thread itself is doing work.
void finish(const std::vector<WorkNumber>& numbers);

/// Does all work of the GPU, or of all GPUs.
void finish_all_of(const GpuState& gpu);
void finish_all();

}  // namespace cudabook::emulation
