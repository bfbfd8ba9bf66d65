// Linux's file functions beyond POSIX, and their replacements on other systems. C++17.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/xattr.h>
#endif

namespace cudabook {

/// Checks whether the disk of an open file has enough room for the file to grow to `size` bytes. Returns 0 if
/// there is enough room, else an errno value.
inline int look_for_space(int file, off_t size) {
    struct stat now {};
    struct statvfs disk {};
    if (fstat(file, &now) != 0 || fstatvfs(file, &disk) != 0) return errno;
    if (disk.f_blocks == 0) return 0;  // the file system, such as /proc, reports no blocks
    const auto free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    return size > now.st_size && static_cast<std::uint64_t>(size - now.st_size) > free ? ENOSPC : 0;
}

/// Reserves the disk space for the first `size` bytes of an open file, which may grow to this size. If the
/// system cannot reserve space, only checks whether there is enough. Returns 0 on success, else an errno
/// value.
inline int reserve_space(int file, off_t size) {
#ifdef __linux__
    while (fallocate(file, 0, 0, size) != 0)
        if (errno != EINTR) return errno == EOPNOTSUPP ? look_for_space(file, size) : errno;
    return 0;
#else
    return look_for_space(file, size);
#endif
}

/// Gives file `to` the access control list of file `from`, or no list if `from` has none. Does nothing on
/// systems other than Linux.
inline void copy_access_list([[maybe_unused]] const char* from, [[maybe_unused]] const char* to) {
#ifdef __linux__
    const char* const access_list = "system.posix_acl_access";
    std::array<char, 4096> entries{};
    const ssize_t bytes = getxattr(from, access_list, entries.data(), entries.size());
    if (bytes > 0)
        setxattr(to, access_list, entries.data(), static_cast<std::size_t>(bytes), 0);
    else
        removexattr(to, access_list);  // the file may have inherited a list from the folder
#endif
}

}  // namespace cudabook
