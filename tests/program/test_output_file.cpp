// common/program/output_file.hpp: a file is written completely or not at all, and nothing else is left
// behind.
#include "common/program/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::content_of;
using test::error_text;
using test::is_one_line;
using test::names_in;
using Names = std::set<std::string>;

/// During its lifetime, no file of this process can grow beyond 4 KiB.
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

/// During its lifetime, root is a user to whom permissions apply, as they do to other users.
class AsUser {
  public:
    AsUser() : ok_(geteuid() != 0 || (setegid(nobody) == 0 && seteuid(nobody) == 0)) {}
    ~AsUser() {
        // Without effect where nothing was changed.
        static_cast<void>(seteuid(getuid()));
        static_cast<void>(setegid(getgid()));
    }
    AsUser(const AsUser&) = delete;
    AsUser& operator=(const AsUser&) = delete;

    static constexpr uid_t nobody = 65534;
    [[nodiscard]] bool ok() const { return ok_; }

  private:
    bool ok_;
};

/// During its lifetime, $TMPDIR is this folder.
class TemporaryFilesIn {
  public:
    explicit TemporaryFilesIn(const std::filesystem::path& folder)
        : before_(std::filesystem::temp_directory_path()) {
        setenv("TMPDIR", folder.c_str(), 1);
    }
    ~TemporaryFilesIn() { setenv("TMPDIR", before_.c_str(), 1); }
    TemporaryFilesIn(const TemporaryFilesIn&) = delete;
    TemporaryFilesIn& operator=(const TemporaryFilesIn&) = delete;

  private:
    std::filesystem::path before_;
};

/// The status of a file.
struct stat status_of(const std::filesystem::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) throw std::runtime_error("no " + path.string());
    return status;
}
mode_t mode_of(const std::filesystem::path& path) { return status_of(path).st_mode & 07777U; }

class OutputFileTest : public testing::Test {
  protected:
    /// The error from opening, writing and committing this path.
    static std::string error_of(const std::filesystem::path& path, const std::string& text = "text") {
        return error_text<MachineError>([&] {
            OutputFile file(path);
            file.write(text);
            file.commit();
        });
    }

