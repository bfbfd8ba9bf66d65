// What a page's program cannot do: start another program, such as ffmpeg.
#include <spawn.h>

#include <cerrno>

extern "C" int posix_spawnp(pid_t* /*process*/, const char* /*file*/,
                            const posix_spawn_file_actions_t* /*actions*/,
                            const posix_spawnattr_t* /*attributes*/, char* const /*arguments*/[],
                            char* const /*environment*/[]) {
    return ENOSYS;
}
