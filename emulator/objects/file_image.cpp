#include "emulator/objects/file_image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cudabook::emulation {

FileImage FileImage::of(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw FileError(std::strerror(errno));
    struct stat status {};
    void* bytes = nullptr;
    bool is_read = fstat(file, &status) == 0;
    const auto size = static_cast<std::size_t>(status.st_size);
    if (is_read && size > 0) {
        bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        is_read = bytes != MAP_FAILED;
    }
    const int error = errno;
    close(file);
    if (!is_read) throw FileError(std::strerror(error));
    return FileImage({static_cast<const char*>(bytes), size});
}

}  // namespace cudabook::emulation
