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

/// Computes the expected result of a kernel on the CPU, by another kernel that shares no arithmetic with it:
/// by `reference` for `blocked`, and by `blocked` for all other kernels. `scene` and `options` must outlive
/// the verifier.
class Verifier {
  public:
    Verifier(const Scene& scene, const Options& options) : scene_(scene), options_(options) {}

    /// Returns the checksum after `frames` frames from the scene's start, or nullopt if an interrupt comes
    /// first. An interrupt that ended the run before this call does not count.
    std::optional<std::uint32_t> expected(const Kernel& kernel, int frames);

    /// Returns the checksum after `origin.frames` frames from the grid `origin.scene`, or nullopt if an
    /// interrupt comes first, as above.
    [[nodiscard]] std::optional<std::uint32_t> expected(const Kernel& kernel, const Origin& origin) const;

  private:
    const Scene& scene_;
    const Options& options_;
    std::map<std::pair<bool, int>, std::uint32_t> known_;  ///< checksums; bool: from `reference`; int: frames
};

}  // namespace cudabook::heat
