// Starts the emulated GPU: in this program or, where this program's GPU code is nvcc's, in its place.
#pragma once

#include <string>

#include "common/program/common_options.hpp"
#include "common/program/device.hpp"

namespace cudabook {

/// Tells the emulation what --device emulated:NAME and --schedule asked for. If this program has no emulated
/// GPU and the build has one, replaces this program by lib/cudabook/emulated/SAMPLE with the same arguments;
/// for --counters and --trace, if this program does not count, by lib/cudabook/counted/SAMPLE.
/// To be called before any other CUDA call. Errors: MachineError.
void start_emulation(const std::string& sample, const CommonOptions& options,
                     const FindCudaDevices& find_cuda);

/// The second program's file, for a first one in that folder.
std::string emulated_program_file(const std::string& program_folder, const std::string& sample);

/// The file of the program that counts, for a first or second one in that folder.
std::string counted_program_file(const std::string& program_folder, const std::string& sample);

}  // namespace cudabook
