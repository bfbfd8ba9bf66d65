// common/cuda/surface.cuh: the ownership of surface objects. tests/texture_unit/test_surfaces.cu tests
// surfaces in kernels.
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/surface.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

/// Writes `first`, first + 1, … to the surface.
__global__ void count_from(cudaSurfaceObject_t surface, int first) {
    const int x = static_cast<int>(threadIdx.x);
    surf2Dwrite(first + x, surface, x * static_cast<int>(sizeof(int)), 0);
}

class CudaSurfaceObject : public test::Gpu {
  protected:
    static CudaArray row() { return CudaArray::plane<int>(4, 1, cudaArraySurfaceLoadStore); }
    static void write(const SurfaceObject& surface, int first) {
        const Stream stream;
        launch(count_from, 1, 4, stream, surface.handle(), first);
        stream.synchronize();
    }
};

TEST_F(CudaSurfaceObject, Moves) {
    const CudaArray a = row();
    const CudaArray b = row();
    SurfaceObject first(a.get());
    const cudaSurfaceObject_t handle = first.handle();
    SurfaceObject second = std::move(first);
    EXPECT_EQ(second.handle(), handle);
    EXPECT_EQ(first.handle(), 0U);
    write(second, 1);
    EXPECT_EQ(a.texels<int>(), (std::vector{1, 2, 3, 4}));
    second = SurfaceObject(b.get());
    write(second, 5);
    EXPECT_EQ(a.texels<int>(), (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(b.texels<int>(), (std::vector{5, 6, 7, 8}));
}

TEST_F(CudaSurfaceObject, LeavesTheArrayToItsOwner) {
    const CudaArray array = row();
    write(SurfaceObject(array.get()), 1);
    write(SurfaceObject(array.get()), 2);
    EXPECT_EQ(array.texels<int>(), (std::vector{2, 3, 4, 5}));
}

TEST_F(CudaSurfaceObject, FreesItsHandle) {
    // More than can exist at a time (2^20).
    const CudaArray array = row();
    for (int i = 0; i < 1100000; ++i) {
        const SurfaceObject surface(array.get());
        ASSERT_NE(surface.handle(), 0U);
    }
}

TEST_F(CudaSurfaceObject, OfNoArray) {
    const std::string error = test::error_text<CudaError>([] { const SurfaceObject surface(nullptr); });
    EXPECT_NE(error.find("cudaCreateSurfaceObject"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
}  // namespace cudabook
