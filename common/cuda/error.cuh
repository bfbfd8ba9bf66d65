// Checks CUDA calls: an error becomes an exception that names the call, the error and the source line.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../program/errors.hpp"

namespace cudabook {

/// A CUDA call failed. The message names the call, the error's name and text, the file and the line.
class CudaError : public MachineError {
  public:
    CudaError(cudaError_t code, const char* call, const char* file, int line)
        : MachineError(std::string(call) + " failed: " + cudaGetErrorName(code) + " (" +
                       cudaGetErrorString(code) + "), at " + file + ":" + std::to_string(line)),
          code_(code) {}
    [[nodiscard]] cudaError_t code() const { return code_; }

  private:
    cudaError_t code_;
};

/// Throws CudaError unless `code` is cudaSuccess. Clears CUDA's last error.
inline void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
    if (code == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    throw CudaError(code, call, file, line);
}

}  // namespace cudabook

#define CUDA_CHECK(call) ::cudabook::check_cuda((call), #call, __FILE__, __LINE__)

// The names that CUDA by Example uses, unless its own header (book/book.h) defines them.
#ifndef HANDLE_ERROR
#define HANDLE_ERROR(call) CUDA_CHECK(call)
#define HANDLE_NULL(pointer)                                                                       \
    do {                                                                                           \
        if ((pointer) == nullptr) throw ::cudabook::MachineError("out of host memory: " #pointer); \
    } while (false)
#endif
