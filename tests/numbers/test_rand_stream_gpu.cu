// common/numbers/rand_stream.hpp on the device: the same outputs as on the host.
#include <cstdint>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/numbers/rand_stream.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

constexpr int outputs = 100;

/// A thread's first position, and the distance that it jumps after 7 outputs.
struct Path {
    std::uint64_t position;
    std::uint64_t jump;
};

CUDABOOK_HOST_DEVICE void follow(const Path& path, std::uint32_t* to) {
    RandStream stream(path.position);
    for (int i = 0; i < 7; ++i) to[i] = stream();
    stream.jump(path.jump);
    for (int i = 7; i < outputs; ++i) to[i] = stream();
}

__global__ void follow_all(std::uint32_t* to, const Path* paths, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) follow(paths[i], to + static_cast<std::size_t>(i) * outputs);
}

void expect_same(const std::vector<Path>& paths) {
    const DeviceArray<Path> from{std::span(paths)};
    const DeviceArray<std::uint32_t> to(paths.size() * outputs);
    const Stream stream;
    launch(follow_all, static_cast<unsigned>((paths.size() + 63) / 64), 64, stream, to.data(),
           static_cast<const Path*>(from.data()), static_cast<unsigned>(paths.size()));
    const std::vector<std::uint32_t> found = to.download();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        std::vector<std::uint32_t> expected(outputs);
        follow(paths[i], expected.data());
        for (int k = 0; k < outputs; ++k)
            ASSERT_EQ(found[i * outputs + k], expected[k])
                << "output " << k << " from " << paths[i].position << " by " << paths[i].jump;
    }
}

class RandStreamOnGpu : public test::Gpu {};

TEST_F(RandStreamOnGpu, BeginsAtAnyPosition) {
    std::vector<Path> paths;
    for (std::uint64_t position = 0; position < 400; ++position) paths.push_back({position, 0});
    paths.push_back({1'000'000, 0});
    for (unsigned bit = 0; bit < 64; ++bit) paths.push_back({std::uint64_t{1} << bit, 0});
    expect_same(paths);
}

TEST_F(RandStreamOnGpu, JumpsAnyDistance) {
    std::vector<Path> paths;
    for (std::uint64_t jump = 0; jump < 100; ++jump) paths.push_back({3, jump});
    paths.push_back({3, 1'000'000});
    for (unsigned bit = 0; bit < 64; ++bit) paths.push_back({1000003, (std::uint64_t{1} << bit) + 12345});
    expect_same(paths);
}

TEST_F(RandStreamOnGpu, BeginsLikeTheLibrary) {
    const DeviceArray<Path> from{std::span<const Path>(std::vector<Path>{{0, 0}})};
    const DeviceArray<std::uint32_t> to(outputs);
    const Stream stream;
    launch(follow_all, 1, 1, stream, to.data(), static_cast<const Path*>(from.data()), 1U);
    const std::vector<std::uint32_t> found = to.download();
    EXPECT_EQ(found[0], 1804289383U);
    EXPECT_EQ(found[1], 846930886U);
    EXPECT_EQ(found[2], 1681692777U);
}

}  // namespace
}  // namespace cudabook
