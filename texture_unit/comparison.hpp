// Draws lessons and compares their pictures with the CPU's pictures.
#pragma once

#include <map>
#include <string>

#include "common/program/device.hpp"
#include "common/program/report.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

/// The scenes and reference pictures of lessons at one size. Each scene or picture is made when it is first
/// requested.
class References {
  public:
    explicit References(int size) : size_(size) {}

    [[nodiscard]] int size() const { return size_; }
    const Scene& scene(const Lesson& lesson);
    const Image& model(const Lesson& lesson);
    const Image& exact(const Lesson& lesson);

  private:
    int size_;
    std::map<std::string, Scene> scenes_;
    std::map<std::string, Image> models_;
    std::map<std::string, Image> exact_;
};

/// Returns the largest difference of a component between the two pictures, in steps of 1/255 of the range of
/// the scene's texels. Returns NaN if a component is NaN.
double largest_difference(const Scene& scene, const Image& a, const Image& b);

/// A kernel's picture, and the result of its comparison.
struct Compared {
    Image image;
    Result result;
};

/// Draws a kernel's picture and compares it. A GPU's picture must equal, bit for bit, the model's picture or,
/// if Kernel::exact is true, the picture of exact arithmetic. The kernel that a benchmark measures must draw
/// the same picture. On the CPU, the model's picture may differ from the picture of exact arithmetic by at
/// most the lesson's bound. At the default size, the model's picture must have the lesson's checksum.
Compared compare(const Kernel& kernel, const Device& device, References& references);

}  // namespace cudabook::texture_unit
