// emulator/objects/archive.hpp: the contents of archives.
#include "emulator/objects/archive.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace cudabook::emulation {
namespace {

std::string padded(std::string text, std::size_t size) { return text.append(size - text.size(), ' '); }

std::string member(const std::string& name, const std::string& content) {
    return padded(name, 16) + padded("0", 12) + padded("0", 6) + padded("0", 6) + padded("644", 8) +
           padded(std::to_string(content.size()), 10) + "`\n" + content +
           (content.size() % 2 == 1 ? "\n" : "");
}

const std::string archive = "!<arch>\n" + member("/", "index") +
                            member("//", "a_name_that_is_long.o/\nanother_long_name.o/\n") +
                            member("short.o/", "123") + member("/0", "") + member("/23", "45");

/// The error for these bytes, which are copied to memory of their own, or an empty string if there is none.
std::string archive_error(std::string_view bytes) {
    const std::vector<char> image(bytes.begin(), bytes.end());
    try {
        members_of(FileImage({image.data(), image.size()}));
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

TEST(Archive, HoldsNamedMembers) {
    ASSERT_TRUE(is_archive(FileImage(archive)));
    const std::vector<ArchiveMember> members = members_of(FileImage(archive));
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[0].name, "short.o");
    EXPECT_EQ(members[0].content.bytes(), "123");
    EXPECT_EQ(members[1].name, "a_name_that_is_long.o");
    EXPECT_EQ(members[1].content.bytes(), "");
    EXPECT_EQ(members[2].name, "another_long_name.o");
    EXPECT_EQ(members[2].content.bytes(), "45");
}

TEST(Archive, MayBeEmpty) {
    EXPECT_TRUE(members_of(FileImage("!<arch>\n")).empty());
    EXPECT_FALSE(is_archive(FileImage("!<arch")));
    EXPECT_FALSE(is_archive(FileImage("")));
}

TEST(Archive, HoldsItsMembersItself) {
    const std::string thin = "!<thin>\n" + member("short.o/", "");
    EXPECT_TRUE(is_archive(FileImage(thin)));
    EXPECT_EQ(archive_error(thin), "it is a thin archive, which does not hold its objects");
}

TEST(Archive, IsReadWhateverItsBytesAre) {
    const std::string broken = "it is incomplete or broken";
    for (std::size_t size = 8; size < archive.size(); ++size) {
        const std::string error = archive_error(std::string_view(archive).substr(0, size));
        EXPECT_TRUE(error.empty() || error == broken) << size;
    }
    EXPECT_EQ(archive_error(std::string_view(archive).substr(0, archive.size() - 1)), broken);
    for (std::size_t i = 8; i < archive.size(); ++i) {
        for (const char value : {'\0', ' ', '/', '0', '9', '\xff'}) {
            std::string damaged = archive;
            damaged[i] = value;
            const std::string error = archive_error(damaged);
            EXPECT_TRUE(error.empty() || error == broken) << i;
        }
    }
}

}  // namespace
}  // namespace cudabook::emulation
