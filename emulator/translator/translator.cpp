#include "emulator/translator/translator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/translator/ptx.hpp"
#include "emulator/translator/real_cuda.hpp"

namespace cudabook::translator {

namespace {

// The words by which cuda_runtime.h replaces CUDA's qualifiers.
constexpr std::string_view global_mark = "__cudabook_global__";
constexpr std::string_view device_mark = "__cudabook_device__";
constexpr std::string_view host_mark = "__cudabook_host__";
constexpr std::string_view variable_mark = "__cudabook_variable__";  // __managed__
constexpr std::string_view constant_mark = "__cudabook_constant__";
constexpr std::string_view inline_mark = "__cudabook_forceinline__";

constexpr std::size_t none = static_cast<std::size_t>(-1);

template <std::size_t size>
bool is_one_of(std::string_view word, const std::array<std::string_view, size>& words) {
    return std::ranges::find(words, word) != words.end();
}

/// Returns whether the word is a keyword that cannot name a function and that an expression may follow.
bool is_keyword(std::string_view word) {
    return is_one_of(
        word, std::array<std::string_view, 19>{"sizeof", "alignof", "return", "else", "do", "case", "if",
                                               "while", "for", "switch", "throw", "goto", "and", "or", "not",
                                               "co_return", "co_yield", "new", "delete"});
}

/// Returns whether parentheses after this word contain no parameters of a function.
bool takes_words(std::string_view word) {
    return is_one_of(word, std::array<std::string_view, 5>{"__attribute__", "__attribute", "alignas",
                                                           "decltype", "__declspec"});
}

bool is_inline(std::string_view word) {
    return is_one_of(word, std::array<std::string_view, 3>{"inline", "__inline__", "__inline"});
}

/// The declarations of all kernels with one name.
struct KernelDeclarations {
    struct Declaration {
        std::size_t begin;
        std::size_t name;
        std::size_t open;  ///< the parenthesis before its parameters
    };
    std::vector<Declaration> declarations;
    std::set<std::string> parameters;  ///< the parameters' types, for each function
    std::optional<std::size_t> template_parameters;
    bool is_variable_template = false;  ///< a template has a parameter pack, or the kernels' templates differ
    bool has_defaults = false;
    bool has_namesake = false;  ///< another function has the same name, as std::reduce
    bool is_chosen = false;     ///< the arguments of a launch choose the function
};

class Translator {
  public:
    Translator(std::string_view text, const Options& options) : options_(options), source_(tokenize(text)) {
        for (const File& file : source_.files)
            is_own_.push_back((!options.cccl.empty() && file.name.starts_with(options.cccl + "/")) ||
                              std::ranges::any_of(options.own_headers, [&](const std::string& folder) {
                                  return file.name.starts_with(folder + "/");
                              }));
    }

    std::string run(std::string* warnings) && {
        refuse_libraries(source_, is_own_, options_.cccl);
        match_brackets();
        find_scopes();
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            if (source_.is(i, global_mark)) {
                declare(i);
                check_kernel(i);
            }
            if (is_variable_mark(i)) {
                find_symbols(i);
                find_variables_of_gpu(i);
            }
            if (source_.is(i, device_mark)) find_device_function(i);
            if (scope_[i] == Scope::type && source_.is_word(i) && !is_foreign(i)) find_member(i);
            if (source_.is(i, "const") || source_.is(i, "constexpr")) find_array_of_host(i);
            if (source_.is(i, "extern")) find_extern(i);
            if (source_.is(i, "friend")) find_friend(i);
        }
        forget_namesakes_of_variables();
        for (std::size_t i = 0; i < source_.tokens.size(); ++i)
            if (source_.is_word(i) && source_.is(i + 1, "(")) find_namesake(i);
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            if (source_.tokens[i].kind == Kind::word) translate_word(i);
            if (is_open_launch(i)) translate_launch(i);
            if (source_.is(i, "[") && !options_.lambda_attribute.empty()) translate_lambda(i);
        }
        for (const auto& [name, kernel] : kernels_)
            if (kernel.is_chosen) declare_arguments(kernel);
        for (std::size_t i = 0; i < source_.tokens.size(); ++i)
            if (source_.is(i, "using")) use_arguments(i);
        if (!mistakes_.empty()) throw SourceError(mistakes_);
        if (warnings != nullptr) *warnings = warnings_;
        return edited();
    }

  private:
    enum class Scope : std::uint8_t { file, type, other };

    // ----- Brackets and scopes

