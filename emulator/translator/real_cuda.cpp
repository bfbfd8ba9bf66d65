#include "emulator/translator/real_cuda.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace cudabook::translator {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Returns whether the word is a function of the driver API: cuModuleLoad, cuMemAlloc, ...
bool is_of_driver(std::string_view word) {
    if (!word.starts_with("cu") || word.size() < 4 || !is_upper(word[2])) return false;
    static constexpr std::array<std::string_view, 19> families{
        "Init", "Driver", "Device", "Ctx",   "Module", "Library", "Kernel", "Func",     "Launch", "Param",
        "Mem",  "Array",  "Stream", "Event", "TexRef", "SurfRef", "Link",   "Graphics", "GL"};
    return std::ranges::any_of(families, [&](std::string_view family) {
        const std::string_view rest = word.substr(2);
        return rest.starts_with(family) && (rest.size() == family.size() || !is_lower(rest[family.size()]));
    });
}

/// Returns whether the function is for kernels in PTX or machine code.
bool needs_code(std::string_view function) {
    static constexpr std::array<std::string_view, 4> families{"cuModule", "cuLibrary", "cuLink", "cuKernel"};
    return std::ranges::any_of(families, [&](auto family) { return function.starts_with(family); });
}

/// Returns whether the source declares this function of the driver API as emulator/include/cuda.h declares
/// the functions that the emulated GPU has. (It declares others in another form: CUresult(cuLinkAddFile).)
bool is_in_header(const Source& source, std::string_view function) {
    for (std::size_t i = 1; i < source.tokens.size(); ++i)
        if (source[i] == function && source[i - 1] == "CUresult") return true;
    return false;
}

/// Returns whether the word is an algorithm of CUB (BlockLoad, DeviceMergeSort, ...) that
/// emulator/include/cub/ does not have.
bool is_missing_of_cub(std::string_view word) {
    static constexpr std::array<std::string_view, 11> have{
        "BlockReduce",     "BlockReduceAlgorithm", "BlockScan",    "BlockScanAlgorithm",
        "DeviceHistogram", "DeviceRadixSort",      "DeviceReduce", "DeviceRunLengthEncode",
        "DeviceScan",      "DeviceSelect",         "WarpReduce"};
    return (word.starts_with("Block") || word.starts_with("Warp") || word.starts_with("Device")) &&
           std::ranges::find(have, word) == have.end();
}

/// Returns whether the text is PTX, such as "mov.u32 %0, %%smid;": it has a word, a dot and a type.
bool is_ptx(std::string_view text) {
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1))
        if (dot > 0 && is_lower(text[dot - 1]) && dot + 1 < text.size() && is_lower(text[dot + 1]))
            return true;
    return text.find("%%") != std::string_view::npos && text.find("%%r") == std::string_view::npos;
}

/// Headers whose names begin with `begin`, and advice what to do instead.
struct Family {
    std::string_view begin;
    std::string_view instead;
};
constexpr std::string_view compute = "compute this in a kernel of the program, or on the host";
constexpr std::string_view standard =
    "take what the C++ standard library has of it, or write it in the kernel";
constexpr std::string_view with_program = "compile the kernels with the program";
constexpr std::string_view driver = "call the runtime API";
constexpr std::string_view left_out = "leave it out: it only marks or measures";
constexpr std::array families{
    Family{"cub/", "include <cub/cub.cuh>, and write what it lacks in the kernel"},
    Family{"nv/", standard},
    Family{"cuda/", standard},
    Family{"cccl/", standard},
    Family{"cutlass/", compute},
    Family{"crt/", "include cuda_runtime.h"},
    Family{"nvtx3/", "include <nvtx3/nvToolsExt.h>, or leave it out: it only marks and names"},
    Family{"nvToolsExt", left_out},
    Family{"cupti", left_out},
    Family{"cooperative_groups", "call __syncthreads(), __syncwarp() and the shuffles"},
    Family{"cublas", compute},
    Family{"cudalibxt", compute},
    Family{"cudnn", compute},
    Family{"cufft", compute},
    Family{"curand", "include curand_kernel.h, and generate the numbers in kernels"},
    Family{"cusolver", compute},
    Family{"cusparse", compute},
    Family{"cutensor", compute},
    Family{"npp", compute},
    Family{"nvblas", compute},
    Family{"nvjpeg", compute},
    Family{"nvJitLink", with_program},
    Family{"nvPTXCompiler", with_program},
    Family{"nvrtc", with_program},
    Family{"nvvm", with_program},
    Family{"nvml", "ask cudaGetDeviceProperties()"},
    Family{"nccl", "copy between the GPUs by cudaMemcpyPeer()"},
    Family{"cufile", "read the file on the host"},
    Family{"cudaEGL", "copy the picture through the host"},
    Family{"cuda_egl_interop", "copy the picture through the host"},
    Family{"cudaVDPAU", "copy the picture through the host"},
    Family{"cuda_vdpau_interop", "copy the picture through the host"},
    Family{"cudaGL", driver},
    Family{"cudaTypedefs", driver},
    Family{"cuda_device_runtime_api", "launch all kernels on the host"},
    Family{"cuda_bf16", "compute with float"},
    Family{"cuda_fp", "compute with float"}};

