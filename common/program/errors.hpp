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
    machine = 3,       ///< the machine could not do what the command line asks for
};

/// The command line was wrong. The message is one line, which names the option and says what the option
/// accepts.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The machine could not do what the command line asks for: no such device, out of memory, a file that cannot
/// be written, no display. The message is one line, which names the resource and says what would help.
class MachineError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A request needs more memory than there is.
class OutOfMemory : public MachineError {
    using MachineError::MachineError;
};

}  // namespace cudabook
