// Runs a program and turns its errors into exit statuses.
#pragma once

#include <functional>
#include <string_view>

#include "common/program/errors.hpp"

namespace cudabook {

/// Runs a program and returns its exit status. If the program throws an exception, prints the message as one
/// line on stderr and returns the exit status for this type of exception.
int run_program(std::string_view name, const std::function<ExitStatus()>& program);

/// Flushes stdout. Throws MachineError if anything could not be written.
void check_stdout();

}  // namespace cudabook
