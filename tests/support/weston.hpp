// A Wayland compositor for tests: weston, in a window of Xvfb. Include GoogleTest before this header.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "common/program/shared_library.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/x_server.hpp"

namespace cudabook::test {

/// Returns the folder of a GLFW with Wayland support that scripts/bootstrap.sh has installed, or an empty
/// string if there is none and the system's GLFW supports Wayland. Also loads the GLFW with Wayland support
/// into this process. Errors: std::runtime_error if no GLFW supports Wayland.
inline const std::string& glfw_for_wayland() {
    static const std::string own = std::string(source_folder) + "/build/tools/glfw/glfw/wayland";
    static const std::string own_library = own + "/libglfw.so.3";
    static const SharedLibrary& library = *new SharedLibrary{own_library.c_str(), "libglfw.so.3"};
    if (library.function<void*()>("glfwGetWaylandDisplay") == nullptr)
        throw std::runtime_error(
            "no GLFW here supports Wayland; scripts/bootstrap.sh test gets one that does");
    static const std::string folder = std::filesystem::exists(own_library) ? own : "";
    return folder;
}

/// A running weston. During the object's lifetime, WAYLAND_DISPLAY names this weston and DISPLAY is unset. A
/// window fills the screen (weston's kiosk shell). Errors: std::runtime_error if weston cannot be started;
/// the message says what is missing.
class Weston {
  public:
    Weston() {
        process_ = fork();
        if (process_ == 0) execute();
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (!listens()) {
            const bool ended = waitpid(process_, nullptr, WNOHANG) != 0;
            if (!ended && std::chrono::steady_clock::now() < deadline) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                continue;
            }
            if (!ended) end();
            throw std::runtime_error(ended ? "weston is not installed, or did not start"
                                           : "weston takes too long");
        }
        no_x11_.emplace("DISPLAY", nullptr);
    }
    ~Weston() { end(); }
    Weston(const Weston&) = delete;
    Weston& operator=(const Weston&) = delete;

    /// Suspends weston until go_on(). A suspended weston does not answer the program's window, as a
    /// compositor does not while the window is hidden.
    void stop() const {
        kill(process_, SIGSTOP);
        waitpid(process_, nullptr, WUNTRACED);  // until it has stopped
    }
    void go_on() const { kill(process_, SIGCONT); }

    /// Presses keys, by xdotool's names. The mouse is over weston's window, so the keys go there.
    void press(const std::string& keys) const {
        if (std::system(("DISPLAY=" + x11_name_ + " xdotool key " + keys).c_str()) != 0)
            throw std::runtime_error("xdotool failed: " + keys);
    }

    /// Returns the content of the screen.
    [[nodiscard]] Screenshot screenshot() const { return screen_.screenshot(screen_.window()); }

  private:
    [[noreturn]] static void execute() {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // weston must not outlive a crashing test, even while stopped
        const int null_device = open("/dev/null", O_WRONLY);
        dup2(null_device, STDOUT_FILENO);
        dup2(null_device, STDERR_FILENO);
        execlp("weston", "weston", "--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so",
               "--no-config", "--idle-time=0", "--socket=cudabook", "--width=1280", "--height=1024", nullptr);
        _exit(127);
    }

    [[nodiscard]] bool listens() const {
        sockaddr_un address{AF_UNIX, {}};
        const std::string path = folder_ / "cudabook";
        if (path.size() >= sizeof address.sun_path)
            throw std::runtime_error(path + " is too long for a socket");
        std::memcpy(address.sun_path, path.c_str(), path.size());
        const int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool answers =
            connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        close(socket_);
        return answers;
    }

    void end() const {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    XServer screen_;
    std::string x11_name_ = std::getenv("DISPLAY");
    TemporaryFolder folder_;
    ScopedVariable runtime_{"XDG_RUNTIME_DIR", folder_.path().c_str()};
    ScopedVariable wayland_{"WAYLAND_DISPLAY", "cudabook"};
    ScopedVariable session_{"XDG_SESSION_TYPE", "wayland"};
    std::optional<ScopedVariable> no_x11_;
    pid_t process_ = 0;
};

}  // namespace cudabook::test