    /// A writable file in a folder that is not writable.
    [[nodiscard]] std::filesystem::path in_closed_folder(const std::string& content) const {
        const auto closed = folder_ / "closed";
        std::filesystem::create_directory(closed);
        const auto path = closed / "out.json";
        std::ofstream(path) << content;
        chmod(path.c_str(), 0666);
        chmod(closed.c_str(), 0555);
        chmod(folder_.path().c_str(), 0755);
        return path;
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
    // There is no file yet, so a program that is killed while it works leaves nothing behind.
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
    std::ifstream reader(path);  // has the old file open, which must stay complete
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

TEST_F(OutputFileTest, FileWithATrailingSlash) {
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
    // Permissions do not apply to root; /proc is not writable for anybody.
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

TEST_F(OutputFileTest, NewFileByTheUmask) {
    const mode_t before = umask(027);
    EXPECT_EQ(error_of(folder_ / "out.json"), "no error");
    umask(before);
    EXPECT_EQ(mode_of(folder_ / "out.json"), 0640U);
}

TEST_F(OutputFileTest, PermissionsStay) {
    const auto path = folder_.file("out.json", "old");
    for (const mode_t mode : {0600U, 0620U, 0664U, 0755U, 0666U}) {
        chmod(path.c_str(), mode);
        EXPECT_EQ(error_of(path), "no error");
        EXPECT_EQ(mode_of(path), mode);
        EXPECT_EQ(content_of(path), "text");
    }
}

TEST_F(OutputFileTest, PrivateFileIsNeverReadableByOthers) {
    const auto path = folder_.file("out.json", "old");
    chmod(path.c_str(), 0600);
    OutputFile file(path);
    file.write("secret");
    EXPECT_EQ(mode_of(file.path()), 0600U);
}

TEST_F(OutputFileTest, OwnerAndGroupStay) {
    const auto path = folder_.file("out.json", "old");
    if (chown(path.c_str(), 1234, 2345) != 0) GTEST_SKIP() << "only root gives files away";
    EXPECT_EQ(error_of(path), "no error");
    EXPECT_EQ(status_of(path).st_uid, 1234U);
    EXPECT_EQ(status_of(path).st_gid, 2345U);
    EXPECT_EQ(content_of(path), "text");
}

TEST_F(OutputFileTest, NewGroupGetsThePermissionsOfOthers) {
    const auto path = folder_.file("out.json", "old");
    chmod(path.c_str(), 0662);
    chmod(folder_.path().c_str(), 0777);
    if (chown(path.c_str(), 1234, 2345) != 0) GTEST_SKIP() << "only root gives files away";
    {
        const AsUser user;
        if (!user.ok()) GTEST_SKIP() << "this root cannot become nobody";
        EXPECT_EQ(error_of(path), "no error");
    }
    EXPECT_EQ(status_of(path).st_uid, AsUser::nobody);
    EXPECT_EQ(mode_of(path), 0622U);
}

TEST_F(OutputFileTest, AccessListStays) {
    const auto path = folder_.file("out.json", "old");
    chmod(path.c_str(), 0640);
    // The header; then tag, permissions and id: owner rw, user 1234 r, group none, mask r, others none.
    const std::array<unsigned char, 44> entries{
        2, 0,    0,    0,    1,    0,    6,    0, 0xff, 0xff, 0xff, 0xff, 2,    0,    4,
        0, 0xd2, 4,    0,    0,    4,    0,    0, 0,    0xff, 0xff, 0xff, 0xff, 0x10, 0,
        4, 0,    0xff, 0xff, 0xff, 0xff, 0x20, 0, 0,    0,    0xff, 0xff, 0xff, 0xff};
    const char* const list = "system.posix_acl_access";
    if (setxattr(path.c_str(), list, entries.data(), entries.size(), 0) != 0)
        GTEST_SKIP() << "no access lists here: " << std::strerror(errno);
    EXPECT_EQ(error_of(path), "no error");
    std::array<unsigned char, 44> kept{};
    EXPECT_EQ(getxattr(path.c_str(), list, kept.data(), kept.size()), 44);
    EXPECT_EQ(kept, entries);
    EXPECT_EQ(content_of(path), "text");
}

TEST_F(OutputFileTest, FileWithoutWritePermission) {
    const auto path = folder_.file("out.json", "old");
    chmod(path.c_str(), 0444);
    chmod(folder_.path().c_str(), 0777);
    std::string error;
    {
        const AsUser user;
        if (!user.ok()) GTEST_SKIP() << "this root cannot become nobody";
        error = error_text<MachineError>([&] { const OutputFile file(path); });
    }
    EXPECT_EQ(error, "cannot write '" + path.string() + "': Permission denied");
    EXPECT_EQ(content_of(path), "old");
}

TEST_F(OutputFileTest, WritableFileInAFolderWithoutWritePermission) {
    const auto path = in_closed_folder("old, and longer than the new one");
    const test::TemporaryFolder elsewhere;
    chmod(elsewhere.path().c_str(), 0777);
    const TemporaryFilesIn tmpdir(elsewhere.path());
    const auto before = status_of(path);
    {
        const AsUser user;
        if (!user.ok()) GTEST_SKIP() << "this root cannot become nobody";
        {
            OutputFile dropped(path);
            dropped.write("dropped");
        }
        EXPECT_EQ(names_in(elsewhere.path()), Names{});
        OutputFile file(path);
        file.write("new");
        std::fflush(file.stream());
        EXPECT_EQ(file.path().extension(), ".json");
        EXPECT_EQ(content_of(path), "old, and longer than the new one");
        file.commit();
    }
    EXPECT_EQ(content_of(path), "new");
    EXPECT_EQ(status_of(path).st_ino, before.st_ino);
    EXPECT_EQ(mode_of(path), 0666U);
    EXPECT_EQ(names_in(folder_ / "closed"), Names{"out.json"});
    EXPECT_EQ(names_in(elsewhere.path()), Names{});
}

TEST_F(OutputFileTest, NoSpaceToOverwriteTheOldFile) {
    const auto path = in_closed_folder("old");
    std::string error;
    {
        const AsUser user;
        if (!user.ok()) GTEST_SKIP() << "this root cannot become nobody";
        error = error_text<MachineError>([&] {
            OutputFile file(path);
            file.write(std::string(8192, 'x'));
            std::fflush(file.stream());
            const SmallFiles limit;
            file.commit();
        });
    }
    EXPECT_EQ(error, "cannot write '" + path.string() + "': File too large");
    EXPECT_EQ(content_of(path), "old");
}

TEST_F(OutputFileTest, FileThatIsMounted) {
    // As with docker's -v FILE:/out.json. In a child process with its own mount namespace and, without root,
    // its own user namespace.
    const auto outside = folder_.file("outside.json", "old");
    const auto path = folder_.file("out.json", "");
    const auto said = folder_ / "said";
    constexpr int no_mount = 77;
    const pid_t child = fork();
    if (child == 0) {
        if ((unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
            mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount(outside.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0)
            _exit(no_mount);
        std::ofstream(said) << error_of(path) << '\n' << content_of(path);
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == no_mount) GTEST_SKIP() << "this user may not mount a file";
    EXPECT_EQ(content_of(said), "no error\ntext");
    EXPECT_EQ(content_of(outside), "text");
    EXPECT_EQ(content_of(path), "");
    EXPECT_EQ(names_in(folder_.path()), (Names{"out.json", "outside.json", "said"}));
}

TEST_F(OutputFileTest, FullDevice) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const Names before = names_in("/dev");
    EXPECT_EQ(error_of("/dev/full"), "cannot write '/dev/full': No space left on device");
    // More than the stream buffers, so that write() itself fails.
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

TEST_F(OutputFileTest, ErrorThatTheWriterIgnored) {
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

TEST_F(OutputFileTest, FolderThatIsRemovedMeanwhile) {
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
    // Like a shell's >(command), or /dev/stdout in a pipeline.
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
