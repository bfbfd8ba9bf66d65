// The expected results with which the results of kernels are compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "heat_notexture/demo/simulation.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Computes a kernel's expected result with another kernel on the CPU, which shares no arithmetic with it:
/// `reference` for `blocked`, and `blocked` for all others. Scene and options must outlive the verifier.
class Verifier {
  public:
    Verifier(const Scene& scene, const Options& options) : scene_(scene), options_(options) {}

    /// Returns the checksum after `frames` frames from the scene's start, or nullopt if an interrupt comes
    /// first. An interrupt that has already ended the run does not count.
    std::optional<std::uint32_t> expected(const Kernel& kernel, int frames);

    /// Returns the checksum after the origin's frames, or nullopt as above.
    [[nodiscard]] std::optional<std::uint32_t> expected(const Kernel& kernel, const Origin& origin) const;

  private:
    const Scene& scene_;
    const Options& options_;
    std::map<std::pair<bool, int>, std::uint32_t> known_;  ///< by whether `reference` is used, and frames
};

}  // namespace cudabook::heat
