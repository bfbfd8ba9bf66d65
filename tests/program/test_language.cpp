// common/program/language.hpp, and what the programs say to a user whose language is Chinese.
#include "common/program/language.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <string>

#include "common/program/chinese.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/scoped_variable.hpp"

namespace cudabook {
namespace {

using test::Ending, test::lines_of, test::ScopedVariable, test::shown, test::Surroundings, test::Words,
    test::operator+;

/// Sets the environment's language during its lifetime.
struct Language {
    explicit Language(const char* lang, const char* lc_messages = nullptr, const char* lc_all = nullptr)
        : lang("LANG", lang), lc_messages("LC_MESSAGES", lc_messages), lc_all("LC_ALL", lc_all) {}
    ScopedVariable lang;
    ScopedVariable lc_messages;
    ScopedVariable lc_all;
};

const Surroundings in_chinese{.unset = {"LC_ALL", "LC_MESSAGES", "DISPLAY", "WAYLAND_DISPLAY"},
                              .set = {"LANG=zh_CN.UTF-8"}};
const Surroundings in_english{.unset = {"LC_MESSAGES", "LANG"}, .set = {"LC_ALL=C"}};

TEST(Language, IsTheEnvironments) {
    for (const char* chinese : {"zh_CN.UTF-8", "zh_CN.utf8", "zh_TW.UTF-8", "zh_TW", "zh", "zh-CN", "zh_CN@x",
                                "zh_SG.UTF-8@pinyin"}) {
        const Language language(chinese);
        EXPECT_TRUE(chinese_is_wanted()) << chinese;
    }
    for (const char* other :
         {"C", "C.UTF-8", "POSIX", "en_US.UTF-8", "en_US", "zha_CN", "", "zh_CN.GB18030", "zh_TW.Big5"}) {
        const Language language(other);
        EXPECT_FALSE(chinese_is_wanted()) << other;
    }
    const Language none(nullptr);
    EXPECT_FALSE(chinese_is_wanted());
}

TEST(Language, FirstVariableThatIsSetDecides) {
    constexpr const char* chinese = "zh_CN.UTF-8";
    constexpr const char* english = "en_US.UTF-8";
    {
        const Language language(chinese, english);
        EXPECT_FALSE(chinese_is_wanted());
    }
    {
        const Language language(english, chinese);
        EXPECT_TRUE(chinese_is_wanted());
    }
    {
        const Language language(chinese, chinese, "C");
        EXPECT_FALSE(chinese_is_wanted());
    }
    {
        const Language language(english, english, chinese);
        EXPECT_TRUE(chinese_is_wanted());
    }
    {
        const Language language(chinese, "", "");
        EXPECT_TRUE(chinese_is_wanted());
    }
}

TEST(Language, EnglishStaysWithoutChinese) {
    const Language language("en_US.UTF-8");
    EXPECT_EQ(in_language_of_user("Show nothing"), "Show nothing");
}

TEST(Language, TextsWithoutARowStay) {
    const Language language("zh_CN.UTF-8");
    for (const char* text :
         {"", "no row has this", "Show nothing else", "not to Show nothing", "Print errors"})
        EXPECT_EQ(in_language_of_user(text), text);
}

TEST(Language, PatternsTakeWhatIsInserted) {
    const Language language("zh_CN.UTF-8");
    EXPECT_EQ(in_language_of_user("Show nothing"), "不打开窗口");
    EXPECT_EQ(in_language_of_user("--device 'x': cuda:3 is named twice"), "--device 'x'：cuda:3 出现了两次");
    EXPECT_EQ(in_language_of_user("--device emulated: y"), "--device emulated：y");
    EXPECT_EQ(in_language_of_user("3.0 of the device's 9.5 MiB are free"),
              "设备的 9.5 MiB 中只有 3.0 MiB 空闲");
    EXPECT_EQ(in_language_of_user("cannot read 'a{}b{1}': x"), "无法读取 'a{}b{1}'：x");
}

TEST(Language, TakesThePatternWithTheMostText) {
    const Language language("zh_CN.UTF-8");
    // The patterns "--device {}: {}; {}", "{}: {}" and "{}; {}" match, too.
    EXPECT_EQ(in_language_of_user("--device cuda:7: no such device; there is cuda:0"),
              "--device cuda:7：没有这个设备；现有 cuda:0");
}

TEST(Language, TranslatesWhatIsInserted) {
    const Language language("zh_CN.UTF-8");
    EXPECT_EQ(in_language_of_user("on the CPU, because no CUDA device (initialization error)"),
              "在 CPU 上运行，因为没有 CUDA 设备（初始化错误）");
    EXPECT_EQ(
        in_language_of_user("--size: '9' is not a number that is a power of two from 16 to 64; see --help"),
        "--size：'9' 不是在 16 到 64 之间、且为 2 的幂的数；见 --help");
    EXPECT_EQ(in_language_of_user("heat: process 0 of 2 has waited 10 s for processes 1, 4"),
              "heat: 进程 0（共 2 个）已等待 10 秒，等的是进程 1, 4");
}

/// A kernel may have the name of what a key does.
TEST(Language, AWordAloneThatIsInsertedIsAName) {
    const Language language("zh_CN.UTF-8");
    EXPECT_EQ(in_language_of_user("end"), "结束");
    EXPECT_EQ(in_language_of_user("cannot write 'end': end"), "无法写入 'end'：end");
}

TEST(Language, PunctuationAloneTranslatesNothing) {
    const Language language("zh_CN.UTF-8");
    for (const char* text : {"kernel a: b is wrong", "one: two; three"})
        EXPECT_EQ(in_language_of_user(text), text);
    EXPECT_EQ(in_language_of_user("--window: --benchmark shows nothing; leave one of them out"),
              "--window：--benchmark 不打开窗口；请去掉其中一个");
}

TEST(Language, EveryRowIsItsOwnTranslation) {
    const Language language("zh_CN.UTF-8");
    for (const Translation& row : chinese_translations()) {
        const std::string english = std::regex_replace(std::string(row.english), std::regex(R"(\{\})"), "X");
        std::string chinese = std::regex_replace(std::string(row.chinese), std::regex(R"(\{\d?\})"), "X");
        if (!std::regex_search(std::string(row.english), std::regex("[A-Za-z]"))) chinese = english;
        EXPECT_EQ(in_language_of_user(english), chinese);
    }
}

TEST(Language, AChineseCharacterTakesTwoColumns) {
    EXPECT_EQ(terminal_columns(""), 0U);
    EXPECT_EQ(terminal_columns("--size N"), 8U);
    EXPECT_EQ(terminal_columns("内核，（x）"), 11U);
    EXPECT_EQ(terminal_columns("8192²"), 5U);
    EXPECT_EQ(terminal_columns("\xe5\x86"), 1U) << "the end of a character is missing";
    EXPECT_EQ(terminal_columns("\xff\xff"), 1U);
}

class CliLanguage : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(CliLanguages, CliLanguage,
                         testing::Values("heat", "heat_notexture", "tex1dfetch_big", "tex1dfetch_int2float",
                                         "matmul", "texture_unit", "access_patterns", "occupancy"),
                         [](const auto& test) { return std::string(test.param); });

/// The words that begin with --, with repetitions.
std::multiset<std::string> options_in(const std::string& text) {
    static const std::regex option("--[a-z-]+");
    return {std::sregex_token_iterator(text.begin(), text.end(), option), std::sregex_token_iterator()};
}

TEST_P(CliLanguage, HelpIsInChinese) {
    const Ending english = test::run(GetParam(), {"--help"}, in_english);
    const Ending chinese = test::run(GetParam(), {"--help"}, in_chinese);
    EXPECT_EQ(chinese.status, 0);
    EXPECT_EQ(chinese.err, "");
    EXPECT_EQ(options_in(chinese.out), options_in(english.out));
    static const std::regex sentence("[A-Za-z']{2,} [a-z']{2,},? [a-z']{2,}");
    constexpr std::size_t column = 30;
    std::size_t explained = 0;
    for (const std::string& line : lines_of(chinese.out)) {
        EXPECT_FALSE(std::regex_search(line, sentence)) << line;
        const std::size_t gap = line.rfind("  ");
        if (gap == std::string::npos || gap == 0) continue;  // no second column
        const std::string what = line.substr(gap + 2);
        EXPECT_GT(terminal_columns(what), 0U);
        EXPECT_LT(terminal_columns(what), what.size()) << "no Chinese: " << line;
        if (!line.starts_with("  -") && !line.starts_with("      ")) continue;  // a key
        EXPECT_EQ(terminal_columns(line.substr(0, gap + 2)), column) << line;
        ++explained;
    }
    EXPECT_GE(explained, 14U) << chinese.out;
}

TEST(CliLanguageOfMessages, IsTheUsers) {
    struct Case {
        const char* program;
        Words arguments;
        const char* says;
    };
    const Case cases[] = {
        {"heat", {"--widht", "3"}, "不认识的参数：3 --widht；见 --help"},
        {"heat", {"--width", "x"}, "--width：'x' 不是在 1 到 1073741824 之间的数；见 --help"},
        {"heat", {"--width"}, "--width：缺少 1 个值（整数:在 1 到 1073741824 之间）；见 --help"},
        {"heat", {"--window", "--headless"}, "--window 不能与 --headless 同用；见 --help"},
        {"heat", {"--devices", "some"}, "--devices：'some' 不在 {all} 之中；见 --help"},
        {"heat",
         {"--device", "gpu"},
         "--device 'gpu'：请用 auto、cpu、cuda、cuda:N、emulated 或 emulated:NAME"},
        {"heat",
         {"--device", "cpu", "--window"},
         "没有显示器：X11：没有环境变量 DISPLAY（DISPLAY 要指向运行中的 X 服务器，或者 WAYLAND_DISPLAY "
         "指向合成器）；"
         "--headless 不开窗口运行"},
        {"heat",
         {"--headless", "--device", "cpu", "--png", "/no/a.png"},
         "无法写入 '/no/a.png'：没有那个文件或文件夹"},
        {"texture_unit", {"--table", "--png", "a"}, "--png 不能与 --table（它不画图）同用"},
        {"access_patterns",
         {"--size", "3"},
         "--size：'3' 不是在 16 到 262144 之间、且为 2 的幂的数；见 --help"},
        {"matmul", {"--m", "3", "--size", "4"}, "--size 不能与 --m 同用；见 --help"},
    };
    for (const Case& each : cases) {
        const Ending ending = test::run(each.program, each.arguments, in_chinese);
        if (ending.err.find("libcudabook_window.so") != std::string::npos) continue;  // a build without GLFW
        EXPECT_EQ(ending.err, fmt::format("{}: {}\n", each.program, each.says)) << shown(each.arguments);
    }
}

/// The report without its numbers and the widths of its columns, which differ from run to run.
std::string without_times(const std::string& report) {
    const std::string words = std::regex_replace(report, std::regex("[0-9][0-9.e+-]*"), "#");
    return std::regex_replace(words, std::regex(" +|-+"), " ");
}

/// Reports stay in English because programs read them.
TEST(CliLanguageOfReports, IsEnglish) {
    for (const Words& what : {Words{"--size", "16"}, Words{"--size", "16", "--json", "-"},
                              Words{"--list-kernels"}, Words{"--list-devices"}}) {
        const Words words = Words{"--device", "cpu", "--kernel", "reference"} + what;
        const std::string english = without_times(test::run("matmul", words, in_english).out);
        EXPECT_EQ(without_times(test::run("matmul", words, in_chinese).out), english) << shown(words);
        EXPECT_NE(english, "") << shown(words);
    }
    const Ending note = test::run("texture_unit", {"--device", "cpu", "--size", "8"}, in_chinese);
    EXPECT_EQ(note.err, "texture_unit: 没有用到纹理单元：这些是它的模型的图像\n");
}

}  // namespace
}  // namespace cudabook
