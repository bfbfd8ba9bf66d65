// common/window/window_library.hpp: programs start where the window's library cannot be loaded, and say why
// in one line when they are asked for a window.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"

#if CUDABOOK_HAS_WINDOW

namespace cudabook {
namespace {

namespace fs = std::filesystem;
using test::Ending, test::Surroundings, test::Words, test::operator+;

const Words short_run{"--device", "cpu", "--width", "8", "--height", "8", "--frames", "1"};

TEST(CliWindowLibrary, ProgramsStartWithoutGlfw) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "libglfw.so.3") << "not a library";
    const Surroundings without_glfw{.unset = {},
                                    .set = {"LD_LIBRARY_PATH=" + folder.path().string(), "DISPLAY=:4711"}};
    const Ending headless = test::run("heat", short_run + Words{"--headless"}, without_glfw);
    EXPECT_EQ(headless.status, 0) << headless.err;
    EXPECT_EQ(headless.err, "");
    test::expect_error("heat", test::run("heat", short_run + Words{"--window"}, without_glfw), 3,
                       {"no window: ", "libglfw.so.3", "--headless runs without a window"}, "--window");
    const Ending either = test::run("heat", short_run, without_glfw);
    EXPECT_EQ(either.status, 0);
    EXPECT_EQ(either.err.find("heat: headless, because no window: "), 0U) << either.err;
}

TEST(CliWindowLibrary, OldProgramsStartWithoutGlfw) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "libglfw.so.3") << "not a library";
    const Ending still = test::run("book_julia", {"64"},
                                   {.unset = {"CUDABOOK_FRAMES", "CUDABOOK_PNG"},
                                    .set = {"LD_LIBRARY_PATH=" + folder.path().string(), "DISPLAY=:4711"}});
    EXPECT_EQ(still.status, 0) << still.err;
    EXPECT_EQ(still.err.find("no window: "), 0U) << still.err;
    EXPECT_NE(still.err.find("libglfw.so.3"), std::string::npos) << still.err;
    EXPECT_EQ(still.out, "64 x 64, 16384 bytes\nexit 42\n");
}

/// Runs a copy of the program beside a libcudabook_window.so that lacks the window's functions.
TEST(CliWindowLibrary, OfAnotherVersion) {
    Dl_info any_library{};
    ASSERT_NE(dladdr(reinterpret_cast<void*>(static_cast<double (*)(double)>(std::cos)), &any_library), 0);
    const test::TemporaryFolder folder;
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "lib/cudabook");
    fs::copy_file(fs::path(test::program_folder) / "heat", folder / "bin/heat");
    fs::copy_file(any_library.dli_fname, folder / "lib/cudabook/libcudabook_window.so");
    const std::string program = fs::relative(folder / "bin/heat", test::program_folder);
    const Ending ending = test::run(program, short_run + Words{"--window"}, {});
    EXPECT_EQ(ending.status, 3);
    EXPECT_EQ(ending.err.find("heat: no window: libcudabook_window.so is of another version"), 0U)
        << ending.err;
}

}  // namespace
}  // namespace cudabook

#endif
