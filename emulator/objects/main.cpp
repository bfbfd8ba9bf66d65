// A tool that cudabook-nvcc --emulate and CMake's build call before they link:
//
//     shared_memory OBJECT... > source
//
// It prints a C++ source with the sizes and arrays of the objects' shared memory. An OBJECT may be an
// archive. On an error it writes one line to stderr, nothing to stdout, and exits with status 1.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "emulator/objects/archive.hpp"
#include "emulator/objects/elf_file.hpp"
#include "emulator/objects/file_image.hpp"
#include "emulator/objects/shared_memory_source.hpp"

int main(int argc, char** argv) {
    using namespace cudabook::emulation;
    std::string name;
    try {
        std::vector<ElfFile> objects;
        for (int i = 1; i < argc; ++i) {
            name = argv[i];
            const FileImage image = FileImage::of(name);
            if (!is_archive(image)) {
                objects.push_back(read_elf_file(image));
                continue;
            }
            for (const ArchiveMember& member : members_of(image)) {
                if (!is_elf_file(member.content)) continue;  // a linker does not read it either
                name.assign(argv[i]).append("(").append(member.name).append(")");
                objects.push_back(read_elf_file(member.content));
            }
        }
        name = "shared_memory";
        const std::string source = shared_memory_source(objects);
        if (std::fputs(source.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
            throw FileError("cannot write to stdout");
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
        return 1;
    }
}
