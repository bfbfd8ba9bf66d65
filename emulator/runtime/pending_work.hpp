// Pending work: work that the program has enqueued in streams and that is not done yet. A GPU would begin
// it at once; here, as a rule, it is not done before a call waits for it, so that a program that forgets to
// wait reads old values.
#pragma once

#include <vector>

#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"

namespace cudabook::emulation {

/// launches_block() returns whether work is done as soon as it is enqueued: CUDABOOK_LAUNCH_BLOCKING or
/// CUDA_LAUNCH_BLOCKING is 1, or let_launches_block() was called, because the program uses Thrust, whose
/// algorithms run on the host.
bool launches_block();
void let_launches_block();

/// Returns whether the calling thread is doing a stream's work. If so, its calls do not wait for work.
bool is_doing_work();

/// Adds pending work for the GPU, which may begin when the work `after` has ended. Returns its number.
WorkNumber keep(Task task, const GpuState& gpu, std::vector<WorkNumber> after);

/// Does the oldest work if more than 1024 pieces of work are pending.
void finish_what_is_too_much();

/// Returns whether the work is done.
bool is_done(WorkNumber number);

/// Does the pending work with these numbers, and before it all work that it must come after. Waits for work
/// that another thread is doing. Without a schedule's seed, the order is that of the numbers. Does nothing
/// when the program has ended, in a forked process, or if the calling thread itself is doing work.
void finish(const std::vector<WorkNumber>& numbers);

/// Does all work of the GPU, or of all GPUs.
void finish_all_of(const GpuState& gpu);
void finish_all();

}  // namespace cudabook::emulation
