// common/program/shared_library.hpp: a library that exists, one that does not, and their functions.
#include "common/program/shared_library.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cudabook {
namespace {

TEST(SharedLibrary, FirstThatCanBeLoaded) {
    const SharedLibrary math{"libnowhere.so.1", "libm.so.6", "libalso_nowhere.so"};
    ASSERT_TRUE(math.loaded());
    auto* const cosine = math.function<double(double)>("cos");
    ASSERT_NE(cosine, nullptr);
    EXPECT_EQ(cosine(0), 1);
    EXPECT_EQ(math.function<void()>("no_such_function"), nullptr);
}

TEST(SharedLibrary, NoneExists) {
    const SharedLibrary nothing{"libnowhere.so.1"};
    EXPECT_FALSE(nothing.loaded());
    EXPECT_EQ(nothing.function<double(double)>("cos"), nullptr);
}

TEST(SharedLibrary, Moves) {
    SharedLibrary first{"libm.so.6"};
    const SharedLibrary second = std::move(first);
    EXPECT_TRUE(second.loaded());
}

}  // namespace
}  // namespace cudabook
