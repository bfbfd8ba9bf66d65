// emulator/translator/: the translation of launches and qualifiers, and refused sources.
#include "emulator/translator/translator.hpp"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace cudabook::translator {
namespace {

Options options(bool shares_variables = false) {
    return {.attribute = "[GPU]",
            .lambda_attribute = "[L]",
            .constant_attribute = "[C]",
            .shares_variables = shares_variables,
            .own_headers = {"/own"},
            .cccl = ""};
}

std::string translated(std::string_view text) { return translate(text, options()); }

/// The error for a text; empty if there is none.
std::string error_of(std::string_view text) {
    try {
        translate(text, options());
    } catch (const SourceError& error) {
        return error.what();
    }
    return "";
}

/// The line number and the words of each warning for a text, such as "3 __device__ x written".
std::string warnings_of(std::string_view text) {
    std::string warnings;
    translate(text, options(), &warnings);
    std::string short_ones;
    std::istringstream lines(warnings);
    for (std::string line; std::getline(lines, line);) {
        static const std::regex parts(
            R"re(<stdin>:(\d+): warning: a (\w+) variable "(\w+)" cannot be directly (\w+) in .*)re");
        short_ones += std::regex_replace(line, parts, "$1 $2 $3 $4\n");
    }
    return short_ones;
}

/// Declares kernels: k(int*), t(T*, int) with one template parameter, and o, which is overloaded.
const std::string kernels =
    "__cudabook_global__ void k(int* a);\n"
    "template <class T> __cudabook_global__ void t(T* a, int n);\n"
    "__cudabook_global__ void o(int a);\n"
    "__cudabook_global__ void o(float a);\n";

/// The translation of a text that follows these declarations.
std::string after_kernels(const std::string& text) {
    const std::string all = translated(kernels + text);
    std::size_t line = 0;
    for (int i = 0; i < 4; ++i) line = all.find('\n', line) + 1;
    return all.substr(line);
}

void expect_launch(const std::string& from, const std::string& to) {
    EXPECT_EQ(after_kernels(from), "::cudabook::emulation::launched(" + to) << from;
}

void expect_launch_of_name(const std::string& from, const std::string& to) {
    expect_launch(from, "[&] { return " + to);
}

TEST(Translator, Launches) {
    expect_launch_of_name("k<<<1, 2>>>(a);", "k; })(1, 2)(a);");
    expect_launch_of_name("k <<< dim3(1, 2), f(3), 4, s >>> ( a );",
                          "k ; })( dim3(1, 2), f(3), 4, s ) ( a );");
    expect_launch_of_name("a::b::k<<<1, 2>>>(a);", "a::b::k; })(1, 2)(a);");
    expect_launch_of_name("::k<<<1, 2>>>(a);", "::k; })(1, 2)(a);");
    expect_launch_of_name("unknown<<<1, 2>>>();", "unknown; })(1, 2)();");
    expect_launch_of_name("k<<<1, 2>>>(a, {1, 2}, NULL);", "k; })(1, 2)(a, {1, 2}, NULL);");
}

TEST(Translator, VariablesOfTheGpuOnTheHost) {
    const std::string declared =
        "__cudabook_device__ int x, *const p, list[2] = {1, 2}; __cudabook_constant__ float c[2];\n"
        "__cudabook_device__ __cudabook_variable__ int managed; const __cudabook_constant__ int fixed = 1;\n";
    const std::string written =
        "3 __device__ x written\n4 __device__ list written\n5 __constant__ c written\n6 __device__ x "
        "written\n";
    EXPECT_EQ(warnings_of(declared + "void f() { x = 1;\nlist[x_] += 2;\nc[0] = 1;\n++x; }"), written);
    const std::string read =
        "3 __device__ x read\n4 __device__ x read\n5 __device__ p read\n6 __constant__ c read\n"
        "7 __device__ x read\n8 __device__ list read\n";
    EXPECT_EQ(warnings_of(kernels.substr(0, kernels.find('\n')) + declared +
                          "int f() { int y = x;\nprintf(\"%d\", x);\nif (p) y = 2;\nreturn c[1] > 2;\n"
                          "k<<<1, 2>>>(x);\nk<<<1, 2>>>(list); }"),
              read);
    EXPECT_EQ(
        warnings_of(declared +
                    "void f(T& t) { cudaMemcpyToSymbol(x, &t, sizeof x); g(&list, c); g(sizeof(x)); t.x = 1; "
                    "t->p = 2; n::x = 3; managed = fixed; }"),
        "");
    for (const std::string_view own :
         {"void f(int* p) { int x = 1; x = 2; *p = x; for (int c : all) c = 1; }",
          "void f() { int n = 10, x = 0; x += n; }", "void f() { float *a, *p; p = a; }",
          "void f() { std::vector<int> list(3); list[0] = 1; dim3 c(4); c.x = 2; }",
          "struct C { int x; void add() { ++x; } };", "namespace cpu { int x; void f() { x = 1; } }",
          "void f() { auto [x, n] = g(); n += x; }", "void f() { g([x = 0]() mutable { ++x; }); }",
          "void f() { n = sizeof list / sizeof *list; int& s = x; set<x>(); }"})
        EXPECT_EQ(warnings_of(declared + std::string(own)), "") << own;
    EXPECT_EQ(warnings_of("__cudabook_constant__ struct P { int n; } params;\nvoid f() { P h = P{4};\n"
                          "params.n = 1; }"),
              "3 __constant__ params written\n");
    EXPECT_EQ(
        warnings_of(declared +
                    "__cudabook_global__ void g() { x = 1; }\n__cudabook_device__ void h() { x = c[0]; }\n"
                    "void f() { each([=] __cudabook_device__ (int i) { x = i; }); }"),
        "");
}

TEST(Translator, NamesOfDynamicSharedMemory) {
    const std::string shared = "extern thread_local __attribute__((abi_tag(\"cudabook_shared\"))) ";
    std::string warnings;
    translate("__cudabook_global__ void k() { " + shared + "int a[];\n" + shared + "float b[]; }", {},
              &warnings);
    EXPECT_EQ(warnings.find("<stdin>:2: warning: b begins at the same byte as a"), 0) << warnings;
    translate("template <class T> struct S;\ntemplate <> struct S<int> { __cudabook_device__ int* p() { " +
                  shared +
                  "int a[]; return a; } };\ntemplate <> struct S<float> { __cudabook_device__ float* p() { " +
                  shared + "float b[]; return b; } };\n__cudabook_global__ void k() { { " + shared +
                  "int c[]; } { " + shared + "int d[]; } }",
              {}, &warnings);
    EXPECT_EQ(warnings, "");
}

TEST(Translator, LaunchesOfPointers) {
    expect_launch("(*p)<<<1, 2>>>(a);", "(*p))(1, 2)(a);");
    expect_launch("table[i + 1]<<<1, 2>>>(a);", "table[i + 1])(1, 2)(a);");
    expect_launch_of_name("x.y->z<<<1, 2>>>(a);", "x.y->z; })(1, 2)(a);");
    expect_launch("f(a, b)<<<1, 2>>>(a);", "f(a, b))(1, 2)(a);");
    expect_launch("f<int>(a)[3]<<<1, 2>>>(a);", "f<int>(a)[3])(1, 2)(a);");
}

// A lambda would capture the variable, or contain an unexpanded pack.
TEST(Translator, LaunchesWithoutALambda) {
    for (const std::string text :
         {"void f(F p) { p<<<1, 2>>>(a); }", "void f() { auto p = g(); p<<<1, 2>>>(a); }",
          "void f() { auto [p, n] = g(); p<<<1, 2>>>(a); }",
          "void f() { for (const auto& [n, p] : all) { if (n) { p<<<1, 2>>>(a); } } }",
          "void f() { each([&](auto n) { t<n><<<1, 2>>>(a); }); }",
          "template <class... T> void f() { (t<T><<<1, 2>>>(a), ...); }"})
        EXPECT_EQ(after_kernels(text).find("launched([&]"), std::string::npos) << after_kernels(text);
}

TEST(Translator, LaunchesAfterOtherWords) {
    EXPECT_EQ(after_kernels("if (x) k<<<1, 2>>>(a);"),
              "if (x) ::cudabook::emulation::launched([&] { return k; })(1, 2)(a);");
    EXPECT_EQ(after_kernels("if (x) (*p)<<<1, 2>>>(a);"),
              "if (x) ::cudabook::emulation::launched((*p))(1, 2)(a);");
    EXPECT_EQ(after_kernels("else k<<<1, 2>>>(a);"),
              "else ::cudabook::emulation::launched([&] { return k; })(1, 2)(a);");
    EXPECT_EQ(after_kernels("x = 1, k<<<1, 2>>>(a);"),
              "x = 1, ::cudabook::emulation::launched([&] { return k; })(1, 2)(a);");
    EXPECT_EQ(after_kernels("return ::k<<<1, 2>>>(a);"),
              "return ::cudabook::emulation::launched([&] { return ::k; })(1, 2)(a);");
}

TEST(Translator, PtxWithATwin) {
    const auto statement = [](const std::string& text) { return translated("void f() { " + text + "; }"); };
    const auto squeezed = [](std::string text) {
        std::erase(text, ' ');
        return text;
    };
    const std::string lane = "::cudabook::emulation::thread_number() % 32";
    for (const std::string text :
         {R"(asm("mov.u32 %0, %%laneid;" : "=r"(x)))", R"(asm volatile ("mov.u32 %0, %laneid;" : "=r" (x)))",
          R"(__asm__ __volatile__("mov.u32 " "%0,\t%%laneid;\n" : "=r"(x) : ))",
          R"(asm volatile("mov.u32 %0,%%laneid;" : "=r"(x) :: "memory"))",
          R"(asm volatile(" mov.u32 %0 , %%laneid ; " : "+r"(x) : : "memory"))"})
        EXPECT_EQ(squeezed(statement(text)), squeezed("void f() { (x) = " + lane + "; }")) << text;
    EXPECT_EQ(squeezed(statement(R"(asm("mov.u64 %0, %%globaltimer;" : "=l"(a[i])))")),
              squeezed("void f() { (a[i]) = ::cudabook::emulation::clock_ns(); }"));
    EXPECT_EQ(squeezed(statement(
                  R"(asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)))")),
              squeezed("void f() { (d) = ::__vsadu4((a), (b)) + ((c)); }"));
    EXPECT_EQ(squeezed(statement(R"(asm("bfind.u32 %0,%1;" : "=r"(d) : "r"(a) : "memory"))")),
              squeezed("void f() { (d) = static_cast<unsigned>(31 - ::__clz(static_cast<int>((a)))); }"));
    for (const std::string text :
         {R"(asm("mov.u64 %0, %%laneid;" : "=l"(x)))", R"(asm("mov.u32 %0, %%laneid;" : "=l"(x)))",
          R"(asm("mov.u64 %0, %%globaltimer;" : "=r"(x)))", R"(asm("mov.u32 %0, %%laneid;" : "=f"(x)))",
          R"(asm("bfind.u32 %0, %1;" : "=r"(x) : "l"(y)))", R"(asm("bfind.u32 %0, %1;" : "=r"(x) : "f"(y)))",
          R"(asm("bfind.u32 %0, %1;" :: "r"(x), "r"(y)))", R"(asm("bfind.u32 %0, %1;" : "=r"(x) : "0"(y)))",
          R"(asm("mov.u32 %0, %%laneid;" : "=r"(x) :: "cc"))", R"(asm("mov.u32 %0, %%laneid;" :: "memory"))",
          R"(asm("mov.u32 %0, %%laneid; mov.u32 %1, %%smid;" : "=r"(x), "=r"(y)))",
          R"(asm("bfind.u32 %0, %1;" : "=r"(x)))", R"(asm("mov.u32 %0, %%warpsize;" : "=r"(x)))"})
        EXPECT_NE(error_of("void f() { " + text + "; }"), "") << text;
}

TEST(Translator, LerpOfMathHeader) {
    const std::string header = "# 1 \"/usr/include/c++/12/math.h\" 1 3\n";
    EXPECT_EQ(translated(header + "using std::log;\nusing std::lerp;\nint x;\n"),
              header + "using std::log;\n \nint x;\n");
    for (const std::string text : {"using std::lerp;\n", "namespace n { using std::lerp; }\n"})
        EXPECT_EQ(translated("# 1 \"x.cu\"\n" + text), "# 1 \"x.cu\"\n" + text);
    EXPECT_EQ(translated(header + "namespace n { using std::lerp; }\n"),
              header + "namespace n { using std::lerp; }\n");
}

TEST(Translator, TemplatesWithAllArguments) {
    expect_launch_of_name("t<float><<<1, 2>>>(a, 3);", "t<float>; })(1, 2)(a, 3);");
    expect_launch_of_name("t<v<v<int>>><<<1, 2>>>(a, 3);", "t<v<v<int>>>; })(1, 2)(a, 3);");
    expect_launch_of_name("n::t<(3 > 2)><<<1, 2>>>(a, 3);", "n::t<(3 > 2)>; })(1, 2)(a, 3);");
    expect_launch_of_name("A<int>::template t<float><<<1, 2>>>(a, 3);",
                          "A<int>::template t<float>; })(1, 2)(a, 3);");
}

TEST(Translator, GreaterSignsInAConfiguration) {
    expect_launch_of_name("k<<<v<v<int>>(), 2>>>(a);", "k; })(v<v<int>>(), 2)(a);");
    expect_launch_of_name("k<<<1, v<v<v<int>>>(3)>>>(a);", "k; })(1, v<v<v<int>>>(3))(a);");
    expect_launch_of_name("k<<<1, v<v<int>>::size>>>(a);", "k; })(1, v<v<int>>::size)(a);");
    expect_launch_of_name("k<<<(a > b), 2>>>(a);", "k; })((a > b), 2)(a);");
    expect_launch_of_name("k<<<n < 5 ? 1 : 2, 256>>>(a);", "k; })(n < 5 ? 1 : 2, 256)(a);");
    expect_launch_of_name("k<<<n >> 3, p->x>>>(a);", "k; })(n >> 3, p->x)(a);");
    expect_launch_of_name("k<<<1, 2, v<int, 3>()>>>(a);", "k; })(1, 2, v<int, 3>())(a);");
    expect_launch_of_name("k<<<1, [] { return 2 > 1; }()>>>(a);", "k; })(1, [] { return 2 > 1; }())(a);");
}

/// In a macro, the preprocessor may separate the signs of <<< and >>>.
TEST(Translator, PartedSigns) { expect_launch_of_name("k<< <1, 2>> >(a);", "k; })( 1, 2) (a);"); }

TEST(Translator, WhatIsNoLaunch) {
    for (const std::string text :
         {"a << b; c >> d; x<y<z>> w;", "\"k<<<1, 2>>>(a)\"", "// k<<<1, 2>>>(a)\n", "/* k<<<1, 2>>>(a) */",
          "R\"x(k<<<1, 2>>>(a) )\" )x\"", "'<', '\\'', \"<<<\\\"\", L'<', u8R\"(<<<)\"",
          "s& operator<<<int>(s&);", "1'000'000 << 2", "0x1p-3 < 2", "#pragma omp <<< >>>\n"})
        EXPECT_EQ(translated(text), text);
}

/// The translation of a launch of a kernel that the arguments choose. `name`: the kernel; `of`: the call of
/// the function that takes the arguments.
std::string launched_by(const std::string& name, const std::string& of) {
    return "::cudabook::emulation::launched_by([](auto of) { return static_cast<decltype(of)>(" + name +
           "); })(1, 2)(" + of;
}

TEST(Translator, KernelsThatArgumentsChoose) {
    EXPECT_EQ(after_kernels("t<<<1, 2>>>(a, 3);"), launched_by("t", "t__cudabook_arguments (a, 3));"));
    EXPECT_EQ(after_kernels("n::o<<<1, 2>>>(3);"), launched_by("n::o", "n :: o__cudabook_arguments (3));"));
    EXPECT_EQ(after_kernels("t<<<1, 2>>>(NULL, f<1, 2>(b));"),
              launched_by("t", "t__cudabook_arguments (NULL, f<1, 2>(b)));"));
    EXPECT_EQ(after_kernels("t<<<1, 2>>>(nullptr, of...);"),
              launched_by("t", "t__cudabook_arguments (nullptr, of...));"));
    EXPECT_EQ(after_kernels("t<<<1, 2>>>({1, 2}, 0);"),
              launched_by("t", "t__cudabook_arguments ({1, 2}, 0));"));
}

/// What the translator writes before a declaration of a kernel `k` that arguments choose.
std::string taking(const std::string& declaration) {
    const std::string mark = "__cudabook_global__ ";
    const std::string other = mark + "void k(Other*********);\n";
    const std::string all = translate(other + declaration + "\nvoid f() { k<<<1, 2>>>(3); }", {});
    const std::size_t begin = all.find('\n') + 1;
    std::string line = all.substr(begin, all.find('\n', begin) - begin);
    std::string rest = declaration;
    while (rest.find(mark) != std::string::npos) rest.replace(rest.find(mark), mark.size(), " ");
    EXPECT_TRUE(line.ends_with(rest)) << line;
    line.erase(line.size() - std::min(line.size(), rest.size()));
    return line;
}

TEST(Translator, FunctionsThatTakeArguments) {
    const std::string head = "static inline auto k__cudabook_arguments(";
    const std::string of = ") -> ::cudabook::emulation::Arguments<void";
    const std::string g = "__cudabook_global__ void ";
    EXPECT_EQ(taking(g + "k();"), " " + head + of + "> { return {}; } ");
    EXPECT_EQ(taking(g + "k(int a, const T& b = {1, 2});"),
              " " + head + "int a, const T & b = { 1 , 2 }" + of +
                  ", decltype(a), decltype(b)> { return {a, b}; } ");
    EXPECT_EQ(taking("static " + g + "k(unsigned, float*);"),
              " " + head + "unsigned of0  , float * of1  " + of +
                  ", decltype(of0), decltype(of1)> { return {of0, of1}; } ");
    EXPECT_EQ(taking("template <class T> " + g + "k(T (*f)(int), int (*)(T), T a[], T[3]);"),
              "template < class T > " + head +
                  "T ( * f ) ( int ), int ( * of1 ) ( T ) , T a [ ], T of3 [ 3 ] " + of +
                  ", decltype(f), decltype(of1), decltype(a), decltype(of3)> { return {f, of1, a, of3}; } ");
    EXPECT_EQ(taking("template <class... T> requires (sizeof...(T) > 1) && C<T...> " + g + "k(T... of);"),
              "template < class ... T > requires ( sizeof ... ( T ) > 1 ) & & C < T ... > " + head +
                  "T ... of" + of + ", decltype(of)...> { return {of...}; } ");
    EXPECT_EQ(
        taking("template <class T> __cudabook_global__ [[x]] typename E<T>::type k(const T, n::S);"),
        "template < class T > " + head + "const T of0  , n :: S of1  " +
            ") -> ::cudabook::emulation::Arguments<typename E < T > :: type, decltype(of0), decltype(of1)> "
            "{ return {of0, of1}; } ");
}

TEST(Translator, DeclarationsOfOneKernel) {
    const std::string g = "__cudabook_global__ void k(";
    const std::string launch = " void f() { k<<<1, 2>>>(3); }";
    const auto definitions = [&](const std::string& text) {
        const std::string all = translated(text + launch);
        std::size_t count = 0;
        for (std::size_t at = all.find("{ return {"); at != std::string::npos;
             at = all.find("{ return {", at + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(definitions(g + "unsigned int a, const float* b); " + g + "unsigned n, float const* = 0) {}"),
              1U);
    EXPECT_EQ(definitions("template <class T> " + g + "T a); template <typename U> " + g + "U) {}"), 1U);
    EXPECT_EQ(definitions(g + "int a); " + g + "float a);"), 2U);
    EXPECT_EQ(definitions("template <class T> " + g + "T a); template <class T, int n> " + g + "T a);"), 2U);
    EXPECT_EQ(definitions("namespace a { " + g + "int a = 0); } namespace b { " + g + "int a); }"), 2U);
    // A declaration that repeats another may give default arguments.
    EXPECT_NE(translated(g + "int a); " + g + "int a = 2) {}" + launch)
                  .find("static inline auto k__cudabook_arguments(int a = 2) -> "
                        "::cudabook::emulation::Arguments<void, decltype(a)>; "),
              std::string::npos);
}

TEST(Translator, UsingDeclarationsOfKernels) {
    const std::string kernel = "namespace n { __cudabook_global__ void k(int a = 0); } ";
    const std::string use = "using n::k; using std::k; void f() { k<<<1, 2>>>(); }";
    EXPECT_NE(
        translated(kernel + use).find("using n::k; using n :: k__cudabook_arguments; using std::k; void"),
        std::string::npos)
        << translated(kernel + use);
}

TEST(Translator, VariablesWithAKernelsName) {
    for (const std::string function :
         {"template <class K> void f(K o) { o<<<1, 2>>>(3); }", "void f(void (*o)(int)) { o<<<1, 2>>>(3); }",
          "void f() { auto o = g; o<<<1, 2>>>(3); }", "void f() { for (auto& o : all) { o<<<1, 2>>>(3); } }",
          "template <void (*o)(int)> void f() { o<<<1, 2>>>(3); }"})
        EXPECT_EQ(after_kernels(function).find("launched_by"), std::string::npos) << function;
    for (const std::string function :
         {"void f() { g(&o, 3); o<<<1, 2>>>(3); }", "void o1(int o) {} void f() { o<<<1, 2>>>(3); }"})
        EXPECT_NE(after_kernels(function).find("launched_by"), std::string::npos) << function;
}

TEST(Translator, AFunctionOfTheHostWithAKernelsName) {
    const std::string launch = "k<<<1, 2>>>(a);";
    EXPECT_NE(after_kernels("void k(float* a, int n) {}" + launch).find("launched_by"), std::string::npos);
    EXPECT_EQ(after_kernels("void f() { x = k(a); }" + launch).find("launched_by"), std::string::npos);
}

TEST(Translator, WhichKernelsArgumentsChoose) {
    const auto is_chosen = [](const std::string& text) {
        return translated(text).find("launched_by") != std::string::npos;
    };
    const std::string g = "__cudabook_global__ void ";
    EXPECT_FALSE(is_chosen(g + "k(int* a); " + g + "k(int* b) {} void f() { k<<<1, 2>>>(0); }"));
    EXPECT_FALSE(is_chosen(g + "k(int); " + g + "k(int b) {} void f() { k<<<1, 2>>>(0); }"));
    EXPECT_TRUE(is_chosen(g + "k(int a, int b = 2); void f() { k<<<1, 2>>>(0); }"));
    EXPECT_TRUE(is_chosen("template <class T, int n> " + g + "k(T a); void f() { k<int><<<1, 2>>>(0); }"));
    EXPECT_TRUE(is_chosen("template <class... T> " + g + "k(T... a); void f() { k<int><<<1, 2>>>(0); }"));
    EXPECT_FALSE(is_chosen("template <class T> " + g + "k(T a); template <> " + g +
                           "k<int>(int a) {} void f() { k<int><<<1, 2>>>(0); }"));
    // A using-directive alone does not make the arguments choose the kernel; a function of its name in std
    // does.
    const std::string reduce =
        "using namespace std; " + g + "reduce(int a); void f() { reduce<<<1, 2>>>(0); }";
    EXPECT_FALSE(is_chosen(reduce));
    EXPECT_TRUE(is_chosen("namespace std { template <class T> T reduce(T a, T b); }" + reduce));
}

TEST(Translator, LaunchesInLaunches) {
    EXPECT_EQ(after_kernels("run([&] { k<<<1, 2>>>(a); });"),
              "run([&] { ::cudabook::emulation::launched([&] { return k; })(1, 2)(a); });");
    expect_launch_of_name(
        "k<<<1, 2>>>(f([&] { k<<<3, 4>>>(b); }));",
        "k; })(1, 2)(f([&] { ::cudabook::emulation::launched([&] { return k; })(3, 4)(b); }));");
}

TEST(Translator, CastsOfLaunchedKernels) {
    const std::string call = "cudaLaunchKernel(k, 1, 2, a, 0, 0);";
    EXPECT_EQ(translated("cudaLaunchKernel((void*)k, 1, 2, a, 0, 0);"), call);
    EXPECT_EQ(translated("cudaLaunchKernel((const void*)k, 1, 2, a, 0, 0);"),
              "cudaLaunchKernel( k, 1, 2, a, 0, 0);");
    EXPECT_EQ(translated("cudaLaunchKernel(reinterpret_cast<void*>(&t<int>), 1, 2, a);"),
              "cudaLaunchKernel((&t<int>), 1, 2, a);");
    for (const char* other : {"cudaLaunchKernel(k, 1, 2, a, 0, 0);", "cudaLaunchKernel((k), 1, 2, a);",
                              "cudaLaunchKernel((void(*)(int))k, 1, 2, a);", "f((void*)k, 1, 2, a);"})
        EXPECT_EQ(translated(other), other);
}

TEST(Translator, CastsOfCooperativeKernels) {
    EXPECT_EQ(translated("cudaLaunchCooperativeKernel((void *)k, 1, 2, a);"),
              "cudaLaunchCooperativeKernel( k, 1, 2, a);");
}

TEST(Translator, KernelsWithCLinkage) {
    const std::string plain = "extern \"C\" __cudabook_global__ void k();";
    EXPECT_EQ(translated(plain), "extern \"C\" [GPU] void k();");
    EXPECT_EQ(translated(plain + " extern \"C\" __cudabook_global__ void k() { extern float x[]; }"),
              "  [GPU] void k();   [GPU] void k() { extern float x[]; }");
}

TEST(Translator, KernelsWithClusters) {
    const std::string cluster = "__attribute__((abi_tag(\"cudabook_cluster_\" \"2\"))) ";
    EXPECT_EQ(translated("extern \"C\" __cudabook_global__ void " + cluster + "k();"),
              "  [GPU] void " + cluster + "k();");
    EXPECT_EQ(
        translated("template <class T> __cudabook_global__ void " + cluster + "k() { T a; }"),
        "inline namespace cudabook_cluster { template <class T> [GPU] void " + cluster + "k() { T a; } }");
    const std::string in_namespace = "namespace n { template <class T> __cudabook_global__ void " + cluster;
    EXPECT_EQ(translated(in_namespace + "k(); }"),
              "namespace n { template <class T> [GPU] void " + cluster + "k(); }");
}

TEST(Translator, LaunchBounds) {
    const auto bounds = [](const std::string& of) {
        return "__attribute__((cudabook_launch_bounds(" + of + ")))";
    };
    const auto entry = [](const std::string& of) {
        return "__asm__ volatile(\"771: .pushsection cudabook_launch_bounds, \\\"a?\\\"\\n.balign 4\\n"
               ".long 771b - ., %c0\\n.popsection\" : : \"i\"(::std::integral_constant<int, "
               "static_cast<int>(*::std::initializer_list<long long>{" +
               of + "}.begin())>::value)); ";
    };
    const std::string mark = "__cudabook_global__ void ";
    for (const char* of : {"64", "1<<7", "n==3?64:128", "n<256?n:256,n>64?2:1", "f<1,2>(3),4"}) {
        EXPECT_EQ(translated(mark + bounds(of) + "k(int a) { a = 1; }"),
                  "[GPU] void k(int a) { " + entry(of) + "a = 1; }");
        EXPECT_EQ(translated("template <class T> " + bounds(of) + mark + "k(T a) { a = 1; }"),
                  "template <class T> [GPU] void k(T a) { " + entry(of) + "a = 1; }");
        EXPECT_EQ(translated(mark + bounds(of) + "k(int a);"), "[GPU] void k(int a);");
    }
    EXPECT_EQ(translated("extern \"C\" " + mark + bounds("1 << 7") + "k(){}"),
              "extern \"C\" [GPU] void   k(){" + entry("1 << 7") + "}");
    EXPECT_EQ(translated("__cudabook_global__ auto " + bounds("8") + "k(int a) -> void { a = 1; }"),
              "[GPU] auto k(int a) -> void { " + entry("8") + "a = 1; }");
    // There is no bound, a parameter hides a name of the bound, or the function is no kernel.
    EXPECT_EQ(translated(mark + bounds("") + "k(int a) { a = 1; }"), "[GPU] void k(int a) { a = 1; }");
    EXPECT_EQ(translated(mark + bounds("n") + "k(int n) { n = 1; }"), "[GPU] void k(int n) { n = 1; }");
    EXPECT_EQ(translated("__cudabook_device__ void " + bounds("8") + "k(int a) { a = 1; }"),
              translated("__cudabook_device__ void k(int a) { a = 1; }"));
}

TEST(Translator, WritesOfThreadIdx) {
    const std::string kernel = "__cudabook_global__ void k(int* a, S s) { ";
    for (const std::string_view written : {"threadIdx.x = 1;", "if (a) threadIdx.y += 2;", "++threadIdx.x;",
                                           "threadIdx.z--;", "threadIdx = {};", "a[0] = threadIdx.x <<= 1;"})
        EXPECT_NE(
            error_of(kernel + std::string(written) + " }").find("<stdin>:1: expression must be a modifiable"),
            std::string::npos)
            << written;
    for (const std::string_view right :
         {"a[threadIdx.x] = 1;", "if (threadIdx.x == 1 || threadIdx.x <= 2) a[0] = -threadIdx.x;",
          "s.threadIdx.x = 1;", "dim3 threadIdx; threadIdx.x = 1;", "const uint3 threadIdx = f();",
          "a[0] = threadIdx.x - -1;", "a[0] = a[1] - -threadIdx.x;", "uint3 i = threadIdx; i.x = 1;",
          "f(threadIdx);"})
        EXPECT_EQ(error_of(kernel + std::string(right) + " }"), "") << right;
}

TEST(Translator, LinesStay) {
    const std::string text = "k\n<<<1,\n2\n>>>\n(a,\nb);\n";
    const std::string result = after_kernels(text);
    EXPECT_EQ(std::ranges::count(result, '\n'), std::ranges::count(text, '\n'));
    EXPECT_EQ(result, "::cudabook::emulation::launched([&] { return k\n; })(1,\n2\n)\n(a,\nb);\n");
    const std::string chosen = "t<<<1, 2>>>(a,\n0,\nb);\n";
    EXPECT_EQ(std::ranges::count(after_kernels(chosen), '\n'), 3);
}

TEST(Translator, Functions) {
    EXPECT_EQ(translated("__cudabook_global__ void k() {}"), "[GPU] void k() {}");
    EXPECT_EQ(translated("__cudabook_host__ __cudabook_device__ int f() {}"), " [GPU] int f() {}");
    EXPECT_EQ(translated("struct S { __cudabook_device__ S(); __cudabook_device__ int f(); };"),
              "struct S { [GPU] S(); [GPU] int f(); };");
    for (const std::string name : {"()", "[]", "=", "==", "<", "<<", ",", "+", " float"})
        EXPECT_EQ(translated("struct S { __cudabook_device__ int operator" + name + "(int i); };"),
                  "struct S { [GPU] int operator" + name + "(int i); };");
    EXPECT_EQ(translated("__cudabook_device__ S operator+(S a, S b);"),
              "static [GPU] S operator+(S a, S b);");
    EXPECT_EQ(translated("auto l = [=] __cudabook_device__ (int i) {};"), "auto l = [=] [L] (int i) {};");
    EXPECT_EQ(translated("[] __cudabook_host__ __cudabook_device__ {}"), "[]  [L] {}");
    EXPECT_EQ(
        translated("__cudabook_global__ void k(int* a) { a[3] = f([] { return [=]<class T>(T b) {}; }); }"),
        "[GPU] void k(int* a) { a[3] = f([] [L] { return [=]<class T>[L] (T b) {}; }); }");
    EXPECT_EQ(translated("void h() { f([=](int i) {}); }"), "void h() { f([=](int i) {}); }");
    EXPECT_EQ(translated("__cudabook_forceinline__ int f();"), "inline int f();");
    EXPECT_EQ(translated("static inline __cudabook_forceinline__ int f();"), "static inline  int f();");
}

/// As with nvcc, a source has its own device code, unless -rdc=true.
TEST(Translator, EachSourceHasItsOwn) {
    EXPECT_EQ(translated("__cudabook_device__ int f(int);"), "static [GPU] int f(int);");
    EXPECT_EQ(translated("template <class T> __cudabook_device__ T f(T);"),
              "template <class T> static [GPU] T f(T);");
    EXPECT_EQ(translated("template <> __cudabook_device__ int f<int>(int);"),
              "template <> [GPU] int f<int>(int);");
    EXPECT_EQ(translated("__cudabook_device__ int S::f() {}"), "[GPU] int S::f() {}");
    EXPECT_EQ(translated("__cudabook_variable__ float c[3];"), "static float c[3];");
    EXPECT_EQ(translated("static __cudabook_variable__ float c;"), "static  float c;");
    EXPECT_EQ(translated("namespace n { __cudabook_device__ int x = f(3); }"),
              "namespace n { static int x = f(3); }");
    EXPECT_EQ(translated("__cudabook_device__ int (*p)(int) = f;"), "static int (*p)(int) = f;");
    EXPECT_EQ(translated("extern __cudabook_variable__ int x; __cudabook_variable__ int x;"),
              "extern  int x;  int x;");
    EXPECT_EQ(translated("__cudabook_constant__ float c[3];"), "static [C] float c[3];");
    EXPECT_EQ(translated("__cudabook_constant__ const float c = 3;"), "static const float c = 3;");
    EXPECT_EQ(translated("extern __cudabook_constant__ int x[];"), "extern [C] int x[];");
    EXPECT_EQ(translated("texture<float, 2> tex;"), "static texture<float, 2> tex;");
    EXPECT_EQ(translated("extern texture<float> tex; texture<float> tex;"),
              "extern texture<float> tex; texture<float> tex;");
    EXPECT_EQ(translated("struct S { static texture<float> tex; }; void f(texture<float>& t);"),
              "struct S { static texture<float> tex; }; void f(texture<float>& t);");
    EXPECT_EQ(translated("template <class T> texture<T> S<T>::tex;"),
              "template <class T> texture<T> S<T>::tex;");
    EXPECT_EQ(translate("__cudabook_variable__ int x; texture<float> t;", options(true)),
              " int x; texture<float> t;");
}

TEST(Translator, QualifiersInOtherPlaces) {
    EXPECT_EQ(translated("float* __cudabook_device__ f();"), "float static [GPU] *  f();");
    EXPECT_EQ(translated("const v<float*>& __cudabook_host__ __cudabook_device__ f();"),
              "const v<float*> [GPU] &   f();");
    EXPECT_EQ(translated("float __cudabook_device__ f();"), "float static [GPU] f();");
    EXPECT_EQ(translated("int* const __cudabook_variable__ p = 0;"), "int static * const  p = 0;");
    EXPECT_EQ(translated("__cudabook_device__ [[nodiscard]] int f();"),
              " [[nodiscard]] static [GPU] int f();");
    EXPECT_EQ(translated("__cudabook_global__ [[maybe_unused]] void k();"),
              " [[maybe_unused]] [GPU] void k();");
}

TEST(Translator, AlignmentBehindOtherSpecifiers) {
    EXPECT_EQ(translated("thread_local __attribute__((abi_tag(\"s\"))) alignas(16) float a[4];"),
              "alignas(16) thread_local __attribute__((abi_tag(\"s\")))  float a[4];");
    EXPECT_EQ(translated("f(); extern thread_local __attribute__((x)) alignas(T) int a[];"),
              "f(); alignas(T) extern thread_local __attribute__((x))  int a[];");
    EXPECT_EQ(translated("__cudabook_variable__ alignas(8) int a;"), "alignas(8) static  int a;");
    EXPECT_EQ(translated("alignas(8) int a; struct alignas(16) S {};"),
              "alignas(8) int a; struct alignas(16) S {};");
}

/// A function that a friend declaration declares is known in all sources.
TEST(Translator, FriendsAreNotStatic) {
    const std::string friends =
        "struct S { friend __cudabook_device__ int f(S); friend __cudabook_device__ S operator+(S, S); };";
    const std::string found = "struct S { friend [GPU] int f(S); friend [GPU] S operator+(S, S); };";
    EXPECT_EQ(translated(friends + "__cudabook_device__ int f(S s) {}"),
              found + "inline [GPU] int f(S s) {}");
    EXPECT_EQ(translated(friends + "__cudabook_device__ inline int f(S s) {}"),
              found + "[GPU] inline int f(S s) {}");
    EXPECT_EQ(translated(friends + "__cudabook_device__ S operator+(S a, S b) {}"),
              found + "inline [GPU] S operator+(S a, S b) {}");
    EXPECT_EQ(translated(friends + "__cudabook_device__ S operator-(S a, S b) {}"),
              found + "static [GPU] S operator-(S a, S b) {}");
}

TEST(Translator, OwnHeaders) {
    EXPECT_EQ(translated("# 1 \"/own/x.h\"\n__cudabook_device__ __cudabook_forceinline__ int f();\n"),
              "# 1 \"/own/x.h\"\n inline __attribute__((always_inline)) int f();\n");
}

TEST(Translator, KernelsAsVoidPointers) {
    const std::string kernels =
        "__cudabook_global__ void k(int); template <class T> __cudabook_global__ void t(T); ";
    const auto behind = [&](const std::string& text) {
        return translated(kernels + text).substr(translated(kernels).size());
    };
    EXPECT_EQ(behind("p.func = (void*)k;"), "p.func = (void*)::cudabook::emulation::known(k);");
    EXPECT_EQ(behind("p = (const void *)n::k;"), "p = (const void *)::cudabook::emulation::known(n::k);");
    EXPECT_EQ(behind("p = (void*)t<int>;"), "p = (void*)::cudabook::emulation::known(t<int>);");
    EXPECT_EQ(behind("p = reinterpret_cast<void*>(&k);"),
              "p = reinterpret_cast<void*>(::cudabook::emulation::known(k));");
    for (const char* other : {"p = (void*)f;", "p = k;", "p = (int*)k;", "p = (void*)k(1);", "f(k);",
                              "void f(int* k) { g((void*)k); }"})
        EXPECT_EQ(behind(other), other);
}

TEST(Translator, ClocksInKernels) {
    const std::string clock = "static_cast<::clock_t>(::clock64())";
    EXPECT_EQ(translated("__cudabook_global__ void k(long* x) { *x = clock(); }"),
              "[GPU] void k(long* x) { *x = " + clock + "; }");
    EXPECT_EQ(translated("__cudabook_global__ void k(long* x) { *x = ::clock() - y.clock(); }"),
              "[GPU] void k(long* x) { *x = " + clock + " - y.clock(); }");
    EXPECT_EQ(translated("long f() { return clock(); }"), "long f() { return clock(); }");
}

TEST(Translator, WhatCannotBeRead) {
    const std::string line = "# 7 \"a \\\"b\\\".cu\"\n\n";
    const std::string place = "a \"b\".cu:8: this launch cannot be read: ";
    EXPECT_EQ(error_of(line + "k<<<1, 2;"), place + "nothing closes its <<<");
    EXPECT_EQ(error_of(line + "k<<<1, 2>>;"), place + "nothing closes its <<<");
    EXPECT_EQ(error_of(line + "k<<<1, 2>>> a;"), place + "after >>> come its arguments in parentheses");
    EXPECT_EQ(error_of(line + "3<<<1, 2>>>(a);"), place + "before <<< comes a kernel");
    EXPECT_EQ(error_of(line + "k<<<>>>(a);"), place + "between <<< and >>> come two to four arguments");
    EXPECT_EQ(error_of(line + "k<<<1, 2, 3, 4, 5>>>(a);"),
              place + "between <<< and >>> come two to four arguments");
    EXPECT_EQ(error_of(line + "\"k\n"), "a \"b\".cu:8: this string does not end");
    EXPECT_EQ(error_of(line + "/* k\n"), "a \"b\".cu:8: this comment does not end");
}

/// Calls that nvcc refuses. The texts of the errors begin with nvcc's own words.
TEST(Translator, CallsOfKernels) {
    const auto is_refused = [](const std::string& text) {
        return error_of(kernels + text).find("a __global__ function call must be configured") !=
               std::string::npos;
    };
    for (const std::string body : {"k(a);", "if (a) k(a);", "else k(a);", "for (;;) k(a);",
                                   "{ t<int>(a, 3); }", "k<<<1, 2>>>(a); k(a);"})
        EXPECT_TRUE(is_refused("void f() { " + body + " }")) << body;
    for (const std::string text :
         {"void f() { k<<<1, 2>>>(a); x.k(a); y->k(a); n::k(a); }", "void f(void (*k)(int*)) { k(a); }",
          "void f() { auto k = [](int* a) {}; k(a); }", "void k(float a) {} void f() { k(3); }",
          "struct S { void k(int a); void f() { k(3); } };", "void f() { g(k); p = &k; }",
          "template __cudabook_global__ void t<int>(int*, int);", "void f() { T k(a); }"})
        EXPECT_EQ(error_of(kernels + text), "") << text;
    EXPECT_EQ(error_of(kernels + "void f() { k(a);\n k(b); }"),
              "<stdin>:5: a __global__ function call must be configured: launch the kernel, by k<<<blocks, "
              "threads>>>(...)\n"
              "<stdin>:6: a __global__ function call must be configured: launch the kernel, by k<<<blocks, "
              "threads>>>(...)");
}

TEST(Translator, LaunchesOfOtherFunctions) {
    const std::string launch = " void f() { g<<<1, 2>>>(a); }";
    EXPECT_EQ(
        error_of("void g(int* a) {}" + launch),
        "<stdin>:1: a host function call cannot be configured: write __global__ before g, which makes it "
        "a kernel");
    EXPECT_EQ(error_of("__cudabook_device__ void g(int* a) {}" + launch),
              "<stdin>:1: a __device__ function call cannot be configured: write __global__ for __device__ "
              "before g, which makes it a kernel");
    for (const std::string& text : {"void g(int a) {} __cudabook_global__ void g(int* a) {}" + launch, launch,
                                    std::string("void g() {} void f(void (*g)(int*)) { g<<<1, 2>>>(a); }"),
                                    std::string("void g() {} void f() { n::g<<<1, 2>>>(a); }")})
        EXPECT_EQ(error_of(text), "") << text;
}

// nvcc compiles these.
TEST(Translator, MembersWithTheNamesOfFunctions) {
    const std::string kernel = "__cudabook_global__ void process(int* p) {} ";
    for (const std::string& text :
         {kernel + "struct W { F process; void go(int* p) { process(p); } };",
          kernel + "struct W { void (*process)(int*); void go(int* p) { process(p); } };",
          std::string("void run(int*) {} struct L { void (*run)(int*); void go() { run<<<1, 1>>>(p); } };")})
        EXPECT_EQ(error_of(text), "") << text;
}

TEST(Translator, BarriersInFunctionsThatAreDeclaredForTheGpu) {
    const std::string body = "f(int* p) { __syncthreads(); }";
    EXPECT_EQ(error_of("struct A { __cudabook_device__ void f(int*); }; void A::" + body), "");
    EXPECT_EQ(error_of("__cudabook_device__ void f(int*); void " + body), "");
    EXPECT_NE(error_of("__cudabook_device__ void g(int*); void " + body), "");
}

TEST(Translator, KernelsThatNvccRefuses) {
    const auto refused = [](const std::string& text, const std::string& words) {
        EXPECT_NE(error_of(text).find(words), std::string::npos) << text << ": " << error_of(text);
    };
    refused("__cudabook_global__ int k() {}", "a __global__ function must have a void return type");
    refused("template <class T> __cudabook_global__ void* k(T) {}",
            "a __global__ function must have a void return type");
    refused("__cudabook_global__ auto k() {}", "a __global__ function must not have a deduced return type");
    refused("struct S { int x; static __cudabook_global__ void k() {} };",
            "A __global__ function or function template cannot be a member function");
    for (const std::string text :
         {"__cudabook_global__ auto k() -> void {}", "extern \"C\" __cudabook_global__ void k();",
          "struct S { friend __cudabook_global__ void k(S*); };",
          "template <class T> __cudabook_global__ std::enable_if_t<c<T>> k(T) {}",
          "template <> __cudabook_global__ void k<int>(int) {}"})
        EXPECT_EQ(error_of(text), "") << text;
}

TEST(Translator, InitialValuesOfSharedVariables) {
    const std::string shared = "thread_local __attribute__((abi_tag(\"cudabook_shared\"))) ";
    for (const std::string text : {"int s = 5;", "int s[4] = {0};", "int s[4][5]{};", "float a, s = 3;",
                                   "__attribute__((aligned(16))) int s{};", "V<int, 3> *a, *s = p;"})
        EXPECT_EQ(error_of("void k() { " + shared + text + " }"),
                  "<stdin>:1: initializer not allowed for __shared__ variable: let a thread set s, and call "
                  "__syncthreads() before others read it")
            << text;
    for (const std::string text :
         {"int s;", "int s[4][5], a;", "struct { int x = 3; } s;", "V<(3 > 2)> s[n];", "T (*s)[3];"})
        EXPECT_EQ(error_of("void k() { " + shared + text + " int x = 3; }"), "") << text;
}

TEST(Translator, CapturesOfLambdasForKernels) {
    const std::string words =
        "lambda cannot capture variables by reference: a GPU does not have the host's "
        "variables; capture copies, by [=]";
    EXPECT_EQ(error_of("void f() { g([&] __cudabook_device__ (int i) {}); }"),
              "<stdin>:1: An extended __device__ " + words);
    EXPECT_EQ(error_of("void f() { g([=, &x] __cudabook_host__ __cudabook_device__ {}); }"),
              "<stdin>:1: An extended __host__ __device__ " + words);
    for (const std::string text :
         {"void f() { g([=, p = &x] __cudabook_device__ {}); }", "void f() { g([&](int i) {}); }",
          "__cudabook_global__ void k() { g([&] __cudabook_device__ {}); }"})
        EXPECT_EQ(error_of(text), "") << text;
}

TEST(Translator, LambdasOfTheHostInLaunches) {
    const std::string kernel = "template <class F> __cudabook_global__ void k(F f, int n) {}\n";
    const std::string words =
        "<stdin>:2: the closure type for a lambda cannot be used in a launch unless the "
        "lambda is an extended lambda: write __device__ behind its ]";
    for (const std::string text :
         {"k<<<1, 1>>>([=](int i) { p[i] = i; }, 3);", "k<<<1, 1>>>([] {}, 3);",
          "auto f = [=](int i) mutable -> int { return i; }; k<<<1, 1>>>(f, 3);",
          "auto f = [] __cudabook_device__ {}; { auto f = [] {}; k<<<1, 1>>>(f, 3); }"})
        EXPECT_EQ(error_of(kernel + "void f() { " + text + " }"), words) << text;
    for (const std::string text :
         {"k<<<1, 1>>>([=] __cudabook_device__ (int i) { p[i] = i; }, 3);",
          "k<<<1, 1>>>([] __cudabook_host__ __cudabook_device__ {}, 3);",
          "k<<<1, 1>>>([] { return 3; }(), 3);", "auto f = [] __cudabook_device__ {}; k<<<1, 1>>>(f, 3);",
          "auto f = [] { return 3; }(); k<<<1, 1>>>(f, 3);", "k<<<1, 1>>>(p[0], 3);",
          "k<<<1, 1>>>(f, 3); auto f = [] {};"})
        EXPECT_EQ(error_of(kernel + "void f() { " + text + " }"), "") << text;
    EXPECT_EQ(error_of(kernel + "__cudabook_global__ void f() { k<<<1, 1>>>([] {}, 3); }"), "");
    EXPECT_EQ(
        error_of(kernel + "namespace n { void g() { auto f = [] {}; } void h(F f) { k<<<1, 1>>>(f, 3); } }"),
        "");
}

TEST(Translator, ArraysOfTheHostInDeviceCode) {
    const std::string declared = "constexpr float w[2] = {1, 2}; static const T<int> s[] = {1};\n";
    for (const std::string text : {"x = w[i];", "f(w[threadIdx.x]);",
                                   "for (int i = 0; i < 2; ++i) x += s[i];", "return 2 * w[i + 1];"})
        EXPECT_TRUE(error_of(declared + "__cudabook_global__ void k() { " + text + " }")
                        .starts_with("<stdin>:2: identifier \""))
            << text;
    for (const std::string text :
         {"constexpr float a = w[0];", "const int a = w[1];", "int a[w[n]];", "f<4, w[1]>();",
          "float a[2 * w[n]];", "switch (x) { case w[n]: break; }", "int x{w[1]};", "f<w[0]>();",
          "static_assert(w[0] > 0);", "if constexpr (w[0] > 0) f();", "n = sizeof(w) / sizeof(w[0]);",
          "x = a.w[0];", "x = A::w[0];"})
        EXPECT_EQ(error_of(declared + "__cudabook_global__ void k() { " + text + " }"), "") << text;
    for (const std::string text :
         {"void f() { x = w[i]; }", "__cudabook_global__ void k(const float* w) { x = w[i]; }",
          "__cudabook_device__ float f(const float* w) { return w[i]; }",
          "template <class T> __cudabook_device__ T f(T* w) { return w[i]; }",
          "__cudabook_device__ float f(const float (&w)[2]) { return w[i]; }",
          "__cudabook_device__ float f(int n, const float w[2]) { return w[i]; }",
          "void f() { g([=] __cudabook_device__ (const float* w) { return w[i]; }); }",
          "namespace n { __cudabook_constant__ float w[2]; __cudabook_device__ float f() { return w[i]; } }",
          "__cudabook_global__ void k() { float w[2]; x = w[i]; }",
          "struct A { float w[2]; __cudabook_device__ void f() { x = w[i]; } };"})
        EXPECT_EQ(error_of(declared + text), "") << text;
    EXPECT_EQ(
        error_of(
            "const __cudabook_constant__ float w[2] = {1, 2}; __cudabook_global__ void k() { x = w[i]; }"),
        "");
}

TEST(Translator, ExceptionsInDeviceCode) {
    const std::string words = "<stdin>:1: device code does not support exception handling: ";
    for (const std::string text :
         {"__cudabook_global__ void k() { if (a) throw 3; }",
          "__cudabook_host__ __cudabook_device__ int f() { try { g(); } catch (...) {} }"})
        EXPECT_TRUE(error_of(text).starts_with(words)) << text;
    EXPECT_EQ(error_of("void f() { try { g(); } catch (...) { throw; } }"), "");
}

TEST(Translator, BarriersOnTheHost) {
    EXPECT_TRUE(
        error_of("void f() { __syncthreads(); }")
            .starts_with("<stdin>:1: calling a __device__ function(\"__syncthreads\") from a __host__ "
                         "function is not allowed"));
    for (const std::string text :
         {"__cudabook_device__ void f() { if (a) { __syncthreads(); } }", "void __syncthreads();",
          "struct S { __cudabook_device__ void operator()() { __syncwarp(); } };",
          "void f() { g([=] __cudabook_device__ (int i) { __syncthreads(); }); }"})
        EXPECT_EQ(error_of(text), "") << text;
}

TEST(Translator, SymbolsThatAreNone) {
    const auto call = [](const std::string& declaration, const std::string& text) {
        const std::string all = translated(declaration + "\nvoid f() { " + text + " }");
        return all.substr(all.find("f() { ") + 6);
    };
    const std::string no_symbol = "::cudabook::emulation::NoSymbol{\"c\"}";
    for (const std::string declaration : {"float c[3];", "static int c = 3;", "int* c;"})
        EXPECT_EQ(call(declaration, "cudaMemcpyToSymbol(c, p, 4);"),
                  "cudaMemcpyToSymbol(" + no_symbol + ", p, 4); }")
            << declaration;
    EXPECT_EQ(call("int c;", "cudaMemcpyFromSymbol(p, c, 4);"),
              "cudaMemcpyFromSymbol(p, " + no_symbol + ", 4); }");
    EXPECT_EQ(call("", "cudaMemcpyToSymbol(\"c\", p, 4);"), "cudaMemcpyToSymbol(" + no_symbol + ", p, 4); }");
    const std::string right = "cudaMemcpyToSymbol(c, p, 4);";
    for (const std::string declaration :
         {"__cudabook_constant__ int c[3];", "__cudabook_variable__ int a, *b, c;",
          "int __cudabook_device__ c;", "extern __cudabook_constant__ int c;", "", "typedef int T;"})
        EXPECT_EQ(call(declaration, right), right + " }") << declaration;
    EXPECT_EQ(translated("int c; template <class T> void f(const T& c) { " + right + " }"),
              "int c; template <class T> void f(const T& c) { " + right + " }");
}

TEST(Translator, WhatNeedsRealCuda) {
    EXPECT_EQ(
        error_of("# 1 \"a.cu\"\n# 1 \"/usr/include/thrust/sort.h\" 1 3\n"),
        "a.cu:1: <thrust/sort.h> needs the headers of CCCL: install nvidia-cuda-cccl from PyPI, or name "
        "their folder by CUDABOOK_CCCL=FOLDER");
    EXPECT_EQ(
        error_of("# 1 \"a.cu\"\n\n# 1 \"/usr/local/cuda/include/curand.h\" 1 3\n"),
        "a.cu:2: <curand.h> needs real CUDA: include curand_kernel.h, and generate the numbers in kernels");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\n# 1 \"/home/me/include/curand_of_mine.h\" 1\n"), "");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\n# 1 \"thrust/mine.h\" 1\n"), "");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\n# 1 \"/own/cub/cub.h\" 1\n"), "");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\n\nint e = cuMemFree(0);"),
              "a.cu:2: cuMemFree() of the driver API needs real CUDA");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\nint cuMemFree(int); x.cuMemFree(0); cuteMemFree(0); cudaFree(0); "
                       "CUresult cuInit(unsigned); int e = cuInit(0);"),
              "");
    EXPECT_EQ(
        error_of("# 1 \"a.cu\"\nusing Load = cub::BlockLoad<int, 32>;"),
        "a.cu:1: cub::BlockLoad needs real CUDA: write it in the kernel, with shared memory or shuffles, or "
        "take an algorithm of Thrust");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\nusing Scan = cub::BlockScan<int, 32>;"), "");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\nasm volatile(\"ex2.approx.f32 %0, %1;\" : \"=f\"(x) : \"f\"(y));"),
              "a.cu:1: PTX in an asm statement needs real CUDA");
    EXPECT_EQ(error_of("# 1 \"a.cu\"\nasm(\"nop\"); void f() __asm__(\"_f\");"), "");
}

TEST(Translator, HeadersOfCccl) {
    const auto error_with_cccl = [](const std::string& header) -> std::string {
        Options with_cccl = options();
        with_cccl.cccl = "/usr/include/cccl";
        try {
            translate("# 1 \"a.cu\"\n\n# 1 \"/usr/include/cccl/" + header +
                          "\" 1 3\n# 1 \"/usr/include/cccl/nv/target\" 1 3\n",
                      with_cccl);
        } catch (const SourceError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_with_cccl("thrust/sort.h"), "");
    EXPECT_EQ(error_with_cccl("cuda/std/span"), "");
    EXPECT_EQ(
        error_with_cccl("cuda/ptx"),
        "a.cu:2: <cuda/ptx> needs real CUDA: take what the C++ standard library has of it, or write it in "
        "the kernel");
    EXPECT_EQ(
        error_with_cccl("cub/block/block_load.cuh"),
        "a.cu:2: <cub/block/block_load.cuh> needs real CUDA: include <cub/cub.cuh>, and write what it lacks "
        "in the kernel");
}

}  // namespace
}  // namespace cudabook::translator
