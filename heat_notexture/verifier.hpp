// What a kernel's result is compared with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "heat_notexture/demo/simulation.hpp"
#include "heat_notexture/kernel.hpp"
#include "heat_notexture/options.hpp"

namespace cudabook::heat {

/// Computes what a kernel should give by another one on the CPU, which shares no arithmetic with it:
/// `blocked` by `reference`, all others by `blocked`. Scene and options must outlive it.
class Verifier {
  public:
    Verifier(const Scene& scene, const Options& options) : scene_(scene), options_(options) {}

    /// The checksum after that many frames from the scene's start. Nothing if an interrupt comes before it is
    /// known; the one that has ended the run does not count.
    std::optional<std::uint32_t> expected(const Kernel& kernel, int frames);

    /// The checksum after the origin's frames.
    [[nodiscard]] std::optional<std::uint32_t> expected(const Kernel& kernel, const Origin& origin) const;

  private:
    const Scene& scene_;
    const Options& options_;
    std::map<std::pair<bool, int>, std::uint32_t> known_;  ///< by the solver and the frames
};

}  // namespace cudabook::heat
