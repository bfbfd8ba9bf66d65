// Starts the emulated GPU: in this program or, if nvcc compiled this program's GPU code, in a second program
// that replaces this program.
#pragma once

#include <string>

#include "common/program/common_options.hpp"
#include "common/program/device.hpp"

namespace cudabook {

/// Passes the options for the emulated GPU to the emulated GPU. If this program cannot do what the options
/// ask for, replaces this program by another program with the same arguments. --counters, --predict and
/// --trace need a program that counts memory accesses: lib/cudabook/counted/SAMPLE. The other options need a
/// program that has the emulated GPU: lib/cudabook/emulated/SAMPLE, if the build has it. Must be called
/// before any other CUDA call. Errors: MachineError.
void start_emulation(const std::string& sample, const CommonOptions& options,
                     const FindCudaDevices& find_cuda);

/// Returns the path of the emulated program of a sample. `program_folder` contains the program of the sample.
std::string emulated_program_file(const std::string& program_folder, const std::string& sample);

/// Returns the path of the counting program of a sample. `program_folder` contains the program of the sample
/// or its emulated program.
std::string counted_program_file(const std::string& program_folder, const std::string& sample);

}  // namespace cudabook
