// Two tables: the examples of the chapter on texture memory, fetched and checked; and the largest sizes of
// textures and surfaces for each compute capability.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/figures.hpp"
#include "common/texture_model/model.hpp"

namespace cudabook::texture_unit {

/// Fetches from a texture at some points. Uses tex1D, tex2D or tex3D if the texture has one, two or three
/// dimensions of more than one texel. Texels have four components. The type of a component follows from
/// TextureModel::kind: float, unsigned char (unsigned_fractions) or char (signed_bytes). The types unsigned
/// char and char are read with cudaReadModeNormalizedFloat.
using Fetch = std::function<std::vector<Texel>(const TextureModel& texture,
                                               const std::vector<std::array<float, 3>>& at)>;

/// Fetches from the model.
std::vector<Texel> fetch_from_model(const TextureModel& texture, const std::vector<std::array<float, 3>>& at);

struct TableResult {
    std::string text;           ///< with a newline at the end
    bool ok = true;             ///< whether every row is ok
    std::vector<Figures> rows;  ///< the rows as data
};

/// Returns the chapter's examples with the results of `fetch` and of the model. A row is ok if both results
/// are as expected. The figures of a row are chapter, fetch, expected, got, note and ok.
TableResult chapter_table(const Fetch& fetch);

/// Width, height, and depth or layers. A number is 0 if the texture does not have this dimension, or if the
/// device does not have this kind of texture.
using Extent = std::array<int, 3>;

/// The largest sizes in texels. The last number of a layered texture is the number of layers; in a layered
/// cube map, six layers are one cube. A device's sizes are the fields maxTexture1D, maxTexture1DLayered and
/// so on of cudaDeviceProp. Since CUDA 13, texture_1d_linear has no field, only the attribute
/// cudaDevAttrMaxTexture1DLinearWidth. The third number of maxTexture2DLinear, a pitch, is left out.
struct SizeLimits {
    Extent texture_1d{}, texture_1d_linear{}, texture_1d_layered{};
    Extent texture_2d{}, texture_2d_linear{}, texture_2d_gather{}, texture_2d_layered{};
    Extent texture_3d{}, texture_cubemap{}, texture_cubemap_layered{};
    Extent surface_1d{}, surface_1d_layered{}, surface_2d{}, surface_2d_layered{};
    Extent surface_3d{}, surface_cubemap{}, surface_cubemap_layered{};
};

struct DeviceLimits {
    std::string name;
    int major = 0, minor = 0;  ///< the version of the compute capability
    SizeLimits sizes;
};

/// Returns the limits in NVIDIA's guides and, if there is a device, the limits of the device. A row is not ok
/// if the guides have another value for the device's compute capability; the device's value is then marked.
/// The figures of a row are what, one figure for each column of the guides, device and ok.
TableResult limits_table(const std::optional<DeviceLimits>& device);

}  // namespace cudabook::texture_unit
