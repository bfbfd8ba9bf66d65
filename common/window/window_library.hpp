// Finds and loads libcudabook_window.so, the compiled part of the window. C++17.
#pragma once

#include <unistd.h>

#include <string>

#include "../program/errors.hpp"
#include "../program/program_folder.hpp"
#include "../program/shared_library.hpp"

#ifdef __ELF__
/// The folder of the build or installation that the program was linked with, with a slash at the end. Only
/// programs for the emulated GPU have this variable (scripts/cudabook-emulate).
extern "C" __attribute__((weak)) const char* const cudabook_linked_with;
#endif

namespace cudabook {

namespace detail {

inline std::string linked_with() {
#ifdef __ELF__
    if (&cudabook_linked_with != nullptr) return cudabook_linked_with;
#endif
    return "";
}

/// Returns the path of the window library, or an empty string if there is no such file. Looks in the build or
/// installation that contains the program, then in the build or installation that the program was linked
/// with, then in the build or installation that contains this header.
inline std::string window_library_file() {
    const std::string header = __FILE__;
    const std::string folder = header.substr(0, header.find_last_of('/') + 1);
    for (const std::string& place :
         {program_folder() + "../", program_folder() + "../../../",  // for lib/cudabook/emulated/
          linked_with(), folder + "../../../../", folder + "../../build/default/",
          folder + "../../build/cpu/"}) {
        std::string file = place + "lib/cudabook/libcudabook_window.so";
        if (access(file.c_str(), R_OK) == 0) return file;
    }
    return "";
}

/// The window library, which stays loaded until the process ends. Errors: MachineError.
inline const SharedLibrary& window_library() {
    static const std::string file = window_library_file();
    if (file.empty()) {
        throw MachineError(
            "no window: libcudabook_window.so is missing; build cudabook where GLFW and GLEW are installed "
            "(Debian: apt-get install libglfw3-dev libglew-dev)");
    }
    static const SharedLibrary& library = *new SharedLibrary{file.c_str()};
    if (library.loaded()) return library;
    // "libglfw.so.3: cannot open shared object file: ...", or another message of the loader
    const std::string& error = library.error();
    const auto name_end = error.find(": cannot open shared object file");
    if (name_end == std::string::npos) throw MachineError("no window: " + error);
    throw MachineError("no window: " + error.substr(0, name_end) +
                       " is missing; install GLFW, GLEW and OpenGL (Debian: apt-get install libglfw3 "
                       "libglew2.2 libgl1)");
}

}  // namespace detail

/// Returns the function `name` of the window library. The caller must name the right type. Errors:
/// MachineError.
template <class Function>
Function* window_library_function(const char* name) {
    if (auto* function = detail::window_library().function<Function>(name)) return function;
    throw MachineError(
        "no window: libcudabook_window.so is of another version than this program; build both again");
}

}  // namespace cudabook
