// How every program begins and ends.
#pragma once

#include <functional>
#include <string_view>

#include "common/program/errors.hpp"

namespace cudabook {

/// Runs a program and gives what it throws as one line on stderr and the exit status that it means.
int run_program(std::string_view name, const std::function<ExitStatus()>& program);

/// Throws MachineError unless all that was printed on stdout got there.
void check_stdout();

}  // namespace cudabook
