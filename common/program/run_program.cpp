#include "common/program/run_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "common/program/language.hpp"
#include "common/program/threads.hpp"

namespace cudabook {

namespace {

/// While a MachineStatusAtExit exists, any call of exit() ends the process with ExitStatus::machine.
/// Otherwise libgomp would exit with status 1 if it cannot start a thread after start_threads().
class MachineStatusAtExit {
  public:
    MachineStatusAtExit() {
        static const int handler = std::atexit([] {
            if (active) std::_Exit(static_cast<int>(ExitStatus::machine));
        });
        static_cast<void>(handler);
        active = true;
    }
    MachineStatusAtExit(const MachineStatusAtExit&) = delete;
    MachineStatusAtExit& operator=(const MachineStatusAtExit&) = delete;
    ~MachineStatusAtExit() { active = false; }

  private:
    static inline bool active = false;
};

}  // namespace

void check_stdout() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw MachineError(fmt::format("cannot write to stdout: {}", std::strerror(errno)));
}

int run_program(std::string_view name, const std::function<ExitStatus()>& program) {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is reported as an error instead
    const auto fail = [name](const char* what, ExitStatus status) {
        fmt::print(stderr, "{}: {}\n", name, in_language_of_user(what));
        return static_cast<int>(status);
    };
    const MachineStatusAtExit guard;
    try {
        start_threads();
        const ExitStatus status = program();
        check_stdout();
        return static_cast<int>(status);
    } catch (const UsageError& error) {
        return fail(error.what(), ExitStatus::usage);
    } catch (const MachineError& error) {
        return fail(error.what(), ExitStatus::machine);
    } catch (const std::bad_alloc&) {
        return fail("out of memory; choose a smaller problem", ExitStatus::machine);
    } catch (const std::exception& error) {
        return fail(error.what(), ExitStatus::machine);
    }
}

}  // namespace cudabook
