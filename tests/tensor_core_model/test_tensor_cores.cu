// common/tensor_core_model/: compared with tensor cores, bit for bit, on numbers that are hard to add.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"
#include "tests/tensor_core_model/units.cuh"

namespace cudabook {
namespace {

using test::side;
namespace model = tensor_cores;

/// What a comparison found.
struct Found {
    unsigned long long compared;
    unsigned long long different;
    int is_described;
    float a[16], b[16], c;  // of a sum that is different
    float expected, result;
};

struct NearestHalf {
    __device__ static float nearest_half(double value) { return __half2float(__double2half(value)); }
};

template <class D>
__device__ bool are_equal(D result, float expected) {
    if constexpr (sizeof(D) == 4)
        return __float_as_uint(result) == __float_as_uint(expected);
    else
        return __half_as_ushort(result) == __half_as_ushort(__float2half(expected));
}

/// Multiplies `rounds` tiles a block, and compares each sum with the model.
template <class Unit>
__global__ void __launch_bounds__(128)
    compare_kernel(Found* found, model::Adder adder, std::uint64_t seed, int rounds) {
    __shared__ __align__(128) test::Tile<Unit> tile;
    constexpr int depth = Unit::depth;
    constexpr bool in_half = sizeof(typename Unit::C) == 2 && sizeof(typename Unit::D) == 2;
    using Result = std::conditional_t<in_half, model::ToHalf<NearestHalf>, model::ToFloat>;
    using Factors = model::Factors<typename Unit::Format, depth>;
    const int column = static_cast<int>(threadIdx.x) % side;
    for (int round = 0; round < rounds; ++round) {
        const auto number =
            std::uint64_t{blockIdx.x} * static_cast<unsigned>(rounds) + static_cast<unsigned>(round);
        const test::HostileNumbers numbers(seed + number, Unit::range);
        test::multiply(tile, numbers);
        Factors b;
        for (int k = 0; k < depth; ++k) b.value[k][0] = numbers.factor(1, column, k);
        b.prepare();
        for (int row = static_cast<int>(threadIdx.x) / side; row < side; row += 2) {
            Factors a;
            for (int k = 0; k < depth; ++k) a.value[k][0] = numbers.factor(0, row, k);
            a.prepare();
            const float c = numbers.accumulator(row, column, Unit::range_of_c);
            float expected[] = {c};
            model::add_products<Result>(adder, expected, a, b, Unit::depth_of_instruction);
            const typename Unit::D result = tile.d[row * side + column];
            if (are_equal(result, expected[0])) continue;
            atomicAdd(&found->different, 1);
            if (atomicExch(&found->is_described, 1) != 0) continue;
            for (int k = 0; k < depth; ++k) {
                found->a[k] = a.value[k][0];
                found->b[k] = b.value[k][0];
            }
            found->c = c;
            found->expected = expected[0];
            found->result = static_cast<float>(result);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(&found->compared, static_cast<unsigned long long>(rounds) * side * side);
}

/// Multiplies `blocks` × `rounds` tiles.
template <class Unit>
Found compared(const model::Adder& adder, int blocks, int rounds) {
    const Found nothing{};
    const DeviceArray<Found> found{std::span<const Found>(&nothing, 1)};
    launch<compare_kernel<Unit>>(blocks, 128, Stream(), found.data(), adder, std::uint64_t{7}, rounds);
    const Found result = found.download()[0];
    EXPECT_EQ(result.compared, static_cast<unsigned long long>(blocks) * rounds * side * side);
    return result;
}

/// Multiplies `blocks` × `rounds` tiles, and expects the model's bits.
template <class Unit>
void compare(int blocks, int rounds) {
    const Found result = compared<Unit>(model::adder_of(capability_of_device()), blocks, rounds);
    std::string terms = fmt::format("{:a}", result.c);
    for (int k = 0; k < Unit::depth; ++k) terms += fmt::format(" + {:a} * {:a}", result.a[k], result.b[k]);
    EXPECT_EQ(result.different, 0U) << terms
                                    << fmt::format(" is {:a}, and in the model {:a}", result.result,
                                                   result.expected);
}

class TensorCores : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        if (IsSkipped()) return;
        const int capability = capability_of_device();
        if (capability < 90 || capability >= 100) GTEST_SKIP() << "needs compute capability 9.0";
    }
};

/// On the emulated GPU, which adds by the model, this tests only which elements are multiplied. The features
/// of tests/emulator/ test its sums.
class TensorCoresSmall : public TensorCores {};

TEST_F(TensorCoresSmall, EachKindOfNumbersOnce) {
    constexpr int kinds = static_cast<int>(test::Hostile::count);
    compare<test::MmaOfTf32>(1, kinds);
    compare<test::WgmmaOfTf32>(1, kinds);
    compare<test::WgmmaOfHalf>(1, kinds);
    compare<test::WmmaOfTf32>(1, kinds);
    compare<test::WmmaOfHalf<float, float>>(1, kinds);
    compare<test::WmmaOfHalf<__half, __half>>(1, kinds);
    compare<test::WmmaOfHalf<__half, float>>(1, kinds);
    compare<test::WmmaOfHalf<float, __half>>(1, kinds);
    compare<test::WmmaOfHalf<float, float, 32, 8>>(1, kinds);
    compare<test::WmmaOfHalf<__half, __half, 8, 32>>(1, kinds);
    compare<test::WmmaOfBfloat16<>>(1, kinds);
    compare<test::WmmaOfBfloat16<32, 8>>(1, kinds);
}

TEST_F(TensorCoresSmall, ShowOtherAdders) {
    constexpr int kinds = static_cast<int>(test::Hostile::count);
    model::Adder fewer_bits = model::hopper;
    --fewer_bits.bits;
    model::Adder more_bits = model::hopper;
    ++more_bits.bits;
    model::Adder smaller_groups = model::hopper;
    smaller_groups.group /= 2;
    for (const model::Adder& other : {fewer_bits, more_bits, smaller_groups}) {
        EXPECT_GT(compared<test::MmaOfTf32>(other, 1, kinds).different, 0U);
        EXPECT_GT(compared<test::WgmmaOfTf32>(other, 1, kinds).different, 0U);
        EXPECT_GT(compared<test::WgmmaOfHalf>(other, 1, kinds).different, 0U);
        EXPECT_GT(compared<test::WmmaOfBfloat16<>>(other, 1, kinds).different, 0U);
    }
}

/// 10^9 sums for each way to multiply. The emulated GPU adds by the model, so that it would be compared with
/// itself.
class TensorCoresBillion : public TensorCores {
  protected:
    void SetUp() override {
        if (test::emulated) GTEST_SKIP() << "it needs tensor cores";
        TensorCores::SetUp();
    }
    template <class Unit>
    static void compare_billion() {
        compare<Unit>(1056, 232);
    }
};

TEST_F(TensorCoresBillion, MmaOfTf32) { compare_billion<test::MmaOfTf32>(); }
TEST_F(TensorCoresBillion, WgmmaOfTf32) { compare_billion<test::WgmmaOfTf32>(); }
TEST_F(TensorCoresBillion, WgmmaOfHalf) { compare_billion<test::WgmmaOfHalf>(); }
TEST_F(TensorCoresBillion, WmmaOfTf32) { compare_billion<test::WmmaOfTf32>(); }
TEST_F(TensorCoresBillion, WmmaOfHalf) { compare_billion<test::WmmaOfHalf<float, float>>(); }
TEST_F(TensorCoresBillion, WmmaOfHalfInHalf) { compare_billion<test::WmmaOfHalf<__half, __half>>(); }
TEST_F(TensorCoresBillion, WmmaOfBfloat16) { compare_billion<test::WmmaOfBfloat16<>>(); }

}  // namespace
}  // namespace cudabook
