#include "emulator/translator/real_cuda.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace cudabook::translator {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Returns whether the word is a function of the driver API (cuModuleLoad, cuMemAlloc, ...) that
/// emulator/include/cuda.h does not have.
bool is_of_driver(std::string_view word) {
    if (word == "cuInit" || word == "cuArrayGetDescriptor" || word == "cuArray3DGetDescriptor") return false;
    if (!word.starts_with("cu") || word.size() < 4 || !is_upper(word[2])) return false;
    static constexpr std::array<std::string_view, 19> families{
        "Init", "Driver", "Device", "Ctx",   "Module", "Library", "Kernel", "Func",     "Launch", "Param",
        "Mem",  "Array",  "Stream", "Event", "TexRef", "SurfRef", "Link",   "Graphics", "GL"};
    return std::ranges::any_of(families, [&](std::string_view family) {
        const std::string_view rest = word.substr(2);
        return rest.starts_with(family) && (rest.size() == family.size() || !is_lower(rest[family.size()]));
    });
}

/// Returns whether the text is PTX, as "mov.u32 %0, %%smid;": it has a word, a dot and a type.
bool is_ptx(std::string_view text) {
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1))
        if (dot > 0 && is_lower(text[dot - 1]) && dot + 1 < text.size() && is_lower(text[dot + 1]))
            return true;
    return text.find("%%") != std::string_view::npos && text.find("%%r") == std::string_view::npos;
}

}  // namespace

std::string library_of(std::string_view header) {
    static constexpr std::array<std::string_view, 7> folders{
        "thrust/", "cub/", "nv/", "cooperative_groups", "nvtx3/", "cutlass/", "crt/"};
    static constexpr std::array<std::string_view, 14> names{
        "cublas", "curand", "cufft", "cusparse",   "cusolver", "cudnn",     "npp",
        "nvrtc",  "nvml",   "nccl",  "nvToolsExt", "mma.h",    "cudalibxt", "nvjpeg"};
    const auto begins = [](std::string_view text, const auto& words) {
        return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
    };
    const std::string_view file = header.substr(header.find_last_of('/') + 1);
    const bool is_libcu = header.starts_with("cuda/") && header.find('.') == std::string_view::npos;
    if (is_libcu || begins(header, folders) || begins(file, names) || file.starts_with("cooperative_groups"))
        return std::string(header);
    return {};
}

void refuse_libraries(const Source& source, const std::vector<bool>& is_own) {
    for (const Inclusion& inclusion : source.inclusions) {
        const auto found = std::ranges::find(source.files, std::string_view(inclusion.included), &File::name);
        if (found != source.files.end() && is_own[static_cast<std::size_t>(found - source.files.begin())])
            continue;
        // A program may have headers of its own with such names.
        if (!inclusion.included.starts_with("/usr/") && inclusion.included.find("cuda") == std::string::npos)
            continue;
        // .../include/thrust/sort.h is thrust/sort.h
        std::string_view header = inclusion.included;
        const std::size_t include = header.rfind("/include/");
        if (include != std::string_view::npos) header.remove_prefix(include + 9);
        if (const std::string library = library_of(header); !library.empty())
            throw SourceError(fmt::format("{}:{}: <{}> needs real CUDA", source.files[inclusion.by].name,
                                          inclusion.line, library));
    }
}

void refuse_word(const Source& source, std::size_t word) {
    const std::string_view text = source[word];
    if (is_of_driver(text) && source.is(word + 1, "(")) {
        const bool is_member = word > 0 && (source.is(word - 1, ".") || source.is(word - 1, "->"));
        const bool is_declared = word > 0 && source.is_word(word - 1) && !source.is(word - 1, "return");
        if (!is_member && !is_declared)
            throw source.error(word, fmt::format("{}() of the driver API needs real CUDA", text));
    }
    if (text != "asm" && text != "__asm__" && text != "__asm") return;
    for (std::size_t i = word + 1; i < source.tokens.size() && !source.is(i, ";") && !source.is(i, ":"); ++i)
        if (source.tokens[i].kind == Kind::text && is_ptx(source[i]))
            throw source.error(word, "PTX in an asm statement needs real CUDA");
}

}  // namespace cudabook::translator
