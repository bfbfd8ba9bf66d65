// common/program/video_file.hpp: ffmpeg's input, its errors, and the pictures in a real video.
#include "common/program/video_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::content_of;
using test::error_text;
using test::names_in;
using Names = std::set<std::string>;
using Colour = std::array<unsigned char, 3>;

/// The pixels of a frame; each frame number has different ones.
std::vector<unsigned char> frame(int width, int height, int number) {
    std::vector<unsigned char> rgba(static_cast<std::size_t>(4 * width * height));
    for (std::size_t i = 0; i < rgba.size(); ++i)
        rgba[i] = static_cast<unsigned char>((i * i + 7 * i + static_cast<std::size_t>(number)) % 251);
    return rgba;
}

std::string text_of(const std::vector<unsigned char>& bytes) { return {bytes.begin(), bytes.end()}; }

/// Returns true if this process has no child process, not even a zombie.
bool childless() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

/// A folder for videos, and a fake ffmpeg on the PATH.
class VideoFileTest : public testing::Test {
  protected:
    void TearDown() override { setenv("PATH", path_.c_str(), 1); }

    /// Installs the fake ffmpeg. `work`: lines for sh; $video is the output file, $seen a folder for the
    /// test.
    void let_ffmpeg(const std::string& work) {
        const auto program =
            bin_.file("ffmpeg", "#!/bin/sh\nseen='" + bin_.path().string() +
                                    "'\nfor video; do :; done\nvideo=${video#file:}\n" + work + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        setenv("PATH", (bin_.path().string() + ":" + path_).c_str(), 1);
    }

    [[nodiscard]] std::string seen(const std::string& name) const { return content_of(bin_ / name); }

    /// The error for a video of this many frames.
    [[nodiscard]] std::string error_of(int frames, int width = 16, int height = 16) const {
        return error_text<MachineError>([&] {
            VideoFile video(video_, width, height);
            for (int i = 0; i < frames; ++i) video.add(frame(width, height, i).data());
            video.commit();
        });
    }

    [[nodiscard]] std::string because(const std::string& why) const {
        return "cannot write '" + video_.string() + "': " + why;
    }

    const test::TemporaryFolder folder_;
    const std::filesystem::path video_ = folder_ / "heat.mp4";
    const test::TemporaryFolder bin_;
    const std::string path_ = getenv("PATH");
};

TEST_F(VideoFileTest, GivesEachFrameAsItIs) {
    let_ffmpeg("cat >$seen/bytes; printf video >\"$video\"");
    {
        VideoFile video(video_, 37, 23);
        for (int i = 0; i < 50; ++i) video.add(frame(37, 23, i).data());  // more than a pipe holds
        EXPECT_EQ(names_in(folder_.path()).count("heat.mp4"), 0U);
        video.commit();
    }
    std::string wanted;
    for (int i = 0; i < 50; ++i) wanted += text_of(frame(37, 23, i));
    EXPECT_TRUE(seen("bytes") == wanted);
    EXPECT_EQ(content_of(video_), "video");
    EXPECT_EQ(names_in(folder_.path()), Names{"heat.mp4"});
    EXPECT_TRUE(childless());
}

TEST_F(VideoFileTest, DescribesTheFrames) {
    let_ffmpeg("cat >/dev/null; printf ' %s' \"$@\" >$seen/words");
    VideoFile video(video_, 37, 23, 25);
    video.add(frame(37, 23, 0).data());
    video.commit();
    const std::string words = seen("words");
    EXPECT_EQ(words.find(" -nostdin "), 0U) << words;
    for (const std::string part :
         {" -f rawvideo -pixel_format rgba -video_size 37x23 -framerate 25 -i pipe:0 ",
          " vflip,pad=", " -c:v libx264 ", "yuv420p ", " -y ", " -xerror "})
        EXPECT_NE((words + " ").find(part), std::string::npos) << part << "in" << words;
    const std::string name = words.substr(words.rfind(' ') + 1);
    EXPECT_EQ(name.find("file:" + video_.string() + "."), 0U) << name;
    EXPECT_EQ(std::filesystem::path(name).extension(), ".mp4");
}

TEST_F(VideoFileTest, SixtyFramesASecond) {
    let_ffmpeg("cat >/dev/null; printf ' %s' \"$@\" >$seen/words");
    EXPECT_EQ(error_of(1), "no error");
    EXPECT_NE(seen("words").find(" -framerate 60 "), std::string::npos) << seen("words");
}

TEST_F(VideoFileTest, NameWithShellCharacters) {
    let_ffmpeg("cat >/dev/null; printf video >\"$video\"");
    const auto path = folder_ / "-a b$(c);%d\n'.mp4";
    VideoFile video(path, 16, 16);
    video.add(frame(16, 16, 0).data());
    video.commit();
    EXPECT_EQ(names_in(folder_.path()), Names{path.filename().string()});
    EXPECT_EQ(content_of(path), "video");
}

TEST_F(VideoFileTest, WithoutCommitTheOldVideoStaysAndFfmpegEnds) {
    static_cast<void>(folder_.file("heat.mp4", "old"));
    let_ffmpeg("exec sleep 100 >\"$video\"");
    {
        VideoFile video(video_, 16, 16);
        video.add(frame(16, 16, 0).data());
    }
    EXPECT_TRUE(childless());
    EXPECT_EQ(content_of(video_), "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"heat.mp4"});
}

TEST_F(VideoFileTest, OverwritesAFileInAFolderThatIsNotWritable) {
    if (access("/proc/self/comm", W_OK) != 0) GTEST_SKIP() << "no /proc";
    // Nobody, not even root, can create a file in /proc.
    std::filesystem::create_symlink("/proc/self/comm", folder_ / "heat.mp4");
    const std::string before = content_of("/proc/self/comm");
    let_ffmpeg("cat >/dev/null; printf video >\"$video\"; printf %s \"$video\" >$seen/name");
    EXPECT_EQ(error_of(1), "no error");
    EXPECT_EQ(content_of("/proc/self/comm"), "video\n");
    std::ofstream("/proc/self/comm") << before;
    EXPECT_EQ(std::filesystem::path(seen("name")).parent_path(), std::filesystem::temp_directory_path());
    EXPECT_FALSE(std::filesystem::exists(seen("name")));
}

TEST_F(VideoFileTest, WithoutFfmpeg) {
    setenv("PATH", bin_.path().c_str(), 1);
    EXPECT_EQ(error_text<MachineError>([&] { const VideoFile video(video_, 16, 16); }),
              "--video needs the program ffmpeg on the PATH; install it (apt install ffmpeg) or use "
              "--png-every");
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(VideoFileTest, FileThatCannotBeWritten) {
    let_ffmpeg("touch $seen/started");
    const auto path = folder_ / "missing" / "heat.mp4";
    EXPECT_EQ(error_text<MachineError>([&] { const VideoFile video(path, 16, 16); }),
              "cannot write '" + path.string() + "': No such file or directory");
    EXPECT_EQ(names_in(bin_.path()), Names{"ffmpeg"});
}

TEST_F(VideoFileTest, WithoutFrames) {
    let_ffmpeg("cat >\"$video\"");
    EXPECT_EQ(error_of(0), because("no frame was added to it"));
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(VideoFileTest, FailureAtTheEnd) {
    let_ffmpeg("cat >\"$video\"; printf '[mp4 @ 0x1] [x @ 0x2] Disk [C] full\\nCould not\\n' >&2; exit 1");
    EXPECT_EQ(error_of(3), because("ffmpeg: Disk [C] full"));
    EXPECT_EQ(names_in(folder_.path()), Names{});
    EXPECT_TRUE(childless());
}

TEST_F(VideoFileTest, FailureAtTheStart) {
    let_ffmpeg("echo 'No such format' >&2; exit 1");
    const auto before = std::signal(SIGPIPE, SIG_DFL);
    const std::string small = error_of(1);
    const std::string large = error_of(2, 512, 512);  // more than a pipe holds
    EXPECT_EQ(std::signal(SIGPIPE, before), SIG_DFL);
    EXPECT_EQ(small, because("ffmpeg: No such format"));
    EXPECT_EQ(large, because("ffmpeg: No such format"));
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(VideoFileTest, FailureWithoutAReason) {
    const std::string wanted = because("ffmpeg: it ended too early and gave no reason");
    for (const std::string end : {"exit 1", "kill -9 $$"}) {
        let_ffmpeg("cat >\"$video\"; " + end);
        EXPECT_EQ(error_of(1), wanted) << end;
    }
    let_ffmpeg("exit 0");
    EXPECT_EQ(error_of(1, 512, 512), wanted) << "with a frame not yet written";
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(VideoFileTest, ManyErrorsDoNotBlock) {
    let_ffmpeg(
        "i=0; while [ $i -lt 3000 ]; do echo \"complaint $i of this very long line of complaints\" >&2; "
        "i=$((i + 1)); done; cat >/dev/null; exit 1");
    EXPECT_EQ(error_of(2, 512, 512), because("ffmpeg: complaint 0 of this very long line of complaints"));
}

TEST_F(VideoFileTest, NoVideoAfterAnError) {
    let_ffmpeg("echo 'No such format' >&2; exit 1");
    VideoFile video(video_, 512, 512);
    const auto add = [&] { video.add(frame(512, 512, 0).data()); };
    for (int i = 0; i < 2; ++i) EXPECT_EQ(error_text<MachineError>(add), because("ffmpeg: No such format"));
    EXPECT_NE(error_text<MachineError>([&] { video.commit(); }), "no error");
    EXPECT_FALSE(std::filesystem::exists(video_));
}

TEST_F(VideoFileTest, CtrlCDoesNotReachFfmpeg) {
    // A terminal sends it to the whole foreground process group.
    let_ffmpeg(
        "cat >/dev/null; read -r pid name state parent group rest </proc/$$/stat; echo $((group - $$)) "
        ">$seen/group");
    EXPECT_EQ(error_of(1), "no error");
    EXPECT_EQ(seen("group"), "0\n");
}

/// The real ffmpeg.
class RealFfmpeg : public VideoFileTest {
  protected:
    void SetUp() override {
        if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
    }

    /// The video's frames one after another: RGB, row 0 at the top.
    [[nodiscard]] std::string decoded(const std::filesystem::path& path) const {
        const auto raw = folder_ / "raw";
        const std::string command = "ffmpeg -nostdin -loglevel error -y -i '" + path.string() +
                                    "' -f rawvideo -pix_fmt rgb24 '" + raw.string() + "'";
        if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
        return content_of(raw);
    }
};

/// A picture of two halves.
std::vector<unsigned char> halves(int width, int height, Colour bottom, Colour top) {
    std::vector<unsigned char> rgba;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            for (const unsigned char channel : y < height / 2 ? bottom : top) rgba.push_back(channel);
            rgba.push_back(255);
        }
    return rgba;
}

class VideoOfSize : public RealFfmpeg, public testing::WithParamInterface<std::array<int, 2>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, VideoOfSize,
                         testing::Values(std::array{64, 48}, std::array{33, 48}, std::array{64, 21},
                                         std::array{35, 33}),
                         [](const auto& test) {
                             return std::to_string(test.param[0]) + "x" + std::to_string(test.param[1]);
                         });

TEST_P(VideoOfSize, ShowsTheFramesWithRow0AtTheBottom) {
    const auto [width, height] = GetParam();
    const Colour red{255, 0, 0}, green{0, 255, 0}, blue{0, 0, 255}, brown{150, 90, 40};
    const std::vector<std::array<Colour, 2>> pictures{{red, blue}, {green, brown}, {blue, red}};
    {
        VideoFile video(video_, width, height);
        for (const auto& [bottom, top] : pictures) video.add(halves(width, height, bottom, top).data());
        video.commit();
    }
    const std::string pixels = decoded(video_);
    const int even_width = width + width % 2;
    const int even_height = height + height % 2;
    ASSERT_EQ(pixels.size(), pictures.size() * static_cast<std::size_t>(3 * even_width * even_height));
    for (int number = 0; number < 3; ++number)
        for (const int y : {2, height / 4, height - height / 4 - 1, height - 3})
            for (const int x : {2, width / 2, width - 3})
                for (int channel = 0; channel < 3; ++channel) {
                    const auto& [bottom, top] = pictures[static_cast<std::size_t>(number)];
                    const int wanted = (y < height / 2 ? top : bottom)[static_cast<std::size_t>(channel)];
                    const auto at =
                        static_cast<std::size_t>(((number * even_height + y) * even_width + x) * 3 + channel);
                    EXPECT_NEAR(static_cast<unsigned char>(pixels[at]), wanted, 16)
                        << "frame " << number << " x " << x << " y " << y << " channel " << channel;
                }
}

TEST_F(RealFfmpeg, ContainerFromTheExtension) {
    for (const std::string name : {"heat.mkv", "heat.mov"}) {
        VideoFile video(folder_ / name, 16, 16);
        video.add(frame(16, 16, 0).data());
        video.commit();
    }
    EXPECT_EQ(names_in(folder_.path()), (Names{"heat.mkv", "heat.mov"}));
    EXPECT_EQ(content_of(folder_ / "heat.mkv").find("\x1a\x45\xdf\xa3"), 0U);
    EXPECT_EQ(content_of(folder_ / "heat.mov").find("ftypqt"), 4U);
}

TEST_F(RealFfmpeg, UnknownExtension) {
    for (const std::string name : {"heat", "heat.txt", "heat.webm"}) {
        const std::string error = error_text<MachineError>([&] {
            VideoFile video(folder_ / name, 16, 16);
            for (int i = 0; i < 100; ++i) video.add(frame(16, 16, 0).data());
            video.commit();
        });
        EXPECT_EQ(error.find("cannot write '" + (folder_ / name).string() + "': ffmpeg: "), 0U) << error;
        EXPECT_TRUE(test::is_one_line(error)) << error;
    }
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(RealFfmpeg, FullDisk) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    std::filesystem::create_symlink("/dev/full", folder_ / "full.mkv");
    const std::string error = error_text<MachineError>([&] {
        VideoFile video(folder_ / "full.mkv", 16, 16);
        video.add(frame(16, 16, 0).data());
        video.commit();
    });
    EXPECT_NE(error.find("No space left on device"), std::string::npos) << error;
}

}  // namespace
}  // namespace cudabook
