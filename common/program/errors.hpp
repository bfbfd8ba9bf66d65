// The errors that end a program, and the exit statuses.
#pragma once

#include <stdexcept>
#include <string>

namespace cudabook {

/// The exit status that a program returns to the shell.
enum class ExitStatus : int {
    ok = 0,            ///< everything ran, and every number was right
    wrong_number = 1,  ///< a result differs from the reference
    usage = 2,         ///< the command line was wrong
    machine = 3,       ///< the machine could not do it
};

/// The command line was wrong: the message is one line that names the option and what it accepts.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The machine could not do it (no such device, out of memory, a file that cannot be written, no display):
/// the message is one line that names the resource and what would help.
class MachineError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A request needs more memory than there is.
class OutOfMemory : public MachineError {
    using MachineError::MachineError;
};

}  // namespace cudabook
