// common/output_file.hpp: a file is there whole or not at all, and nothing else is left behind.
#include "common/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "tests/error_text.hpp"
#include "tests/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::content_of;
using test::error_text;
using test::is_one_line;
using test::names_in;
using Names = std::set<std::string>;

/// While it lives, no file of this process may grow beyond 4 KiB.
class SmallFiles {
  public:
    SmallFiles() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{4096, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

class OutputFileTest : public testing::Test {
  protected:
    /// The error of opening, writing and committing that path.
    static std::string error_of(const std::filesystem::path& path, const std::string& text = "text") {
        return error_text<MachineError>([&] {
            OutputFile file(path);
            file.write(text);
            file.commit();
        });
    }

    const test::TemporaryFolder folder_;
};

TEST_F(OutputFileTest, AppearsOnCommit) {
    const auto path = folder_ / "out.json";
    OutputFile file(path);
    file.write("one\n");
    file.write("two\n");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
    EXPECT_EQ(content_of(path), "one\ntwo\n");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, LeavesTheFolderAloneUntilItIsWritten) {
    // So that a program that is killed at its work leaves nothing behind.
    const OutputFile file(folder_ / "out.json");
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(OutputFileTest, IsWrittenUnderATemporaryNameBesideIt) {
    OutputFile file(folder_ / "out.json");
    file.write("text");
    const std::string name = file.path().filename().string();
    EXPECT_EQ(names_in(folder_.path()), Names{name});
    EXPECT_EQ(name.find("out.json."), 0U) << name;
    EXPECT_EQ(file.path().extension(), ".json");
    EXPECT_EQ(file.path().stem().extension(), ".part");
}

TEST_F(OutputFileTest, WithoutCommitNothingIsThere) {
    {
        OutputFile file(folder_ / "out.json");
        file.write("text");
    }
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(OutputFileTest, EmptyFile) {
    OutputFile(folder_ / "out.json").commit();
    EXPECT_EQ(content_of(folder_ / "out.json"), "");
}

TEST_F(OutputFileTest, WithoutCommitTheOldContentStays) {
    const auto path = folder_.file("out.json", "old");
    {
        OutputFile file(path);
        file.write("new");
    }
    EXPECT_EQ(content_of(path), "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, ReplacesTheOldContentInOneStep) {
    const auto path = folder_.file("out.json", "old");
    std::ifstream reader(path);  // has the old file open, and keeps it whole
    OutputFile file(path);
    file.write("new and longer");
    std::fflush(file.stream());
    EXPECT_EQ(content_of(path), "old");
    file.commit();
    EXPECT_EQ(content_of(path), "new and longer");
    std::string seen;
    reader >> seen;
    EXPECT_EQ(seen, "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, TwoAtOnceDoNotMix) {
    const auto path = folder_ / "out.json";
    OutputFile first(path);
    OutputFile second(path);
    first.write("first");
    second.write("second");
    second.commit();
    EXPECT_EQ(content_of(path), "second");
    first.commit();
    EXPECT_EQ(content_of(path), "first");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, RelativePath) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    EXPECT_EQ(error_of("out.json"), "no error");
    EXPECT_EQ(error_of("missing/out.json"), "cannot write 'missing/out.json': No such file or directory");
    std::filesystem::current_path(before);
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, NoName) { EXPECT_EQ(error_of(""), "cannot write '': a file needs a name"); }

TEST_F(OutputFileTest, MissingFolder) {
    const auto path = folder_ / "missing" / "out.json";
    EXPECT_EQ(error_of(path), "cannot write '" + path.string() + "': No such file or directory");
    EXPECT_EQ(names_in(folder_.path()), Names{});
}

TEST_F(OutputFileTest, FolderThatIsAFile) {
    const auto path = folder_.file("file", "old") / "out.json";
    EXPECT_EQ(error_of(path), "cannot write '" + path.string() + "': Not a directory");
    EXPECT_EQ(names_in(folder_.path()), Names{"file"});
}

TEST_F(OutputFileTest, FileWithASlashBehindItsName) {
    const std::string path = folder_.file("file", "old").string() + "/";
    EXPECT_EQ(error_of(path), "cannot write '" + path + "': Not a directory");
    EXPECT_EQ(content_of(folder_ / "file"), "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"file"});
}

TEST_F(OutputFileTest, PathIsAFolder) {
    EXPECT_EQ(error_of(folder_.path()), "cannot write '" + folder_.path().string() + "': it is a folder");
    std::filesystem::create_directory_symlink(folder_.path(), folder_ / "link");
    EXPECT_EQ(error_of(folder_ / "link"),
              "cannot write '" + (folder_ / "link").string() + "': it is a folder");
    EXPECT_EQ(names_in(folder_.path()), Names{"link"});
}

TEST_F(OutputFileTest, FolderWithoutWritePermission) {
    // Permissions do not stop root; /proc stops everybody.
    std::filesystem::path closed = "/proc";
    if (geteuid() != 0) {
        closed = folder_ / "closed";
        std::filesystem::create_directory(closed);
        std::filesystem::permissions(closed,
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    }
    const Names before = geteuid() != 0 ? names_in(closed) : Names{};
    const std::string error = error_of(closed / "out.json");
    EXPECT_EQ(error.find("cannot write '" + (closed / "out.json").string() + "': "), 0U) << error;
    EXPECT_TRUE(is_one_line(error)) << error;
    EXPECT_FALSE(std::filesystem::exists(closed / "out.json"));
    if (geteuid() != 0) {
        EXPECT_NE(error.find("Permission denied"), std::string::npos) << error;
        EXPECT_EQ(names_in(closed), before);
    }
}

TEST_F(OutputFileTest, FullDevice) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const Names before = names_in("/dev");
    EXPECT_EQ(error_of("/dev/full"), "cannot write '/dev/full': No space left on device");
    // More than the stream holds back, so that it is write() that fails.
    EXPECT_EQ(error_of("/dev/full", std::string(1U << 20U, 'x')),
              "cannot write '/dev/full': No space left on device");
    EXPECT_EQ(names_in("/dev"), before);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, DeviceKeepsItsName) {
    const OutputFile file("/dev/null");
    EXPECT_EQ(file.path(), "/dev/null");
}

TEST_F(OutputFileTest, NullDeviceTakesEverything) {
    EXPECT_EQ(error_of("/dev/null"), "no error");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, FullDisk) {
    const auto path = folder_.file("out.json", "old");
    std::string in_write;
    std::string in_commit;
    {
        const SmallFiles limit;
        in_write = error_of(path, std::string(1U << 20U, 'x'));
        in_commit = error_of(path, std::string(4097, 'x'));
    }
    EXPECT_EQ(in_write, "cannot write '" + path.string() + "': File too large");
    EXPECT_EQ(in_commit, in_write);
    EXPECT_EQ(content_of(path), "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, ErrorThatTheWriterDidNotLookAt) {
    const auto path = folder_.file("out.json", "old");
    {
        OutputFile file(path);
        std::FILE* stream = file.stream();
        {
            const SmallFiles limit;
            static_cast<void>(std::fputs(std::string(1U << 20U, 'x').c_str(), stream));
        }
        const std::string error = error_text<MachineError>([&] { file.commit(); });
        EXPECT_EQ(error.find("cannot write '" + path.string() + "': "), 0U) << error;
    }
    EXPECT_EQ(content_of(path), "old");
    EXPECT_EQ(names_in(folder_.path()), Names{"out.json"});
}

TEST_F(OutputFileTest, FolderThatGoesAwayMeanwhile) {
    const auto folder = folder_ / "folder";
    std::filesystem::create_directory(folder);
    const std::string error = error_text<MachineError>([&] {
        OutputFile file(folder / "out.json");
        std::filesystem::remove_all(folder);
        file.commit();
    });
    EXPECT_EQ(error, "cannot write '" + (folder / "out.json").string() + "': No such file or directory");
}

TEST_F(OutputFileTest, LinkToAFileStaysALink) {
    std::filesystem::create_directory(folder_ / "elsewhere");
    const auto target = folder_ / "elsewhere" / "target.json";
    const auto link = folder_ / "link.json";
    std::ofstream(target) << "old";
    std::filesystem::create_symlink("elsewhere/target.json", link);
    {
        OutputFile file(link);
        file.write("new");
        EXPECT_EQ(names_in(folder_.path()), (Names{"elsewhere", "link.json"}));
        EXPECT_EQ(names_in(folder_ / "elsewhere").size(), 2U);
        file.commit();
    }
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_FALSE(std::filesystem::is_symlink(target));
    EXPECT_EQ(content_of(target), "new");
    EXPECT_EQ(names_in(folder_ / "elsewhere"), Names{"target.json"});
    EXPECT_EQ(names_in(folder_.path()), (Names{"elsewhere", "link.json"}));
}

TEST_F(OutputFileTest, LinkToItself) {
    const auto link = folder_ / "link.json";
    std::filesystem::create_symlink("link.json", link);
    EXPECT_EQ(error_of(link), "cannot write '" + link.string() + "': Too many levels of symbolic links");
    EXPECT_EQ(names_in(folder_.path()), Names{"link.json"});
}

TEST_F(OutputFileTest, NamedPipe) {
    const auto pipe = folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { received = content_of(pipe); });
    EXPECT_EQ(error_of(pipe), "no error");
    reader.join();
    EXPECT_EQ(received, "text");
    EXPECT_EQ(names_in(folder_.path()), Names{"pipe"});
}

TEST_F(OutputFileTest, PipeWithoutAName) {
    // As a shell's >(command), or /dev/stdout in a pipeline.
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    EXPECT_EQ(error_of("/dev/fd/" + std::to_string(ends[1])), "no error");
    close(ends[1]);
    std::array<char, 16> received{};
    EXPECT_EQ(read(ends[0], received.data(), received.size()), 4);
    close(ends[0]);
    EXPECT_EQ(std::string(received.data()), "text");
}

}  // namespace
}  // namespace cudabook