/// Returns the folder of the installed CUDA toolkit that contains the file, or an empty path. The toolkit
/// of a Linux distribution, whose headers are among all others in /usr/include, does not count.
std::filesystem::path toolkit_of(std::string_view file) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(file, error);
    if (error) return {};
    if (whole.string().starts_with("/usr/include/") || whole.string().starts_with("/usr/lib/")) return {};
    for (std::filesystem::path folder = whole.parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
        if (std::filesystem::exists(folder / "cuda_runtime_api.h", error) &&
            std::filesystem::exists(folder / "crt", error))
            return folder;
    return {};
}

/// Returns whether the file seems to be an installed header of CUDA.
bool is_installed(std::string_view file) {
    if (file.starts_with("/usr/include/") || file.starts_with("/usr/lib/")) return true;
    for (const std::string_view word : {"/usr/", "/opt/", "cuda", "nvidia"})
        if (file.find("/include/") != std::string_view::npos && file.find(word) != std::string_view::npos)
            return true;
    return !toolkit_of(file).empty();
}

/// Returns whether a header of CCCL works on the emulated GPU as on a real GPU, because it needs only a host
/// compiler.
bool needs_no_gpu(std::string_view header) {
    static constexpr std::array<std::string_view, 8> of_cuda{
        "cuda/bit",    "cuda/cmath",   "cuda/functional",  "cuda/iterator",
        "cuda/mdspan", "cuda/numeric", "cuda/type_traits", "cuda/version"};
    return header.starts_with("thrust/") || header.starts_with("cuda/std/") ||
           std::ranges::find(of_cuda, header) != of_cuda.end();
}

}  // namespace

std::string why_not_included(std::string_view header) {
    std::string name(header);
    bool is_of_toolkit = false;
    if (const auto toolkit = toolkit_of(header); !toolkit.empty()) {
        is_of_toolkit = true;
        name = std::filesystem::canonical(header).lexically_relative(toolkit).string();
    } else if (const std::size_t include = name.rfind("/include/"); include != std::string::npos) {
        name.erase(0, include + 9);  // .../include/thrust/sort.h is thrust/sort.h
    }
    if (name.starts_with("cccl/")) name.erase(0, 5);
    if (name.starts_with("thrust/"))
        return fmt::format(
            "<{}> needs the headers of CCCL: install nvidia-cuda-cccl from PyPI, or name their folder by "
            "CUDABOOK_CCCL=FOLDER",
            name);
    const std::string_view file = std::string_view(name).substr(name.find_last_of('/') + 1);
    const auto found = std::ranges::find_if(families, [&](const Family& family) {
        return name.starts_with(family.begin) ||
               (!family.begin.ends_with('/') && file.starts_with(family.begin));
    });
    // A program may have a folder cuda/ of its own; the headers of libcu++ have no dot in their names.
    const bool is_own =
        found != families.end() && found->begin == "cuda/" && name.find('.') != std::string::npos;
    if (!is_of_toolkit && (found == families.end() || is_own)) return {};
    return fmt::format("<{}> needs real CUDA: {}", name,
                       found == families.end() ? "the emulated GPU has no such header" : found->instead);
}

void refuse_libraries(const Source& source, const std::vector<bool>& is_own, const std::string& cccl) {
    for (const Inclusion& inclusion : source.inclusions) {
        const auto found = std::ranges::find(source.files, std::string_view(inclusion.included), &File::name);
        if (found != source.files.end() && is_own[static_cast<std::size_t>(found - source.files.begin())]) {
            const bool is_of_cccl = !cccl.empty() && inclusion.included.starts_with(cccl + "/");
            if (is_own[inclusion.by] || !is_of_cccl ||
                needs_no_gpu(std::string_view(inclusion.included).substr(cccl.size() + 1)))
                continue;
        }
        // A program may have headers of its own with such names.
        if (!is_installed(inclusion.included)) continue;
        if (const std::string why = why_not_included(inclusion.included); !why.empty())
            throw SourceError(fmt::format("{}:{}: {}", source.files[inclusion.by].name, inclusion.line, why));
    }
}

void refuse_word(const Source& source, std::size_t word) {
    const std::string_view text = source[word];
    if (is_of_driver(text) && source.is(word + 1, "(")) {
        const bool is_member = word > 0 && (source.is(word - 1, ".") || source.is(word - 1, "->"));
        const bool is_declared = word > 0 && source.is_word(word - 1) && !source.is(word - 1, "return");
        if (!is_member && !is_declared && !is_in_header(source, text))
            throw source.error(word,
                               fmt::format("{}() of the driver API needs real CUDA{}", text,
                                           needs_code(text) ? ": compile the kernels with the program" : ""));
    }
    if (text == "cub" && source.is(word + 1, "::") && is_missing_of_cub(source[word + 2]))
        throw source.error(word,
                           fmt::format("cub::{} needs real CUDA: write it in the kernel, with shared memory "
                                       "or shuffles, or take an algorithm of Thrust",
                                       source[word + 2]));
    if (text != "asm" && text != "__asm__" && text != "__asm") return;
    for (std::size_t i = word + 1; i < source.tokens.size() && !source.is(i, ";") && !source.is(i, ":"); ++i)
        if (source.tokens[i].kind == Kind::text && is_ptx(source[i]))
            throw source.error(word, "PTX in an asm statement needs real CUDA");
}

}  // namespace cudabook::translator
