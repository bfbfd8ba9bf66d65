// emulator/engine/program_file.hpp for a page's program, which has no file and no symbol table:
// web/kernels.py writes a table of the kernels, and shared memory is a section.
#include "emulator/engine/program_file.hpp"

#include <span>

#include "emulator/counting/counter.hpp"
#include "emulator/engine/static_shared.hpp"
#include "emulator/objects/shared_memory_source.hpp"

namespace cudabook::emulation {

namespace {

struct Kernel {
    const void* function;
    const char* name;  ///< mangled
    unsigned shared_bytes;
};

}  // namespace

}  // namespace cudabook::emulation

// The linker defines the begin and end of sections. web/dynamic_shared.cmake writes the array.
extern "C" {
extern const cudabook::emulation::Kernel __start_cudabook_kernels[];
extern const cudabook::emulation::Kernel __stop_cudabook_kernels[];
extern std::byte __start_cudabook_shared[];
extern std::byte __stop_cudabook_shared[];
extern std::byte cudabook_dynamic_shared[];
}

std::uintptr_t cudabook_place = 0;

namespace cudabook::emulation {

namespace {

std::span<const Kernel> kernels() { return {__start_cudabook_kernels, __stop_cudabook_kernels}; }

[[maybe_unused]] const bool is_registered = [] {
    for (const Kernel& kernel : kernels()) {
        const StaticShared row[]{{kernel.name, kernel.shared_bytes}};
        const KnownStaticShared known(row);
    }
    return true;
}();

}  // namespace

std::string mangled_name_of(const void* function) {
    for (const Kernel& kernel : kernels())
        if (kernel.function == function) return kernel.name;
    return {};
}

std::uintptr_t function_at(const void* code) { return reinterpret_cast<std::uintptr_t>(code); }
std::uintptr_t program_begin() { return 0; }

const std::vector<ProgramVariable>& program_variables() {
    static const std::vector<ProgramVariable> none;
    return none;
}

std::vector<ThreadLocal> thread_locals() {
    constexpr std::string_view name = "B15cudabook_shared";
    std::byte* const behind = cudabook_dynamic_shared + dynamic_array_bytes;
    const auto bytes = [](const std::byte* begin, const std::byte* end) {
        return static_cast<std::size_t>(end - begin);
    };
    return {{name, __start_cudabook_shared, bytes(__start_cudabook_shared, cudabook_dynamic_shared)},
            {name, cudabook_dynamic_shared, dynamic_array_bytes},
            {name, behind, bytes(behind, __stop_cudabook_shared)}};
}

}  // namespace cudabook::emulation
