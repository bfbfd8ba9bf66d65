// Starts the emulated GPU: in this program or, if nvcc compiled this program's GPU code, in a second program
// that replaces this program.
#pragma once

#include <string>

#include "common/program/common_options.hpp"
#include "common/program/device.hpp"

namespace cudabook {

/// Passes the values of --device emulated:NAME and --schedule to the emulation. If the build has an emulated
/// GPU but this program has none, replaces this program by lib/cudabook/emulated/SAMPLE with the same
/// arguments. If --counters or --trace is given and this program does not count, replaces this program by
/// lib/cudabook/counted/SAMPLE. Must be called before any other CUDA call. Errors: MachineError.
void start_emulation(const std::string& sample, const CommonOptions& options,
                     const FindCudaDevices& find_cuda);

/// The file of the emulated program, for a sample in `program_folder`.
std::string emulated_program_file(const std::string& program_folder, const std::string& sample);

/// The file of the counting program, for a sample or an emulated program in `program_folder`.
std::string counted_program_file(const std::string& program_folder, const std::string& sample);

}  // namespace cudabook
