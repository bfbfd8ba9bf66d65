// The work that the program has given to streams and that nothing has waited for yet. A GPU would be doing it
// meanwhile; here it waits until a call needs it, so that a program which forgets to wait reads old numbers.
#pragma once

#include <vector>

#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"

namespace cudabook::emulation {

/// Whether streams' work is done when it is enqueued: CUDABOOK_LAUNCH_BLOCKING or CUDA_LAUNCH_BLOCKING is 1,
/// or the program uses Thrust, whose algorithms run on the host.
bool launches_block();
void let_launches_block();

/// Returns whether the calling thread is doing a stream's work, so that its calls wait for nothing.
bool is_doing_work();

/// Keeps work of the GPU, which may begin when the work `after` has ended. Returns the new work's number.
WorkNumber keep(Task task, const GpuState& gpu, std::vector<WorkNumber> after);

/// Does the oldest work if more is pending than a GPU keeps.
void finish_what_is_too_much();

/// Returns whether the work is done.
bool is_done(WorkNumber number);

/// Does the work and all that has to come before it, unless it is done. Work that another thread is doing is
/// waited for. Without a schedule, the order is that of the numbers. Does nothing when the program has ended,
/// or in a forked process.
void finish(const std::vector<WorkNumber>& numbers);

/// Does all work of the GPU, or of all GPUs.
void finish_all_of(const GpuState& gpu);
void finish_all();

}  // namespace cudabook::emulation
