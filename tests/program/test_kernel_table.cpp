// common/program/kernel_table.hpp: which kernels run where.
#include "common/program/kernel_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/program/errors.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/stdout_of.hpp"

namespace cudabook {
namespace {

struct Row {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device;
};

const std::vector<Row> table{{"plain", "global", "", DeviceKind::cuda},
                             {"shared", "global", "", DeviceKind::cuda},
                             {"serial", "host", "", DeviceKind::cpu},
                             {"shared", "host", "", DeviceKind::cpu}};

CudaDevices one_gpu() { return {{{DeviceKind::cuda, 0, "a GPU", "9.0", 1, 1}}, ""}; }
CudaDevices emulated_gpu() { return {{{DeviceKind::emulated, 0, "a GPU", "9.0", 1, 1}}, "there is none"}; }
CudaDevices no_gpu() { return {{}, "there is none"}; }

CommonOptions options(const std::string& kernel, const std::string& device = "auto", bool benchmark = false) {
    CommonOptions options;
    options.kernel = kernel;
    options.device = parse_device(device);
    options.benchmark = benchmark;
    options.quiet = true;
    return options;
}

/// The choice as "device: kernel kernel …".
std::string chosen(const CommonOptions& options, const FindCudaDevices& find_cuda,
                   const DefaultKernels& defaults = {"serial", "plain"}) {
    const auto choice = choose_kernels("sample", table, find_cuda, defaults, options);
    std::string text(name_of(choice.device.kind));
    text += ':';
    for (const Row& row : choice.kernels) text.append(" ").append(row.name);
    return text;
}

TEST(KernelTable, DefaultOfTheDevice) {
    EXPECT_EQ(chosen(options(""), one_gpu), "cuda: plain");
    EXPECT_EQ(chosen(options(""), no_gpu), "cpu: serial");
    EXPECT_EQ(chosen(options("", "cpu"), one_gpu), "cpu: serial");
    EXPECT_EQ(chosen(options(""), one_gpu, {"serial", "all"}), "cuda: plain shared");
}

TEST(KernelTable, AllKernelsOfTheDevice) {
    EXPECT_EQ(chosen(options("all"), one_gpu), "cuda: plain shared");
    EXPECT_EQ(chosen(options("all", "cpu"), one_gpu), "cpu: serial shared");
    EXPECT_EQ(chosen(options("", "cpu", true), one_gpu), "cpu: serial shared")
        << "the default of --benchmark";
    EXPECT_EQ(chosen(options("plain", "auto", true), one_gpu), "cuda: plain");
}

TEST(KernelTable, NamedKernel) {
    EXPECT_EQ(chosen(options("shared"), one_gpu), "cuda: shared");
    EXPECT_EQ(chosen(options("shared"), no_gpu), "cpu: shared");
    EXPECT_EQ(chosen(options("shared", "cpu"), one_gpu), "cpu: shared");
    EXPECT_EQ(chosen(options("serial"), one_gpu), "cpu: serial") << "only the CPU has it";
}

TEST(KernelTable, SeveralNamedKernels) {
    EXPECT_EQ(chosen(options("shared,plain"), one_gpu), "cuda: shared plain") << "in this order";
    EXPECT_EQ(chosen(options("serial,shared", "cpu"), one_gpu), "cpu: serial shared");
    EXPECT_EQ(chosen(options("plain,shared", "auto", true), one_gpu), "cuda: plain shared");
    EXPECT_THROW(chosen(options("plain,magic"), one_gpu), UsageError);
    EXPECT_THROW(chosen(options("plain,serial"), one_gpu), UsageError) << "of two devices";
    EXPECT_THROW(chosen(options("plain,"), one_gpu), UsageError) << "an empty name";
}

TEST(KernelTable, EmulatedGpuRunsTheGpusKernels) {
    EXPECT_EQ(chosen(options("", "emulated"), emulated_gpu), "emulated: plain");
    EXPECT_EQ(chosen(options("all", "emulated"), emulated_gpu), "emulated: plain shared");
    EXPECT_EQ(chosen(options("shared", "emulated:t4"), emulated_gpu), "emulated: shared");
    EXPECT_EQ(chosen(options("shared"), emulated_gpu), "cpu: shared") << "not asked for";
    EXPECT_THROW(chosen(options("serial", "emulated"), emulated_gpu), UsageError);
    EXPECT_THROW(chosen(options("plain"), emulated_gpu), MachineError);
}

TEST(KernelTable, DoesNotLookForGpusIfTheCpuIsSelected) {
    const auto looked = []() -> CudaDevices { throw MachineError("somebody looked"); };
    EXPECT_EQ(chosen(options("", "cpu"), looked), "cpu: serial");
    EXPECT_EQ(chosen(options("serial"), looked), "cpu: serial");
    EXPECT_THROW(chosen(options("shared"), looked), MachineError);
}

TEST(KernelTable, UnavailableKernel) {
    EXPECT_THROW(chosen(options("magic"), one_gpu), UsageError);
    EXPECT_THROW(chosen(options("plain", "cpu"), one_gpu), UsageError);
    EXPECT_THROW(chosen(options("serial", "cuda"), one_gpu), UsageError);
    EXPECT_EQ(test::error_text<MachineError>([] { chosen(options("plain"), no_gpu); }),
              std::string("--kernel 'plain' needs a GPU: there is none; ") +
                  (built_with_emulation ? "use --device emulated, or " : "") +
                  "leave it out to run on the CPU");
    EXPECT_THROW(chosen(options("", "cuda"), no_gpu), MachineError);
    try {
        chosen(options("magic"), one_gpu);
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "--kernel 'magic': use all, plain, shared, serial") << "each name once";
    }
}

TEST(KernelTable, ListsDevicesAndTheGpusKernelsFirst) {
    const std::vector<Row> gpu(table.begin(), table.begin() + 2);
    const std::vector<Row> cpu(table.begin() + 2, table.end());
    CommonOptions list = options("");
    list.list_kernels = true;
    const std::string text = test::stdout_of([&] {
        EXPECT_FALSE(
            list_or_choose_kernels("sample", gpu, cpu, no_gpu, {"serial", "plain"}, list).has_value());
    });
    EXPECT_LT(text.find("plain"), text.find("serial")) << text;

    CommonOptions devices = options("");
    devices.list_devices = true;
    const std::string found = stdout_of([&] {
        EXPECT_FALSE(
            list_or_choose_kernels("sample", gpu, cpu, one_gpu, {"serial", "plain"}, devices).has_value());
    });
    EXPECT_NE(found.find("cuda:0"), std::string::npos);

    const auto choice =
        list_or_choose_kernels("sample", gpu, cpu, one_gpu, {"serial", "plain"}, options("all"));
    ASSERT_TRUE(choice.has_value());
    EXPECT_EQ(choice->kernels.size(), 2U);
}

}  // namespace
}  // namespace cudabook