    /// Finds the partner of each bracket, or `none` for a bracket without one. < and > are no brackets here.
    void match_brackets() {
        partner_.assign(source_.tokens.size(), none);
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            if (source_.tokens[i].kind != Kind::sign) continue;
            const char c = source_[i].front();
            if (source_[i].size() != 1) continue;
            if (c == '(' || c == '[' || c == '{') open.push_back(i);
            if (c != ')' && c != ']' && c != '}') continue;
            const std::string_view opening = c == ')' ? "(" : c == ']' ? "[" : "{";
            if (open.empty() || !source_.is(open.back(), opening)) continue;  // the compiler will report it
            partner_[i] = open.back();
            partner_[open.back()] = i;
            open.pop_back();
        }
    }

    /// Finds for each token where its declaration begins, its scope, and the brace around it.
    void find_scopes() {
        begin_.resize(source_.tokens.size());
        scope_.resize(source_.tokens.size());
        brace_.resize(source_.tokens.size());
        std::vector<Scope> open{Scope::file};
        std::vector<std::size_t> braces{none};
        std::size_t begin = 0;
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            begin_[i] = begin;
            scope_[i] = open.back();
            brace_[i] = braces.back();
            if (source_.is(i, ";")) begin = i + 1;
            if (source_.is(i, "{")) {
                braces.push_back(i);
                open.push_back(open.back() == Scope::other ? Scope::other : scope_opened(begin, i));
                begin = i + 1;
            }
            if (source_.is(i, "}")) {
                if (open.size() > 1) {
                    open.pop_back();
                    braces.pop_back();
                }
                begin = i + 1;
            }
        }
    }

    [[nodiscard]] Scope scope_opened(std::size_t begin, std::size_t brace) const {
        bool is_type = false;
        for (std::size_t i = begin; i < brace; ++i) {
            if (source_.is(i, "namespace")) return Scope::file;
            if (source_.is(i, "extern") && i + 2 == brace) return Scope::file;  // extern "C" {
            if (source_.is(i, "class") || source_.is(i, "struct") || source_.is(i, "union")) is_type = true;
            if (source_.is(i, "=")) return Scope::other;
            if (!source_.is(i, "(")) continue;
            if (!takes_words(source_[i - 1])) return Scope::other;
            if (partner_[i] != none) i = partner_[i];
        }
        return is_type ? Scope::type : Scope::other;
    }

    // ----- Template arguments

    /// Returns the token behind the > that closes the < at `open`; `none` if nothing closes it before `end`.
    [[nodiscard]] std::size_t behind_arguments(std::size_t open, std::size_t end) const {
        std::size_t depth = 0;
        for (std::size_t i = open; i < end; ++i) {
            if (partner_[i] != none && partner_[i] > i)
                i = partner_[i];
            else if (source_.is(i, "<"))
                ++depth;
            else if (source_.is(i, ">") && --depth == 0)
                return i + 1;
            else if (source_.is(i, ";"))
                break;
        }
        return none;
    }

    /// Returns the < that belongs to the > at `close`, or `none`.
    [[nodiscard]] std::size_t arguments_before(std::size_t close) const {
        std::size_t depth = 0;
        for (std::size_t i = close + 1; i-- > 0;) {
            if (partner_[i] != none && partner_[i] < i)
                i = partner_[i];
            else if (source_.is(i, ">"))
                ++depth;
            else if (source_.is(i, "<") && --depth == 0)
                return i;
            else if (source_.is(i, ";"))
                break;
        }
        return none;
    }

    /// Returns the parts between commas of a range of tokens. Each part is a pair: its first token, and the
    /// token behind its last.
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> parts(std::size_t begin,
                                                                         std::size_t end) const {
        std::vector<std::pair<std::size_t, std::size_t>> found;
        if (begin >= end) return found;
        std::size_t first = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (partner_[i] != none && partner_[i] > i) {
                i = partner_[i];
            } else if (source_.is(i, "<") && i > begin && source_.is_word(i - 1)) {
                if (const std::size_t behind = behind_arguments(i, end); behind != none) i = behind - 1;
            } else if (source_.is(i, ",")) {
                found.emplace_back(first, i);
                first = i + 1;
            }
        }
        found.emplace_back(first, end);
        return found;
    }

    // ----- Declarations

    /// The name in a declaration, and the token behind the name, for example ( before parameters or =
    /// before a value.
    struct Declarator {
        std::size_t name = none;
        std::size_t behind = none;
    };

    [[nodiscard]] Declarator declarator(std::size_t begin) const {
        for (std::size_t i = begin; i < source_.tokens.size(); ++i) {
            const std::string_view sign = source_[i];
            if (source_.is(i, "operator")) {  // operator(), operator[], operator=, ...
                std::size_t open = i + 1;
                if (source_.is(open, "(")) open += 2;
                while (open < source_.tokens.size() && !source_.is(open, "(")) ++open;
                return {i, open};
            }
            if (source_.tokens[i].kind != Kind::sign) continue;
            if (sign == "<" && i > begin && source_.is_word(i - 1)) {
                const std::size_t behind = behind_arguments(i, source_.tokens.size());
                if (behind == none) return {};
                i = behind - 1;
            } else if (sign == "(" && i > begin && takes_words(source_[i - 1])) {
                if (partner_[i] == none) return {};
                i = partner_[i];
            } else if (sign == "(" || sign == "=" || sign == ";" || sign == "[" || sign == "{" ||
                       sign == "," || sign == ":" || sign == "}") {
                if (sign == "[" && source_.is(i + 1, "[")) {  // [[an attribute]]
                    i = partner_[i] == none ? i : partner_[i];
                    continue;
                }
                return {i > begin ? i - 1 : none, i};
            }
        }
        return {};
    }

    /// Registers the kernel whose declaration has the mark.
    void declare(std::size_t mark) {
        const auto [name, open] = declarator(mark + 1);
        if (name == none || !source_.is(open, "(") || !source_.is_word(name) || partner_[open] == none)
            return;
        find_dynamic_array(name, partner_[open] + 1);
        std::optional<std::size_t> template_parameters;
        for (std::size_t i = begin_[mark]; i < mark; ++i) {
            if (!source_.is(i, "template")) continue;
            const std::size_t behind = behind_arguments(i + 1, mark);
            if (behind == none) return;  // an instantiation
            const auto list = parts(i + 2, behind - 1);
            if (list.empty()) return;  // a specialization
            template_parameters = list.size();
            for (std::size_t t = i; t < behind; ++t)
                if (source_.is(t, "...")) kernels_[std::string(source_[name])].is_variable_template = true;
            i = behind - 1;
        }
        KernelDeclarations& kernel = kernels_[std::string(source_[name])];
        if (scope_[mark] == Scope::file && !source_.is(name - 1, "::"))
            kernel.declarations.push_back({begin_[mark], name, open});
        std::string types;
        for (const auto& [begin, end] : parts(open + 1, partner_[open])) {
            const std::size_t type_end = default_in(begin, end);
            kernel.has_defaults |= type_end != end;
            const std::size_t named = parameter_name(begin, type_end);
            for (std::size_t i = begin; i < type_end; ++i)
                if (i != named) types += fmt::format("{} ", source_[i]);
            types += ", ";
        }
        if (!kernel.parameters.empty() && kernel.template_parameters != template_parameters)
            kernel.is_variable_template = true;
        kernel.template_parameters = template_parameters;
        kernel.parameters.insert(types);
    }

    /// Returns where the default argument of a parameter begins, with its =; `end` if it has none.
    [[nodiscard]] std::size_t default_in(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (partner_[i] != none && partner_[i] > i) i = partner_[i];
            if (source_.is(i, "=")) return i;
        }
        return end;
    }

    /// Returns the token that names a parameter of a function, or `none` if it has no name. The range has no
    /// default argument.
    [[nodiscard]] std::size_t parameter_name(std::size_t begin, std::size_t end) const {
        if (const std::size_t open = inner_declarator(begin, end); open != none) {  // int (*name)(float)
            for (std::size_t i = open + 1; i < partner_[open]; ++i)
                if (source_.is_word(i) && !is_builtin(source_[i])) return i;
            return none;
        }
        while (end > begin && source_.is(end - 1, "]") && partner_[end - 1] != none) end = partner_[end - 1];
        if (end - begin < 2 || !source_.is_word(end - 1) || is_builtin(source_[end - 1])) return none;
        for (const std::string_view word : {"::", "struct", "class", "union", "enum", "typename"})
            if (source_.is(end - 2, word)) return none;
        for (std::size_t i = begin; i < end - 1; ++i)
            if (!is_qualifier(source_[i])) return end - 1;
        return none;  // const T
    }

    /// Returns the parenthesis of (*name) or (&name) in a parameter, or `none`.
    [[nodiscard]] std::size_t inner_declarator(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (!source_.is(i, "(") || partner_[i] == none) continue;
            if (source_.is(i + 1, "*") || source_.is(i + 1, "&")) return i;
            i = partner_[i];
        }
        return none;
    }

    /// Registers the kernel `name` if its body declares an array of dynamic shared memory.
    void find_dynamic_array(std::size_t name, std::size_t body) {
        if (!source_.is(body, "{") || partner_[body] == none) return;
        for (std::size_t i = body; i < partner_[body]; ++i)
            if (source_.is(i, "extern")) with_dynamic_array_.insert(source_[name]);
    }

    /// Notes whether a function that is declared or defined here has the name of a kernel.
    void find_namesake(std::size_t name) {
        if (scope_[name] != Scope::file) return;
        find_function(name);
        const auto found = kernels_.find(std::string(source_[name]));
        if (found == kernels_.end() || name == begin_[name]) return;
        for (std::size_t i = begin_[name]; i < name; ++i)
            if (source_.is(i, global_mark)) return;
        found->second.has_namesake = true;
    }

    /// Registers the name of a function or variable of a class of the program.
    void find_member(std::size_t name) {
        for (const std::string_view behind : {"(", ")", ";", "=", "{", "[", ","})
            if (source_.is(name + 1, behind)) members_.insert(source_[name]);
    }

    /// Registers the function that has the mark __device__.
    void find_device_function(std::size_t mark) {
        const auto [name, open] = declarator(mark + 1);
        if (name != none && source_.is(open, "(")) device_functions_.insert(source_[name]);
    }

    /// Registers a function of the program that is no kernel and is defined here.
    void find_function(std::size_t name) {
        const std::size_t close = partner_[name + 1];
        if (is_foreign(name) || name == begin_[name] || close == none || !source_.is(close + 1, "{")) return;
        if (source_.is(name - 1, "::") || takes_words(source_[name])) return;
        bool is_device = false;
        for (std::size_t i = begin_[name]; i < name; ++i) {
            if (source_.is(i, global_mark)) return;
            is_device |= source_.is(i, device_mark);
        }
        functions_.emplace(source_[name], is_device);
    }

    static bool is_qualifier(std::string_view word) {
        return is_one_of(word, std::array<std::string_view, 5>{"const", "volatile", "__restrict__",
                                                               "__restrict", "register"});
    }
    static bool is_builtin(std::string_view word) {
        return is_qualifier(word) || is_one_of(word, std::array<std::string_view, 11>{
                                                         "int", "char", "float", "double", "long", "short",
                                                         "unsigned", "signed", "bool", "void", "wchar_t"});
    }

    /// Registers all words of a declaration with __device__, __constant__ or __managed__: among them are the
    /// names of its variables.
    void find_symbols(std::size_t mark) {
        for (std::size_t i = begin_[mark]; i < source_.tokens.size() && !source_.is(i, ";"); ++i) {
            if (source_.is(i, "{") && is_body(i)) return;
            if (partner_[i] != none && partner_[i] > i) i = partner_[i];
            if (source_.is_word(i)) symbols_.insert(source_[i]);
        }
    }

    /// Registers the variables of a declaration with __device__ or __constant__ outside of functions.
    void find_variables_of_gpu(std::size_t mark) {
        if (scope_[mark] != Scope::file || is_foreign(mark)) return;
        auto [name, i] = declarator(mark + 1);
        if (name == none || source_.is(i, "(") || !is_changeable(mark, i)) return;
        bool is_type = false;  // struct NAME { ... } variable;
        for (std::size_t word = begin_[mark]; word < i; ++word) {
            if (source_.is(word, variable_mark)) return;
            for (const std::string_view type : {"struct", "class", "union", "enum"})
                is_type |= source_.is(word, type);
        }
        if (is_type && source_.is(i, "{") && partner_[i] != none) {
            i = partner_[i] + 1;
            name = next_name(i);
        }
        const std::string_view kind = source_.is(mark, constant_mark) ? "__constant__" : "__device__";
        while (source_.is_word(name)) {
            variables_of_gpu_.emplace(source_[name], kind);
            while (!source_.is(i, ",")) {
                if (i >= source_.tokens.size() || source_.is(i, ";")) return;
                i = partner_[i] != none && partner_[i] > i ? partner_[i] + 1 : i + 1;
            }
            name = next_name(i);
        }
    }

    /// Registers an array that is declared with const or constexpr outside of functions.
    void find_array_of_host(std::size_t mark) {
        if (scope_[mark] != Scope::file || is_foreign(mark)) return;
        const auto [name, behind] = declarator(begin_[mark]);
        if (name == none || name < mark || !source_.is(behind, "[")) return;
        for (std::size_t i = begin_[mark]; i < name; ++i)
            if (is_variable_mark(i)) return;
        arrays_of_host_.emplace(source_[name], name);
    }

    /// Returns the next name in a declaration of several variables, and sets `i` to the token behind it.
    std::size_t next_name(std::size_t& i) const {
        while (source_.is(i, ",") || source_.is(i, "*") || is_qualifier(source_[i])) ++i;
        return i++;
    }

    /// Forgets the variables of the GPU and the arrays of the host whose name something else has as well.
    void forget_namesakes_of_variables() {
        for (std::size_t i = 1; i < source_.tokens.size(); ++i) {
            if (source_.tokens[i].kind != Kind::word) continue;
            if (variables_of_gpu_.contains(source_[i]) && is_namesake(i)) variables_of_gpu_.erase(source_[i]);
            const auto array = arrays_of_host_.find(source_[i]);
            if (array != arrays_of_host_.end() && array->second != i &&
                (symbols_.contains(source_[i]) || is_namesake(i)))
                arrays_of_host_.erase(array);
        }
    }

    /// Returns whether another variable of this name, or a member of a class, seems to be declared here.
    [[nodiscard]] bool is_namesake(std::size_t name) const {
        if (is_foreign(name)) return false;
        if (scope_[name] == Scope::type) return true;
        for (std::size_t i = begin_[name]; i < name; ++i) {
            if (!is_variable_mark(i)) continue;
            const auto [declared, behind] = declarator(i + 1);
            if (declared == name || !source_.is(behind, "(")) return false;  // no function's parameter
        }
        if (is_declared_at(name)) return true;
        const std::size_t before = name - 1;
        if (source_.is(name + 1, "(") || source_.is(name + 1, "{"))  // dim3 name(4), vector<int> name{1}
            if ((source_.is_word(before) && !is_keyword(source_[before])) || source_.is(before, ">"))
                return true;
        std::size_t open = before;
        while (open > begin_[name] && !is_opening(open))
            open = partner_[open] != none && partner_[open] < open ? partner_[open] - 1 : open - 1;
        if (source_.is(open, "[")) {  // auto [name, other], [name = 0] { ... }
            const std::size_t behind = partner_[open] + 1;
            return source_.is(open - 1, "auto") || source_.is(open - 1, "&") || source_.is(behind, "(") ||
                   source_.is(behind, "{");
        }
        // int other, name = 0, *more;
        const std::size_t begin = begin_[name];
        const bool is_declaration =
            source_.is_word(begin) && !is_keyword(source_[begin]) &&
            (is_builtin(source_[begin]) || source_.is(begin, "auto") || source_.is_word(begin + 1));
        return !is_opening(open) && is_declaration && is_behind_comma(name);
    }

    [[nodiscard]] bool is_opening(std::size_t i) const { return partner_[i] != none && partner_[i] > i; }

    [[nodiscard]] bool is_behind_comma(std::size_t name) const {
        std::size_t before = name - 1;
        while (source_.is(before, "*") || source_.is(before, "&")) --before;
        return source_.is(before, ",");
    }

    /// Returns whether the brace begins the body of a function without a trailing return type.
    [[nodiscard]] bool is_body(std::size_t brace) const {
        static constexpr std::array<std::string_view, 5> before{")", "const", "noexcept", "override",
                                                                "final"};
        return brace > 0 && is_one_of(source_[brace - 1], before);
    }

    /// Registers a name that has an extern declaration, so that it is not made static.
    void find_extern(std::size_t i) {
        if (scope_[i] == Scope::type ||
            source_.tokens[std::min(i + 1, source_.tokens.size() - 1)].kind == Kind::text)
            return;
        const auto [name, behind] = declarator(i + 1);
        if (name != none && source_.is_word(name)) extern_.insert(source_[name]);
    }

    /// Registers a function that has a friend declaration.
    void find_friend(std::size_t i) {
        const auto [name, behind] = declarator(i + 1);
        if (name != none && source_.is(behind, "(")) friends_.insert(text_of(name, behind));
    }

    // ----- Qualifiers

    /// Removes extern "C" from a kernel that declares an array of dynamic shared memory or has
    /// __cluster_dims__, because a declaration with C linkage cannot have the attributes of these.
    void drop_c_linkage(std::size_t mark) {
        const std::size_t begin = begin_[mark];
        if (!source_.is(begin, "extern") || source_[begin + 1] != "\"C\"") return;
        const std::size_t name = declarator(mark + 1).name;
        if (name == none) return;
        bool has_attribute = with_dynamic_array_.contains(source_[name]);
        for (std::size_t i = begin; i < name; ++i) has_attribute |= source_.is(i, "abi_tag");
        if (!has_attribute) return;
        replace(begin, "");
        replace(begin + 1, "");
    }

    /// Puts a kernel template with __cluster_dims__ that is in no namespace into one, because g++ ignores
    /// the attribute of __cluster_dims__ for templates outside namespaces.
    void give_namespace(std::size_t mark) {
        const std::size_t begin = begin_[mark];
        const auto [name, open] = declarator(mark + 1);
        if (brace_[mark] != none || !source_.is(begin, "template") || name == none || partner_[open] == none)
            return;
        bool has_attribute = false;
        for (std::size_t i = begin; i < name; ++i) has_attribute |= source_.is(i, "abi_tag");
        std::size_t end = partner_[open];
        while (end < source_.tokens.size() && !source_.is(end, "{") && !source_.is(end, ";")) ++end;
        if (!has_attribute || end == source_.tokens.size()) return;
        if (source_.is(end, "{")) end = partner_[end];
        if (end == none) return;
        insert(begin, "inline namespace cudabook_cluster { ");
        replace(end, fmt::format("{} }}", source_[end]));
    }

    void translate_word(std::size_t i) {
        const std::string_view word = source_[i];
        if (word == global_mark) {
            drop_c_linkage(i);
            give_namespace(i);
            specify(i, is_own(i) ? std::string() : options_.attribute);
        } else if (is_variable_mark(i)) {
            specify(i, qualifier(i));
        } else if (word == host_mark) {
            replace(i, "");
        } else if (word == "cudabook_launch_bounds") {
            keep_launch_bounds(i);
        } else if (word == "using") {
            remove_lerp(i);
        } else if (word == inline_mark) {
            const bool is_double = (i > 0 && is_inline(source_[i - 1])) || is_inline(source_[i + 1]);
            replace(i, is_double ? "" : is_own(i) ? "inline __attribute__((always_inline))" : "inline");
        } else if ((word == "texture" || word == "surface") && i == begin_[i] && scope_[i] == Scope::file &&
                   !options_.shares_variables && source_.is(i + 1, "<") && !is_foreign(i)) {
            const std::size_t name = behind_arguments(i + 1, source_.tokens.size());
            if (name != none && source_.is_word(name) && !source_.is(name + 1, "::") &&
                !source_.is(name + 1, "<") && !extern_.contains(source_[name]))
                insert(i, "static ");
        } else if (!is_foreign(i)) {
            check_word(i);
            mark_symbol(i);
            if (word == "cudaLaunchKernel" || word == "cudaLaunchCooperativeKernel") uncast_kernel(i + 1);
            register_cast_kernel(i);
            if (word == "clock") read_gpu_clock(i);
            if (word == "alignas") move_alignment(i);
            if (!translate_ptx(i)) refuse_word(source_, i);
        }
    }

    /// Removes the attribute of __launch_bounds__ at `word`, and tells the engine a kernel's bound by an
    /// entry of a section (emulator/engine/launch_bounds.hpp). The entry is in the kernel's body, because a
    /// template's bound may depend on its parameters. If a parameter of the kernel hides a name of the bound
    /// there, the kernel gets no entry. With "a?", the linker drops the entry if it drops the kernel's copy.
    void keep_launch_bounds(std::size_t word) {
        const std::size_t attribute = word - 3;  // __attribute__ ( ( cudabook_launch_bounds
        if (word < 3 || !source_.is(attribute, "__attribute__") || partner_[word - 2] == none) return;
        const std::size_t end = partner_[word - 2];
        for (std::size_t i = attribute; i <= end; ++i) replace(i, "");
        const std::size_t open = declarator(end + 1).behind;
        if (!source_.is(open, "(") || partner_[open] == none || !source_.is(word + 1, "(")) return;
        bool is_kernel = false;
        for (std::size_t i = begin_[word]; i < open; ++i) is_kernel |= source_.is(i, global_mark);
        std::size_t body = partner_[open] + 1;
        while (body < source_.tokens.size() && !source_.is(body, "{") && !source_.is(body, ";")) ++body;
        const std::string bounds = spelling_of(word + 2, partner_[word + 1]);
        if (!is_kernel || !source_.is(body, "{") || bounds.empty()) return;
        for (const auto& [first, behind] : parts(open + 1, partner_[open])) {
            const std::size_t name = parameter_name(first, default_in(first, behind));
            for (std::size_t i = word + 2; name != none && i < partner_[word + 1]; ++i)
                if (source_[i] == source_[name]) return;
        }
        insert(body + 1,
               fmt::format("__asm__ volatile(\"771: .pushsection cudabook_launch_bounds, \\\"a?\\\"\\n"
                           ".balign 4\\n.long 771b - ., %c0\\n.popsection\" "
                           ": : \"i\"(::std::integral_constant<int, static_cast<int>("
                           "*::std::initializer_list<long long>{{{}}}.begin())>::value)); ",
                           bounds));
    }

    /// Removes `using std::lerp;` from libstdc++'s <math.h>, so that a program can have a lerp() of its own.
    /// nvcc compiles as C++17, which has no lerp(); C++20 has it only in std ([support.c.headers.other]).
    void remove_lerp(std::size_t i) {
        if (!source_.file_of(i).is_system || !source_.is(i + 1, "std") || !source_.is(i + 2, "::") ||
            !source_.is(i + 3, "lerp") || !source_.is(i + 4, ";") || brace_[i] != none)
            return;
        for (std::size_t token = i; token < i + 5; ++token) replace(token, "");
    }

    /// cudaLaunchKernel((void*)kernel, ...) becomes cudaLaunchKernel(kernel, ...), which knows the
    /// parameters; likewise for a cooperative launch. Other casts to a void pointer are removed, too. `open`
    /// is the call's parenthesis.
    void uncast_kernel(std::size_t open) {
        const std::size_t begin = open + 1;
        if (!source_.is(open, "(") || begin >= source_.tokens.size()) return;
        std::size_t end = none;
        if (source_.is(begin, "(") && partner_[begin] != none)
            end = partner_[begin] + 1;
        else if (source_.is(begin, "reinterpret_cast") || source_.is(begin, "static_cast"))
            end = behind_arguments(begin + 1, source_.tokens.size());
        if (end == none) return;
        const std::size_t type = source_.is(begin, "(") ? begin + 1 : begin + 2;
        for (std::size_t i = type; i < end - 1; ++i)
            if (!source_.is(i, "const") && !source_.is(i, "void") && !source_.is(i, "*")) return;
        for (std::size_t i = begin; i < end; ++i) replace(i, "");
    }

    /// cudaMemcpyToSymbol(x, ...) of a variable of the host becomes cudaMemcpyToSymbol(NoSymbol{"x"}, ...),
    /// which fails; likewise for the other calls that take a symbol.
    void mark_symbol(std::size_t call) {
        constexpr std::array<std::string_view, 2> first{"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"};
        constexpr std::array<std::string_view, 4> second{"cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync",
                                                         "cudaGetSymbolAddress", "cudaGetSymbolSize"};
        const std::size_t number = is_one_of(source_[call], first)    ? 0
                                   : is_one_of(source_[call], second) ? 1
                                                                      : none;
        if (number == none || !source_.is(call + 1, "(") || partner_[call + 1] == none) return;
        const auto arguments = parts(call + 2, partner_[call + 1]);
        if (arguments.size() <= number || arguments[number].second - arguments[number].first != 1) return;
        const std::size_t symbol = arguments[number].first;
        const bool is_text = source_.tokens[symbol].kind == Kind::text;
        if (!is_text && (!is_host_variable(symbol) || is_variable(symbol))) return;
        replace(symbol, is_text ? fmt::format("::cudabook::emulation::NoSymbol{{{}}}", source_[symbol])
                                : fmt::format("::cudabook::emulation::NoSymbol{{\"{}\"}}", source_[symbol]));
    }

    /// Returns whether the program declares a variable of this name outside of functions and classes, but no
    /// variable of the GPU with this name.
    [[nodiscard]] bool is_host_variable(std::size_t name) const {
        if (!source_.is_word(name) || symbols_.contains(source_[name])) return false;
        for (std::size_t i = 0; i < name; ++i)
            if (scope_[i] == Scope::file && i != begin_[i] && source_[i] == source_[name] && !is_foreign(i) &&
                (source_.is(i + 1, ";") || source_.is(i + 1, "=") || source_.is(i + 1, "[")))
                return true;
        return false;
    }

    /// clock() of the C library is the processor time; in GPU code it is the multiprocessor's clock.
    void read_gpu_clock(std::size_t i) {
        const bool is_member = i > 0 && (source_.is(i - 1, ".") || source_.is(i - 1, "->"));
        if (is_member || !source_.is(i + 1, "(") || !source_.is(i + 2, ")") || !is_device_code(i)) return;
        if (source_.is(i - 1, "::")) replace(i - 1, "");
        replace(i, "static_cast<::clock_t>(::clock64");
        replace(i + 2, "))");
    }

    /// Replaces asm("mov.u32 %0, %%laneid;" : "=r"(x)), and other statements of one PTX instruction that
    /// has a twin, by (x) = twin. The operands must have the instruction's constraints, and so its bits.
    /// Returns true if this word begins such a statement.
    bool translate_ptx(std::size_t word) {
        if (source_[word] != "asm" && source_[word] != "__asm__" && source_[word] != "__asm") return false;
        std::size_t i = word + 1;
        if (source_.is(i, "volatile") || source_.is(i, "__volatile__")) ++i;
        const std::size_t close = source_.is(i, "(") ? partner_[i] : none;
        if (close == none) return false;
        std::string instruction;
        for (++i; source_.tokens[i].kind == Kind::text; ++i)
            instruction += source_[i].substr(1, source_[i].size() - 2);
        auto [twin, constraint] = twin_of_ptx(instruction);
        if (twin.empty()) return false;
        // : "=r"(x) : "r"(y), "r"(z) : "memory": the result, the inputs, and what else changes
        std::vector<std::string> operands;
        for (int part = 0; i < close;) {
            if (source_.is(i, ":") || source_.is(i, "::")) {
                part += source_.is(i, ":") ? 1 : 2;
                ++i;
                continue;
            }
            if (part == 0 || source_.tokens[i].kind != Kind::text) return false;
            const std::string_view text = source_[i++];
            const std::string_view given = text.substr(1, text.size() - 2);
            if (part < 3) {
                const bool is_right = part == 1 ? given.size() == 2 && (given[0] == '=' || given[0] == '+') &&
                                                      given[1] == constraint && operands.empty()
                                                : given == "r" && !operands.empty();
                if (!is_right || !source_.is(i, "(") || partner_[i] == none) return false;
                operands.push_back(text_of(i, partner_[i] + 1));
                i = partner_[i] + 1;
            } else if (given != "memory") {
                return false;
            }
            if (source_.is(i, ",")) ++i;
        }
        if (operands.empty()) return false;
        for (std::size_t input = 1; input < operands.size(); ++input)
            for (std::size_t at = 0; (at = twin.find(fmt::format("${}", input), at)) != std::string::npos;)
                twin.replace(at, 2, operands[input]);
        if (twin.find('$') != std::string::npos) return false;
        replace(word, fmt::format("{} = {}", operands[0], twin));
        for (std::size_t token = word + 1; token <= close; ++token) replace(token, "");
        return true;
    }

    /// (void*)kernel becomes (void*)known(kernel), so that calls that get the pointer know the parameters.
    void register_cast_kernel(std::size_t name) {
        const auto found = kernels_.find(std::string(source_[name]));
        if (found == kernels_.end() || is_variable(name)) return;
        std::size_t behind = name + 1;
        if (source_.is(behind, "<")) behind = behind_arguments(behind, source_.tokens.size());
        if (behind == none || source_.is(behind, "(") || source_.is(behind, "<")) return;
        std::size_t begin = name;
        while (begin > 0 && source_.is(begin - 1, "::")) begin -= source_.is_word(begin - 2) ? 2 : 1;
        const bool is_address = begin > 0 && source_.is(begin - 1, "&");
        if (!ends_void_cast(is_address ? begin - 1 : begin)) return;
        if (is_address) replace(begin - 1, "");
        insert(begin, "::cudabook::emulation::known(");
        insert(behind, ")");
    }

    /// Returns whether a cast to a void pointer ends before the token: (void*) or reinterpret_cast<void*>(
    [[nodiscard]] bool ends_void_cast(std::size_t end) const {
        std::size_t begin = none;
        if (end > 0 && source_.is(end - 1, ")")) {
            begin = partner_[end - 1];
        } else if (end > 1 && source_.is(end - 1, "(") && source_.is(end - 2, ">")) {
            begin = arguments_before(--end - 1);
            if (begin == none || begin == 0 || !source_[begin - 1].ends_with("_cast")) return false;
        }
        if (begin == none) return false;
        bool is_void = false;
        for (std::size_t i = begin + 1; i < end - 1; ++i) {
            is_void |= source_.is(i, "void");
            if (!source_.is(i, "const") && !source_.is(i, "void") && !source_.is(i, "*")) return false;
        }
        return is_void;
    }

    /// Moves an alignas to the begin of its declaration. CUDA accepts it also behind __shared__ and other
    /// qualifiers, C++ only before all other specifiers.
    void move_alignment(std::size_t word) {
        const std::size_t close = partner_[word + 1];
        if (!source_.is(word + 1, "(") || close == none) return;
        std::size_t first = word;
        for (;;) {
            const std::size_t before = first - 1;
            if (first == 0) break;
            if (is_one_of(source_[before], std::array<std::string_view, 5>{"thread_local", "static", "extern",
                                                                           "const", "volatile"}) ||
                is_variable_mark(before))
                first = before;
            else if (source_.is(before, ")") && partner_[before] != none && partner_[before] > 0 &&
                     source_.is(partner_[before] - 1, "__attribute__"))
                first = partner_[before] - 1;
            else
                break;
        }
        if (first == word) return;
        const Token& begin = source_.tokens[word];
        const Token& end = source_.tokens[close];
        insert(first,
               fmt::format("{} ", source_.text.substr(begin.begin, end.begin + end.size - begin.begin)));
        for (std::size_t i = word; i <= close; ++i) replace(i, "");
    }

    [[nodiscard]] bool is_variable_mark(std::size_t i) const {
        return source_.is(i, device_mark) || source_.is(i, variable_mark) || source_.is(i, constant_mark);
    }

    /// Returns the replacement for __device__, __constant__ or __managed__.
    [[nodiscard]] std::string qualifier(std::size_t mark) {
        if (is_own(mark)) return {};
        if (mark > 0 && (source_.is(mark - 1, "]") || source_.is(mark - 1, host_mark)) && is_lambda(mark)) {
            check_captures(mark);
            return options_.lambda_attribute;
        }
        const auto [name, behind] = declarator(mark + 1);
        if (name == none) return {};
        const bool is_function = source_.is(behind, "(") && !source_.is(behind + 1, "*");
        std::string text = is_function ? options_.attribute : std::string();
        if (source_.is(mark, constant_mark) && is_changeable(mark, behind))
            text = options_.constant_attribute;
        if (is_each_source_s(mark, name, behind)) {
            // A function with a friend declaration has external linkage, and cannot be static.
            const bool is_friend = is_function && friends_.contains(text_of(name, behind));
            const std::string_view word = !is_friend ? "static" : is_said_inline(mark, name) ? "" : "inline";
            text = fmt::format("{}{}{}", word, word.empty() || text.empty() ? "" : " ", text);
        }
        return text;
    }

    /// A lambda in a GPU function runs on the GPU too. `open` is its bracket.
    void translate_lambda(std::size_t open) {
        const std::size_t close = partner_[open];
        if (close == none || source_.is(open + 1, "[") || is_own(open) || !is_device_code(open)) return;
        const std::size_t before = open - 1;
        const bool is_index =
            (source_.is_word(before) && (!is_keyword(source_[before]) || source_.is(before, "delete"))) ||
            source_.is(before, ")") || source_.is(before, "]") || source_.tokens[before].kind == Kind::text;
        std::size_t behind = close + 1;
        if (source_.is(behind, "<")) behind = behind_arguments(behind, source_.tokens.size());
        if (is_index || behind == none || !(source_.is(behind, "(") || source_.is(behind, "{"))) return;
        insert(behind, options_.lambda_attribute + " ");
    }

    /// Returns whether the token is in a function that runs on the GPU.
    [[nodiscard]] bool is_device_code(std::size_t at) const {
        for (std::size_t brace = brace_[at]; brace != none; brace = brace_[brace])
            for (std::size_t i = begin_[brace]; i < brace; ++i)
                if (source_.is(i, global_mark) || source_.is(i, device_mark)) return true;
        return false;
    }

    [[nodiscard]] bool is_said_inline(std::size_t mark, std::size_t name) const {
        for (std::size_t i = begin_[mark]; i < name; ++i)
            if (is_inline(source_[i]) || source_.is(i, inline_mark)) return true;
        return false;
    }

    /// Puts the text for a mark where C++ allows specifiers: behind [[an attribute]], before the * of a
    /// pointer.
    void specify(std::size_t mark, const std::string& text) {
        std::size_t place = mark;
        while (source_.is(place + 1, "[") && source_.is(place + 2, "[") && partner_[place + 1] != none)
            place = partner_[place + 1];
        if (place != mark) {
            replace(mark, "");
            if (!text.empty()) insert(place + 1, text + " ");
            return;
        }
        for (std::size_t i = mark; i > begin_[mark] && is_of_pointer(i - 1); --i)
            if (source_.is(i - 1, "*") || source_.is(i - 1, "&")) place = i - 1;
        replace(mark, place == mark ? text : "");
        if (place != mark && !text.empty()) insert(place, fmt::format(" {} ", text));
    }

    [[nodiscard]] bool is_of_pointer(std::size_t i) const {
        return source_.is(i, "*") || source_.is(i, "&") || is_qualifier(source_[i]) ||
               source_.is(i, host_mark) || is_variable_mark(i);
    }

    /// Returns whether a variable can be written. Constants cannot be in the section of such variables.
    [[nodiscard]] bool is_changeable(std::size_t mark, std::size_t behind) const {
        for (std::size_t i = begin_[mark]; i < behind; ++i)
            for (const std::string_view word : {"const", "constexpr", "template"})
                if (source_.is(i, word)) return false;
        return true;
    }

    [[nodiscard]] bool is_lambda(std::size_t mark) const {
        while (mark > 0 && (source_.is(mark - 1, host_mark) || source_.is(mark - 1, device_mark))) --mark;
        return mark > 0 && source_.is(mark - 1, "]") && !source_.is(mark - 2, "]");
    }

    /// Returns whether each translation unit is to have its own variable or function of this name, as in
    /// CUDA without -rdc=true.
    [[nodiscard]] bool is_each_source_s(std::size_t mark, std::size_t name, std::size_t behind) const {
        if (options_.shares_variables || scope_[mark] != Scope::file || is_foreign(mark)) return false;
        if (source_.is(name, ">") || (name > 0 && source_.is(name - 1, "::"))) return false;
        if (source_.is_word(name) && extern_.contains(source_[name])) return false;
        bool is_marked = false;
        for (std::size_t i = begin_[mark]; i < behind; ++i) {
            for (const std::string_view word :
                 {"static", "extern", "friend", "typedef", "using", "thread_local"})
                if (source_.is(i, word)) return false;
            if (source_.is(i, host_mark) || source_.is(i, global_mark)) return false;
            if (source_.is(i, "template") && source_.is(i + 1, "<") && source_.is(i + 2, ">")) return false;
            if (source_.is(i, "template") && !source_.is(i + 1, "<")) return false;
            if (i < mark && is_variable_mark(i)) is_marked = true;
        }
        return !is_marked;
    }

    // ----- Launches

    [[nodiscard]] bool is_open_launch(std::size_t i) const {
        return source_.is(i, "<") && source_.is(i + 1, "<") && source_.is(i + 2, "<") && i > 0 &&
               !source_.is(i - 1, "operator") && !source_.is(i - 1, "<");
    }

    /// Returns the last > that closes the launch configuration opened at `open`, or `none`.
    [[nodiscard]] std::size_t closing(std::size_t open) const {
        std::size_t first_found = none;
        std::size_t arguments = 0;  // open template arguments, or what looks like them
        for (std::size_t i = open + 3; i < source_.tokens.size(); ++i) {
            if (source_.is(i, ";") || source_.is(i, ")") || source_.is(i, "}") || source_.is(i, "]")) break;
            if (partner_[i] != none && partner_[i] > i) {
                i = partner_[i];
            } else if (source_.is(i, "<") && source_.is_word(i - 1)) {
                ++arguments;
            } else if (source_.is(i, ">")) {
                std::size_t last = i;
                while (source_.is(last + 1, ">")) ++last;
                const std::size_t length = last - i + 1;
                if (length >= arguments + 3) return last;
                if (length >= 3 && first_found == none && source_.is(last + 1, "(")) first_found = last;
                arguments -= std::min(arguments, length);
                i = last;
            }
        }
        return first_found;
    }

    /// A launch's callee: its first token, its last name, and the number of explicit template arguments.
    struct Callee {
        std::size_t begin = none;
        std::size_t name = none;
        std::size_t template_arguments = 0;
    };

    [[nodiscard]] Callee callee_before(std::size_t open) const {
        Callee callee;
        std::size_t i = open;  // behind the tokens that are still to be read
        const auto before = [&](std::string_view sign) { return i > 0 && source_.is(i - 1, sign); };
        const auto is_name = [&](std::size_t at) {
            return at < open && source_.is_word(at) && !is_keyword(source_[at]);
        };
        for (bool is_last = true;; is_last = false) {
            if (before(">")) {
                const std::size_t less = arguments_before(i - 1);
                if (less == none || less == 0) return {};
                if (is_last) callee.template_arguments = parts(less + 1, i - 1).size();
                i = less;
                if (!is_name(i - 1)) return {};
            }
            if (before(")") || before("]")) {
                if (partner_[i - 1] == none) return {};
                i = partner_[i - 1];
                callee.begin = i;
                // A function that is called, or an array that is indexed, belongs to the callee; (*f) alone
                // is complete.
                if (i > 0 && (is_name(i - 1) || before(">") || before("]") ||
                              (before(")") && !closes_a_condition(i - 1))))
                    continue;
            } else if (i > 0 && is_name(i - 1)) {
                --i;
                callee.begin = i;
                if (is_last) callee.name = i;
                if (before("template")) --i;
            } else {
                return {};
            }
            if (before("::") || before(".") || before("->")) {
                --i;
                callee.begin = i;
                if (source_.is(i, "::") && (i == 0 || !(is_name(i - 1) || before(">")))) return callee;
                continue;
            }
            return callee;
        }
    }

    /// Returns whether this ) ends the condition of an if, a while, ...
    [[nodiscard]] bool closes_a_condition(std::size_t close) const {
        const std::size_t open = partner_[close];
        return open != none && open > 0 && is_keyword(source_[open - 1]);
    }

    void translate_launch(std::size_t open) {
        const std::size_t close = closing(open);
        if (close == none) throw source_.error(open, "this launch cannot be read: nothing closes its <<<");
        const std::size_t arguments = close + 1;
        if (!source_.is(arguments, "(") || partner_[arguments] == none)
            throw source_.error(close,
                                "this launch cannot be read: after >>> come its arguments in parentheses");
        const Callee callee = callee_before(open);
        if (callee.begin == none)
            throw source_.error(open, "this launch cannot be read: before <<< comes a kernel");
        if (parts(open + 3, close - 2).empty() || parts(open + 3, close - 2).size() > 4)
            throw source_.error(open,
                                "this launch cannot be read: between <<< and >>> come two to four arguments");

        check_launch(callee);
        for (const auto& [first, end] : parts(arguments + 1, partner_[arguments])) check_argument(first, end);
        if (is_one_function(callee)) {
            const bool is_name = is_name_of_kernel(callee, open) && !is_folded(partner_[arguments]);
            insert(callee.begin, is_name ? "::cudabook::emulation::launched([&] { return "
                                         : "::cudabook::emulation::launched(");
            replace(open, is_name ? "; })(" : ")(");
        } else {
            kernels_[std::string(source_[callee.name])].is_chosen = true;
            insert(callee.begin,
                   "::cudabook::emulation::launched_by([](auto of) { return static_cast<decltype(of)>(");
            replace(open, "); })(");
            replace(arguments, fmt::format("({}{} {}(", text_of(callee.begin, callee.name + 1),
                                           arguments_suffix, text_of(callee.name + 1, open)));
            replace(partner_[arguments], "))");
        }
        replace(open + 1, "");
        replace(open + 2, "");
        replace(close - 2, ")");
        replace(close - 1, "");
        replace(close, "");
    }

    /// Returns whether the callee may be an expression of a lambda: it contains no variable of the function,
    /// because k<n> is no constant where the lambda captures n.
    [[nodiscard]] bool is_name_of_kernel(const Callee& callee, std::size_t open) const {
        if (callee.name == none) return false;
        for (std::size_t i = callee.begin; i < open; ++i)
            if (source_.is_word(i) && is_variable(i)) return false;
        return true;
    }

    /// Returns whether a launch whose arguments end here is a part of a fold: (k<T><<<1, 1>>>(), ...).
    [[nodiscard]] bool is_folded(std::size_t close) const {
        return source_.is(close + 2, "...") || (source_.is(close + 1, ")") && source_.is(close + 3, "..."));
    }

    /// Returns whether the callee has one type, so that its address can be taken.
    [[nodiscard]] bool is_one_function(const Callee& callee) const {
        if (callee.name == none) return true;  // an expression: a pointer
        const auto found = kernels_.find(std::string(source_[callee.name]));
        if (found == kernels_.end()) return true;
        const KernelDeclarations& kernel = found->second;
        if (is_variable(callee.name)) return true;
        if (kernel.parameters.size() > 1 || kernel.has_defaults || kernel.has_namesake ||
            kernel.is_variable_template)
            return false;
        return !kernel.template_parameters || *kernel.template_parameters == callee.template_arguments;
    }

    /// Returns whether a kernel's name stands here for a variable or parameter of the function around it.
    [[nodiscard]] bool is_variable(std::size_t name) const {
        std::size_t function = none;  // its brace
        for (std::size_t brace = brace_[name]; brace != none; brace = brace_[brace]) {
            function = brace;
            if (scope_[brace] != Scope::other) break;
        }
        if (function == none) return false;
        for (std::size_t i = begin_[function] + 1; i < name; ++i)
            if (source_[i] == source_[name] && source_.tokens[i].kind == Kind::word && is_declared_at(i))
                return true;
        return false;
    }

    /// Returns whether this looks like the name in the declaration of a variable.
    [[nodiscard]] bool is_declared_at(std::size_t name) const {
        std::size_t before = name - 1;
        while (source_.is(before, "*") || source_.is(before, "&")) --before;
        if (before != name - 1 && source_.is(before, "(") && source_.is(name + 1, ")"))
            return true;  // (*name)
        if (is_bound_at(name)) return true;
        if (!(source_.is_word(before) && !is_keyword(source_[before])) && !source_.is(before, ">"))
            return false;
        for (const std::string_view sign : {",", ")", "=", ";", "{", ":", "[", ">"})
            if (source_.is(name + 1, sign)) return true;
        return false;
    }

    /// Returns whether this is a name in a structured binding: auto& [a, b].
    [[nodiscard]] bool is_bound_at(std::size_t name) const {
        std::size_t before = name - 1;
        while (source_.is(before, ",") && source_.is_word(before - 1)) before -= 2;
        if (!source_.is(before, "[")) return false;
        do --before;
        while (source_.is(before, "&"));
        return source_.is(before, "auto");
    }

    [[nodiscard]] std::string text_of(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin) text += ' ';
            text += source_[i];
        }
        return text;
    }

    /// Returns tokens with spaces where the source has some: operators as << are several tokens.
    [[nodiscard]] std::string spelling_of(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) {
            const Token& token = source_.tokens[i];
            if (i > begin && token.begin > source_.tokens[i - 1].begin + source_.tokens[i - 1].size)
                text += ' ';
            text += source_[i];
        }
        return text;
    }

    // ----- What nvcc refuses and a host compiler does not. The texts begin with nvcc's words.

    /// Notes a mistake. run() throws all mistakes together, with a line for each.
    void refuse(std::size_t token, std::string_view what) {
        if (!mistakes_.empty()) mistakes_ += '\n';
        mistakes_ += source_.error(token, what).what();
    }

    void warn(std::size_t token, std::string_view what) {
        warnings_ += fmt::format("{}\n", source_.error(token, fmt::format("warning: {}", what)).what());
    }

    /// Refuses a kernel that is a member function or returns something.
    void check_kernel(std::size_t mark) {
        const auto [name, open] = declarator(mark + 1);
        if (is_foreign(mark) || name == none || !source_.is_word(name) || !source_.is(open, "(") ||
            partner_[open] == none)
            return;
        const std::size_t begin = begin_[mark];
        const auto has = [&, end = name](std::string_view word) {
            for (std::size_t i = begin; i < end; ++i)
                if (source_.is(i, word)) return true;
            return false;
        };
        if (scope_[mark] == Scope::type) {
            if (!has("friend"))
                refuse(mark,
                       "A __global__ function or function template cannot be a member function: define the "
                       "kernel outside of the class, and pass it what it needs");
            return;
        }
        if (has("auto")) {
            if (!source_.is(partner_[open] + 1, "->"))
                refuse(mark,
                       "a __global__ function must not have a deduced return type: write void for auto");
            return;
        }
        const std::string type = return_type(behind_templates(begin, name), name);
        const bool is_builtin_type = is_builtin(std::string_view(type).substr(0, type.find(' ')));
        if (is_builtin_type && type != "void" && !is_qualifier(type))
            refuse(mark,
                   "a __global__ function must have a void return type: a kernel returns its results in "
                   "memory that its parameters point to");
    }

    /// Refuses a kernel's call without <<<>>>, an initial value of a __shared__ variable, constant arrays of
    /// the host and exceptions in device code, and barriers on the host. Warns of variables of the GPU on the
    /// host, and of two names for dynamic shared memory.
    void check_word(std::size_t i) {
        check_use(i);
        check_element(i);
        const std::string_view word = source_[i];
        if (word == "thread_local" && source_[i + 6] == "\"cudabook_shared\"") {
            check_shared(i);
            if (source_.is(i - 1, "extern")) check_dynamic_shared(i);
        }
        if ((word == "throw" || word == "try") && is_device_code(i))
            refuse(i,
                   "device code does not support exception handling: return an error, or write it to memory "
                   "that the host reads");
        if (is_one_of(word,
                      std::array<std::string_view, 3>{"__syncthreads", "__syncwarp", "__threadfence"}) &&
            source_.is(i + 1, "(") && scope_[i] == Scope::other && !is_device_code(i) &&
            !is_in_device_function(i))
            refuse(i, fmt::format("calling a __device__ function(\"{}\") from a __host__ function is not "
                                  "allowed: threads of a kernel call it; the host waits by "
                                  "cudaDeviceSynchronize()",
                                  word));
        if (word == "threadIdx" && scope_[i] == Scope::other && is_device_code(i) && !is_variable(i) &&
            !is_declared_at(i) && !source_.is(i - 1, ".") && !source_.is(i - 1, "->") &&
            use_of(i) == Use::write)
            refuse(i,
                   "expression must be a modifiable lvalue: a thread cannot change its threadIdx; copy it to "
                   "a variable");
        if (scope_[i] == Scope::other && is_call_of_kernel(i))
            refuse(i, fmt::format("a __global__ function call must be configured: launch the kernel, by "
                                  "{}<<<blocks, threads>>>(...)",
                                  word));
    }

    /// Returns whether the code is in a function that is declared with __device__ here or elsewhere.
    [[nodiscard]] bool is_in_device_function(std::size_t at) const {
        for (std::size_t brace = brace_[at]; brace != none; brace = brace_[brace])
            for (std::size_t i = begin_[brace]; i < brace; ++i)
                if (source_.is(i + 1, "(") && device_functions_.contains(source_[i])) return true;
        return false;
    }

    /// Returns whether a statement begins here that calls a kernel without <<<>>>.
    [[nodiscard]] bool is_call_of_kernel(std::size_t name) const {
        const auto found = kernels_.find(std::string(source_[name]));
        if (found == kernels_.end() || found->second.has_namesake || members_.contains(source_[name]))
            return false;
        const bool begins = name == begin_[name] || source_.is(name - 1, "else") ||
                            (source_.is(name - 1, ")") && closes_a_condition(name - 1));
        std::size_t open = name + 1;
        if (source_.is(open, "<") && !source_.is(open + 1, "<"))
            open = behind_arguments(open, source_.tokens.size());
        return begins && open != none && source_.is(open, "(") && !is_variable(name);
    }

    /// Warns of a second name for dynamic shared memory in one block of statements.
    void check_dynamic_shared(std::size_t mark) {
        const std::size_t close = partner_[mark + 2];  // of __attribute__((...))
        const auto [name, behind] = declarator(close == none ? mark : close + 1);
        if (name == none || brace_[mark] == none) return;
        const auto [first, is_new] = dynamic_arrays_.emplace(brace_[mark], source_[name]);
        if (!is_new && first->second != source_[name])
            warn(name,
                 fmt::format("{} begins at the same byte as {}, because a block has one array of dynamic "
                             "shared memory: declare one array, and let a pointer to its middle be the "
                             "other",
                             source_[name], first->second));
    }

    enum class Use : std::uint8_t { none, read, write };

    /// Returns what an expression does with a variable, as far as the tokens beside it say it. A function may
    /// take a reference, and & takes the address.
    [[nodiscard]] Use use_of(std::size_t name) const {
        std::size_t behind = name + 1;
        while (source_.is(behind, "[") && partner_[behind] != none) behind = partner_[behind] + 1;
        while ((source_.is(behind, ".") || source_.is(behind, "->")) && source_.is_word(behind + 1))
            behind += 2;
        const std::size_t before = name - 1;
        const auto is_twice = [&](std::size_t first, std::string_view sign) {
            return source_.is(first, sign) && source_.is(first + 1, sign) &&
                   source_.tokens[first + 1].begin == source_.tokens[first].begin + 1;
        };
        for (const std::string_view sign : {"+", "-"})
            if (is_twice(behind, sign) || is_twice(before - 1, sign)) return Use::write;
        for (const std::string_view sign : {"+", "-", "*", "/", "%", "|", "^"})
            if (source_.is(behind, sign) && source_.is(behind + 1, "=")) return Use::write;
        for (const std::string_view sign : {"<", ">"})
            if (source_.is(behind, sign) && source_.is(behind + 1, fmt::format("{}=", sign)))
                return Use::write;
        if (source_.is(behind, "=") && !source_.is(behind + 1, "=")) return Use::write;
        if (source_.is(behind, "&") && source_.is(behind + 1, "=")) return Use::write;
        if (source_.is(before, "&") && !source_.is(before - 1, "&")) return Use::none;
        std::size_t operand = before;
        while (source_.is(operand, "(") || source_.is(operand, "*")) --operand;
        if (source_.is(operand, "sizeof") || source_.is(operand, "alignof")) return Use::none;
        if (source_.is(before, "<") && source_.is(behind, ">")) return Use::none;      // f<name>()
        if (source_.is(before, "=") && source_.is(before - 2, "&")) return Use::none;  // int& other = name
        for (const std::string_view sign :
             {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "=", "!", "?", ":"})
            if (source_.is(before, sign)) return Use::read;
        for (const std::string_view sign : {"+", "-", "*", "/", "%", "<", ">", "<=", ">=", "=", "!", "?"})
            if (source_.is(behind, sign)) return Use::read;
        if (!(source_.is(before, "(") || source_.is(before, ",")) ||
            !(source_.is(behind, ")") || source_.is(behind, ",")))
            return Use::none;
        std::size_t open = before;
        while (open > 0 && !source_.is(open, "(")) {
            if (source_.is(open, ";") || source_.is(open, "{")) return Use::none;
            open = partner_[open] != none && partner_[open] < open ? partner_[open] - 1 : open - 1;
        }
        static constexpr std::array<std::string_view, 8> readers{"printf", "fprintf", "snprintf", "sprintf",
                                                                 "if",     "while",   "switch",   "puts"};
        const bool is_launch = open >= 3 && is_twice(open - 2, ">") && source_.is(open - 3, ">");
        return open > 0 && (is_launch || is_one_of(source_[open - 1], readers)) ? Use::read : Use::none;
    }

    /// Warns of a use by the host of a variable that only the GPU has.
    void check_use(std::size_t name) {
        const auto found = variables_of_gpu_.find(source_[name]);
        if (found == variables_of_gpu_.end() || name == 0 || scope_[name] != Scope::other || is_foreign(name))
            return;
        for (const std::string_view sign : {".", "->", "::"})
            if (source_.is(name - 1, sign)) return;
        if (is_device_code(name) || is_in_device_function(name)) return;
        const Use use = use_of(name);
        if (use == Use::none) return;
        const std::string_view word = use == Use::read ? "read" : "written";
        const std::string_view copy = use == Use::read ? "cudaMemcpyFromSymbol" : "cudaMemcpyToSymbol";
        warn(name, fmt::format("a {} variable \"{}\" cannot be directly {} in a host function: the host has "
                               "another variable of that name, and {}() copies the GPU's",
                               found->second, source_[name], word, copy));
    }

    /// Returns whether a word is between the brackets, such as the name of a variable.
    [[nodiscard]] bool has_word(std::size_t open) const {
        for (std::size_t i = open + 1; i < partner_[open]; ++i)
            if (source_.is_word(i)) return true;
        return false;
    }

    /// Refuses an element of a constant array of the host in device code if the index is no number. (Where
    /// nvcc needs a constant, it takes the element of a constexpr array.)
    void check_element(std::size_t name) {
        if (!arrays_of_host_.contains(source_[name]) || !source_.is(name + 1, "[") || !has_word(name + 1) ||
            scope_[name] != Scope::other || is_foreign(name) || !is_device_code(name))
            return;
        for (const std::string_view sign : {".", "->", "::", "[", "<"})
            if (source_.is(name - 1, sign)) return;
        for (std::size_t i = begin_[name]; i < name; ++i) {
            if (is_opening(i) && source_.is(i, "[") && partner_[i] > name) return;  // the size of an array
            for (const std::string_view word : {"const", "constexpr", "static_assert", "sizeof", "alignof",
                                                "alignas", "decltype", "case", "enum"})
                if (source_.is(i, word)) return;
        }
        refuse(name, fmt::format("identifier \"{}\" is undefined in device code: it is an array of the host; "
                                 "declare it with __constant__ or __device__",
                                 source_[name]));
    }

    /// Refuses the initial values in a declaration of __shared__ variables.
    void check_shared(std::size_t mark) {
        const std::size_t close = partner_[mark + 2];  // of __attribute__((...))
        if (close == none) return;
        auto [name, i] = declarator(close + 1);
        if (name == none || source_.is(i, "(")) return;
        for (std::size_t word = close + 1; word <= name; ++word)
            for (const std::string_view type : {"struct", "class", "union", "enum"})
                if (source_.is(word, type)) return;
        while (true) {
            while (source_.is(i, "[") && partner_[i] != none) i = partner_[i] + 1;
            if (source_.is(i, "=") || source_.is(i, "{"))
                refuse(name, fmt::format("initializer not allowed for __shared__ variable: let a thread set "
                                         "{}, and call __syncthreads() before others read it",
                                         source_[name]));
            if (!source_.is(i, ",")) return;
            while (source_.is(i, ",") || source_.is(i, "*")) ++i;
            name = i++;
        }
    }

    /// Refuses a capture by reference of a lambda for kernels that is in a function of the host.
    void check_captures(std::size_t mark) {
        std::size_t close = mark;
        while (source_.is(close, device_mark) || source_.is(close, host_mark)) --close;
        const std::size_t open = partner_[close];
        if (open == none || is_foreign(mark) || is_device_code(open)) return;
        bool is_host = source_.is(mark + 1, host_mark);
        for (std::size_t i = close; i < mark; ++i) is_host |= source_.is(i, host_mark);
        for (const auto& [first, end] : parts(open + 1, close)) {
            if (!source_.is(first, "&")) continue;
            refuse(open, fmt::format("An extended {}__device__ lambda cannot capture variables by reference: "
                                     "a GPU does not have the host's variables; capture copies, by [=]",
                                     is_host ? "__host__ " : ""));
            return;
        }
    }

    /// Returns whether a lambda without __device__ begins at `open`, its bracket.
    [[nodiscard]] bool is_lambda_of_host(std::size_t open) const {
        const std::size_t close = source_.is(open, "[") ? partner_[open] : none;
        if (close == none || is_device_code(open)) return false;
        std::size_t body = close + 1;
        for (; !source_.is(body, "{"); ++body) {
            if (body >= source_.tokens.size() || source_.is(body, ";") || source_.is(body, device_mark))
                return false;
            if (source_.is(body, "(") && partner_[body] != none) body = partner_[body];
        }
        return partner_[body] != none && !source_.is(partner_[body] + 1, "(");  // not called at once
    }

    /// Refuses a lambda of the host as an argument of a launch. The argument may also be the name of a
    /// variable that is declared with a lambda in the same function.
    void check_argument(std::size_t first, std::size_t end) {
        bool is_of_host = is_lambda_of_host(first);
        if (end - first == 1 && source_.is_word(first))
            for (std::size_t i = first; i-- > 3 && scope_[i] == Scope::other;)
                if (source_[i] == source_[first] && source_.is(i - 1, "auto") && source_.is(i + 1, "=")) {
                    is_of_host = is_lambda_of_host(i + 2);
                    break;
                }
        if (is_of_host && !is_foreign(first))
            refuse(first,
                   "the closure type for a lambda cannot be used in a launch unless the lambda is an "
                   "extended lambda: write __device__ behind its ]");
    }

    /// Refuses a launch of a function that is no kernel.
    void check_launch(const Callee& callee) {
        if (callee.name == none || callee.begin != callee.name || is_foreign(callee.name)) return;
        const auto found = functions_.find(source_[callee.name]);
        if (found == functions_.end() || kernels_.contains(std::string(source_[callee.name])) ||
            members_.contains(source_[callee.name]) || is_variable(callee.name))
            return;
        refuse(callee.name, fmt::format("a {} function call cannot be configured: write __global__ {} {}, "
                                        "which makes it a kernel",
                                        found->second ? "__device__" : "host",
                                        found->second ? "for __device__ before" : "before", found->first));
    }

    // ----- The functions that take a launch's arguments

    static constexpr std::string_view arguments_suffix = "__cudabook_arguments";

    /// Inserts before each kernel of this name a function that has its parameters and returns them. A
    /// repeated declaration gives the function only its default arguments.
    void declare_arguments(const KernelDeclarations& kernel) {
        std::set<std::string> defined;
        for (const KernelDeclarations::Declaration& declaration : kernel.declarations) {
            const auto [begin, name, open] = declaration;
            const std::size_t specifiers = behind_templates(begin, name);
            std::string parameters;
            std::string types;
            std::string values;
            bool has_defaults = false;
            unsigned number = 0;
            for (const auto& [first, end] : parts(open + 1, partner_[open])) {
                const std::size_t type_end = default_in(first, end);
                if (type_end - first == 1 && source_.is(first, "void")) continue;  // (void)
                has_defaults |= type_end != end;
                const std::size_t named = parameter_name(first, type_end);
                const std::string value =
                    named == none ? fmt::format("of{}", number) : std::string(source_[named]);
                bool is_pack = false;
                for (std::size_t i = first; i < type_end; ++i) is_pack |= source_.is(i, "...");
                const char* const comma = number++ == 0 ? "" : ", ";
                const char* const dots = is_pack ? "..." : "";
                parameters += comma + (named == none ? named_parameter(first, type_end, value) + ' ' +
                                                           text_of(type_end, end)
                                                     : text_of(first, end));
                types += fmt::format(", decltype({}){}", value, dots);
                values += fmt::format("{}{}{}", comma, value, dots);
            }
            const std::string head =
                fmt::format("{} static inline auto {}{}({}) -> ::cudabook::emulation::Arguments<{}{}>",
                            text_of(begin, specifiers), source_[name], arguments_suffix, parameters,
                            return_type(specifiers, name), types);
            const bool is_new = defined.insert(identity(declaration)).second;
            if (is_new)
                insert(begin, fmt::format("{} {{ return {{{}}}; }} ", head, values));
            else if (has_defaults)
                insert(begin, head + "; ");
        }
    }

    /// Returns the token behind the template part of a declaration: template <...> requires ...
    [[nodiscard]] std::size_t behind_templates(std::size_t begin, std::size_t end) const {
        std::size_t i = begin;
        while (source_.is(i, "template")) {
            const std::size_t behind = behind_arguments(i + 1, end);
            if (behind == none) break;
            i = source_.is(behind, "requires") ? behind_constraint(behind + 1, end) : behind;
        }
        return i;
    }

    /// Returns the token behind a constraint, which consists of expressions in parentheses, names and
    /// requires {...}, with && and || between them.
    [[nodiscard]] std::size_t behind_constraint(std::size_t i, std::size_t end) const {
        const auto behind_bracket = [this](std::size_t open) {
            return partner_[open] == none ? open + 1 : partner_[open] + 1;
        };
        for (; i < end; i += 2) {
            if (source_.is(i, "(")) {
                i = behind_bracket(i);
            } else if (source_.is(i, "requires")) {
                ++i;
                if (source_.is(i, "(")) i = behind_bracket(i);
                if (source_.is(i, "{")) i = behind_bracket(i);
            } else {
                while (source_.is_word(i) || source_.is(i, "::")) {
                    const bool is_name = source_.is_word(i++);
                    if (is_name && source_.is(i, "<")) {
                        const std::size_t behind = behind_arguments(i, end);
                        if (behind != none) i = behind;
                    }
                    if (is_name && !source_.is(i, "::")) break;
                }
            }
            if (!(source_.is(i, "&") && source_.is(i + 1, "&")) &&
                !(source_.is(i, "|") && source_.is(i + 1, "|")))
                break;
        }
        return i;
    }

    /// Returns a kernel's return type: void, or a type that is void if its template arguments suit.
    [[nodiscard]] std::string return_type(std::size_t begin, std::size_t name) const {
        std::string type;
        for (std::size_t i = begin; i < name; ++i) {
            if (source_.is(i, "auto")) return "void";
            if (takes_words(source_[i]) && !source_.is(i, "decltype")) {
                i = partner_[i + 1] == none ? i : partner_[i + 1];
                continue;
            }
            if (source_.is(i, "[") && partner_[i] != none) {  // [[an attribute]]
                i = partner_[i];
                continue;
            }
            const bool is_specifier = source_.is(i, global_mark) || source_.is(i, host_mark) ||
                                      source_.is(i, inline_mark) || source_.is(i, "static") ||
                                      source_.is(i, "extern") || source_.is(i, "constexpr") ||
                                      source_.tokens[i].kind == Kind::text || is_inline(source_[i]);
            if (!is_specifier) type += fmt::format("{}{}", type.empty() ? "" : " ", source_[i]);
        }
        return type;
    }

    /// Returns a parameter without a name, with the name added.
    [[nodiscard]] std::string named_parameter(std::size_t begin, std::size_t end,
                                              const std::string& name) const {
        std::size_t at = end;
        if (const std::size_t open = inner_declarator(begin, end); open != none)
            at = partner_[open];
        else
            while (at > begin && source_.is(at - 1, "]") && partner_[at - 1] != none) at = partner_[at - 1];
        return fmt::format("{} {} {}", text_of(begin, at), name, text_of(at, end));
    }

    /// Returns a text that is the same for all declarations of one function, whatever the names of its
    /// parameters: its scope and the types. Words that give the same type in another order or number are
    /// normalized.
    [[nodiscard]] std::string identity(const KernelDeclarations::Declaration& declaration) const {
        const auto [begin, name, open] = declaration;
        std::string identity;
        for (std::size_t brace = brace_[name]; brace != none; brace = brace_[brace])
            identity += text_of(begin_[brace], brace) + ';';
        std::map<std::string_view, std::size_t> numbers;  // of the template parameters
        for (std::size_t i = begin; source_.is(i, "template"); ++i) {
            const std::size_t behind = behind_arguments(i + 1, name);
            if (behind == none) break;
            for (const auto& [first, end] : parts(i + 2, behind - 1)) {
                const std::size_t type_end = default_in(first, end);
                const bool is_named = type_end - first > 1 && source_.is_word(type_end - 1) &&
                                      !is_builtin(source_[type_end - 1]);
                if (is_named) numbers.emplace(source_[type_end - 1], numbers.size());
                for (std::size_t t = first; t < type_end - (is_named ? 1 : 0); ++t)
                    identity += fmt::format("{} ", source_.is(t, "class") ? "typename" : source_[t]);
                identity += ',';
            }
            i = behind - 1;
        }
        for (const auto& [first, end] : parts(open + 1, partner_[open])) {
            const std::size_t type_end = default_in(first, end);
            const std::size_t named = parameter_name(first, type_end);
            std::multiset<std::string> words;  // before the first * or &
            std::string rest;
            for (std::size_t i = first; i < type_end; ++i) {
                if (i == named || source_.is(i, "void")) continue;
                const auto number = numbers.find(source_[i]);
                const std::string word =
                    number == numbers.end() ? std::string(source_[i]) : fmt::format("#{}", number->second);
                if (rest.empty() && source_.is_word(i))
                    words.insert(word);
                else
                    rest += word + ' ';
            }
            if (words.size() > 1 &&
                (words.contains("unsigned") || words.contains("long") || words.contains("short")))
                words.erase("int");
            for (const std::string& word : words) identity += word + ' ';
            identity += rest + ';';
        }
        return identity;
    }

    /// Repeats a declaration `using n::kernel;` for the function that takes the kernel's arguments.
    void use_arguments(std::size_t i) {
        std::size_t end = i + 1;
        while (source_.is_word(end) || source_.is(end, "::")) ++end;
        if (!source_.is(end, ";") || end - i < 4 || !source_.is(end - 2, "::")) return;
        const auto found = kernels_.find(std::string(source_[end - 1]));
        if (found == kernels_.end() || !found->second.is_chosen) return;
        const bool is_there = std::ranges::any_of(found->second.declarations, [&](const auto& declaration) {
            const std::size_t brace = brace_[declaration.name];
            return brace != none && source_[brace - 1] == source_[end - 3];
        });
        if (is_there) insert(end + 1, fmt::format("{}{}; ", text_of(i, end), arguments_suffix));
    }

    // ----- Edits

    [[nodiscard]] bool is_own(std::size_t i) const { return is_own_[source_.tokens[i].file]; }
    [[nodiscard]] bool is_foreign(std::size_t i) const { return is_own(i) || source_.file_of(i).is_system; }

    void insert(std::size_t before, const std::string& text) { edits_[before].before += text; }
    void replace(std::size_t token, std::string_view text) { edits_[token].instead = text; }

    struct Edit {
        std::string before;
        std::optional<std::string> instead;
    };

    [[nodiscard]] std::string edited() const {
        std::string text;
        text.reserve(source_.text.size() + 200 * edits_.size());
        std::size_t at = 0;
        for (const auto& [number, edit] : edits_) {
            const Token& token = source_.tokens[number];
            text += source_.text.substr(at, token.begin - at);
            text += edit.before;
            text += edit.instead ? std::string_view(*edit.instead) : source_[number];
            at = token.begin + token.size;
        }
        text += source_.text.substr(at);
        return text;
    }

    const Options& options_;
    Source source_;
    std::vector<bool> is_own_;  ///< for each file
    std::vector<std::size_t> partner_;
    std::vector<std::size_t> begin_;
    std::vector<Scope> scope_;
    std::vector<std::size_t> brace_;  ///< for each token, the innermost open brace, or `none`
    std::map<std::string, KernelDeclarations> kernels_;
    std::set<std::string_view> extern_;
    std::set<std::string_view> with_dynamic_array_;  ///< kernels
    std::set<std::string> friends_;
    std::set<std::string_view> symbols_;  ///< variables of the GPU, and what is in their declarations
    std::set<std::string_view> members_;  ///< members of classes, and what looks like them
    std::set<std::string_view> device_functions_;  ///< what is declared with __device__
    std::map<std::string_view, bool> functions_;   ///< no kernels: whether each has __device__
    /// The qualifiers, "__device__" or "__constant__", of variables that are not const.
    std::map<std::string_view, std::string_view> variables_of_gpu_;
    std::map<std::string_view, std::size_t> arrays_of_host_;  ///< constant; with the place of each
    std::map<std::size_t, std::string_view> dynamic_arrays_;  ///< the first name in each open brace
    std::string mistakes_;                                    ///< what nvcc refuses
    std::string warnings_;
    std::map<std::size_t, Edit> edits_;
};

}  // namespace

std::string translate(std::string_view preprocessed, const Options& options, std::string* warnings) {
    return Translator(preprocessed, options).run(warnings);
}

}  // namespace cudabook::translator
