#include "common/emulation/translator/translator.hpp"

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

#include "common/emulation/translator/real_cuda.hpp"

namespace cudabook::translator {

namespace {

// What cuda_runtime.h leaves in the places of CUDA's qualifiers.
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

/// A function cannot be called these, and an expression may come after them.
bool is_keyword(std::string_view word) {
    return is_one_of(word, std::array<std::string_view, 17>{"return", "else", "do", "case", "if", "while",
                                                            "for", "switch", "throw", "goto", "and", "or",
                                                            "not", "co_return", "co_yield", "new", "delete"});
}

/// Their parentheses belong to no parameters.
bool takes_words(std::string_view word) {
    return is_one_of(word, std::array<std::string_view, 5>{"__attribute__", "__attribute", "alignas",
                                                           "decltype", "__declspec"});
}

bool is_inline(std::string_view word) {
    return is_one_of(word, std::array<std::string_view, 3>{"inline", "__inline__", "__inline"});
}

/// What the source declares as one kernel's name.
struct Kernel {
    std::set<std::string> parameters;  ///< of each function, without their names
    std::optional<std::size_t> template_parameters;
    bool is_variable_template = false;  ///< its template takes any number of arguments, or is declared twice
    bool has_defaults = false;
    bool has_namesake = false;  ///< a function of the host or of std, as std::reduce
};

class Translator {
  public:
    Translator(std::string_view text, const Options& options) : options_(options), source_(tokenize(text)) {
        const std::string folder = options.own_headers + "/";
        for (const File& file : source_.files)
            is_own_.push_back(!options.own_headers.empty() && file.name.starts_with(folder));
    }

    std::string run() && {
        refuse_libraries(source_, is_own_);
        match_brackets();
        find_scopes();
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            if (source_.is(i, global_mark)) declare(i);
            if (source_.is(i, "extern")) find_extern(i);
        }
        for (std::size_t i = 0; i < source_.tokens.size(); ++i)
            if (scope_[i] == Scope::file && source_.is_word(i) && source_.is(i + 1, "(")) find_namesake(i);
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            if (source_.tokens[i].kind == Kind::word) translate_word(i);
            if (is_open_launch(i)) translate_launch(i);
        }
        return edited();
    }

  private:
    enum class Scope : std::uint8_t { file, type, other };

    // ----- brackets and scopes

    /// For each bracket its partner; none where it has none. < and > are no brackets here.
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
            if (open.empty() || !source_.is(open.back(), opening)) continue;  // the compiler will say it
            partner_[i] = open.back();
            partner_[open.back()] = i;
            open.pop_back();
        }
    }

    /// For each token where its declaration begins and in what it stands.
    void find_scopes() {
        begin_.resize(source_.tokens.size());
        scope_.resize(source_.tokens.size());
        std::vector<Scope> open{Scope::file};
        std::size_t begin = 0;
        for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
            begin_[i] = begin;
            scope_[i] = open.back();
            if (source_.is(i, ";")) begin = i + 1;
            if (source_.is(i, "{")) {
                open.push_back(open.back() == Scope::other ? Scope::other : scope_opened(begin, i));
                begin = i + 1;
            }
            if (source_.is(i, "}")) {
                if (open.size() > 1) open.pop_back();
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

    // ----- template arguments

    /// The token behind the > that closes the < at `open`; none if it closes nothing before `end`.
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

    /// The < that opens what the > at `close` closes.
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

    /// The parts between commas of what stands between two tokens, each from its first token to behind its
    /// last.
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

    // ----- declarations

    /// The first token of a declaration, from `begin` on, that is the name's: what comes before its
    /// parameters, its value, ... ; and where those begin.
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

    /// Takes down the kernel whose declaration has the mark.
    void declare(std::size_t mark) {
        const auto [name, open] = declarator(mark + 1);
        if (name == none || !source_.is(open, "(") || !source_.is_word(name) || partner_[open] == none)
            return;
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
        Kernel& kernel = kernels_[std::string(source_[name])];
        std::string types;
        for (const auto& [begin, end] : parts(open + 1, partner_[open])) {
            std::size_t type_end = end;
            for (std::size_t i = begin; i < end; ++i) {
                if (!source_.is(i, "=")) continue;
                kernel.has_defaults = true;
                type_end = i;
                break;
            }
            if (type_end - begin > 1 && source_.is_word(type_end - 1) && !is_builtin(source_[type_end - 1]))
                --type_end;  // its name
            for (std::size_t i = begin; i < type_end; ++i) types += fmt::format("{} ", source_[i]);
            types += ", ";
        }
        if (!kernel.parameters.empty() && kernel.template_parameters != template_parameters)
            kernel.is_variable_template = true;
        kernel.template_parameters = template_parameters;
        kernel.parameters.insert(types);
    }

    /// Takes down that a kernel's name is also that of another function, which is declared here.
    void find_namesake(std::size_t name) {
        const auto found = kernels_.find(std::string(source_[name]));
        if (found == kernels_.end() || name == begin_[name]) return;
        for (std::size_t i = begin_[name]; i < name; ++i)
            if (source_.is(i, global_mark)) return;
        found->second.has_namesake = true;
    }

    static bool is_builtin(std::string_view word) {
        return is_one_of(
            word, std::array<std::string_view, 12>{"int", "char", "float", "double", "long", "short",
                                                   "unsigned", "signed", "bool", "const", "void", "wchar_t"});
    }

    /// Takes down the names that have an extern declaration: they are not made static.
    void find_extern(std::size_t i) {
        if (scope_[i] == Scope::type ||
            source_.tokens[std::min(i + 1, source_.tokens.size() - 1)].kind == Kind::text)
            return;
        const auto [name, behind] = declarator(i + 1);
        if (name != none && source_.is_word(name)) extern_.insert(source_[name]);
    }

    // ----- qualifiers

    void translate_word(std::size_t i) {
        const std::string_view word = source_[i];
        if (word == global_mark) {
            replace(i, is_own(i) ? "" : options_.attribute);
        } else if (is_variable_mark(i)) {
            replace(i, qualifier(i));
        } else if (word == host_mark) {
            replace(i, "");
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
            if (word == "cudaLaunchKernel") uncast_kernel(i + 1);
            refuse_word(source_, i);
        }
    }

    /// cudaLaunchKernel((void*)kernel, ...) becomes cudaLaunchKernel(kernel, ...), which knows the
    /// parameters; so does that with another cast to a void pointer. `open`: the call's parenthesis.
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

    [[nodiscard]] bool is_variable_mark(std::size_t i) const {
        return source_.is(i, device_mark) || source_.is(i, variable_mark) || source_.is(i, constant_mark);
    }

    /// What __device__, __constant__ or __managed__ becomes.
    [[nodiscard]] std::string qualifier(std::size_t mark) const {
        if (is_own(mark)) return {};
        if (mark > 0 && (source_.is(mark - 1, "]") || source_.is(mark - 1, host_mark)) && is_lambda(mark))
            return {};
        const auto [name, behind] = declarator(mark + 1);
        if (name == none) return {};
        const bool is_function = source_.is(behind, "(") && !source_.is(behind + 1, "*");
        std::string text = is_function ? options_.attribute : std::string();
        if (source_.is(mark, constant_mark) && is_changeable(mark, behind))
            text = options_.constant_attribute;
        if (is_each_source_s(mark, name, behind)) text = text.empty() ? "static" : "static " + text;
        return text;
    }

    /// Whether a variable can be written: const ones have no place among those that can.
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

    /// Whether a variable or function has another meaning in each source, as CUDA has it without -rdc=true.
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

    // ----- launches

    [[nodiscard]] bool is_open_launch(std::size_t i) const {
        return source_.is(i, "<") && source_.is(i + 1, "<") && source_.is(i + 2, "<") && i > 0 &&
               !source_.is(i - 1, "operator") && !source_.is(i - 1, "<");
    }

    /// The last of the > that close the launch which opens at `open`; none if there are none.
    [[nodiscard]] std::size_t closing(std::size_t open) const {
        std::size_t first_found = none;
        std::size_t arguments = 0;  // template arguments that are open, or what looks like that
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

    /// A launch's callee: where it begins, its last name, and the template arguments that are written.
    struct Callee {
        std::size_t begin = none;
        std::size_t name = none;
        std::size_t template_arguments = 0;
    };

    [[nodiscard]] Callee callee_before(std::size_t open) const {
        Callee callee;
        std::size_t i = open;  // behind what is still to be read
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
                // What is called or indexed belongs to it; (*f) alone does not.
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

    /// Whether this ) ends the condition of an if, a while, ...
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

        if (is_one_function(callee)) {
            insert(callee.begin, "::cudabook::emulation::launched(");
            replace(open, ")(");
        } else {
            const Lambda lambda = lambda_for(arguments);
            const std::string name = on_one_line(callee.begin, open);
            // Which kernel has these parameters exactly: one name may be those of several.
            const std::string find = fmt::format(
                "[](auto of) {{ if constexpr (requires {{ static_cast<decltype(of)>({0}); }}) return "
                "static_cast<decltype(of)>({0}); else return nullptr; }}",
                name);
            insert(callee.begin,
                   fmt::format("::cudabook::emulation::launched_by(\"{}\", {}, [&]({}) {{ ",
                               source_[callee.name], lambda.moved ? "[](auto) { return nullptr; }" : find,
                               lambda.parameters));
            replace(open, fmt::format("({}); }})(", lambda.arguments));
        }
        replace(open + 1, "");
        replace(open + 2, "");
        replace(close - 2, ")");
        replace(close - 1, "");
        replace(close, "");
    }

    /// Whether the callee has one type, so that its address can be taken.
    [[nodiscard]] bool is_one_function(const Callee& callee) const {
        if (callee.name == none) return true;  // an expression: a pointer
        const auto found = kernels_.find(std::string(source_[callee.name]));
        if (found == kernels_.end()) return true;
        const Kernel& kernel = found->second;
        if (kernel.parameters.size() > 1 || kernel.has_defaults || kernel.has_namesake ||
            kernel.is_variable_template)
            return false;
        return !kernel.template_parameters || *kernel.template_parameters == callee.template_arguments;
    }

    [[nodiscard]] std::string on_one_line(std::size_t begin, std::size_t end) const {
        std::string text;
        for (std::size_t i = begin; i < end; ++i) text += fmt::format("{} ", source_[i]);
        text.pop_back();
        return text;
    }

    struct Lambda {
        std::string parameters;
        std::string arguments;
        bool moved = false;  ///< some arguments have moved into the call
    };

    /// What calls the kernel with the arguments in these parentheses. Those that mean something else as
    /// values of variables (NULL, {1, 2}) move into the call.
    Lambda lambda_for(std::size_t open) {
        const auto list = parts(open + 1, partner_[open]);
        const auto moves = [this](const auto& part) {
            const auto [begin, end] = part;
            if (source_.is(begin, "{")) return true;
            return end == begin + 1 && (source_.is(begin, "0") || source_.is(begin, "__null") ||
                                        source_.is(begin, "NULL") || source_.is(begin, "nullptr"));
        };
        if (std::ranges::none_of(list, moves)) return {"auto&... of", "of..."};
        Lambda lambda;
        lambda.moved = true;
        bool is_first_kept = true;
        for (std::size_t p = 0; p < list.size(); ++p) {
            const auto [begin, end] = list[p];
            const char* const comma = p == 0 ? "" : ", ";
            if (!moves(list[p])) {
                lambda.parameters += fmt::format("{}auto& of{}", is_first_kept ? "" : ", ", p);
                lambda.arguments += fmt::format("{}of{}", comma, p);
                if (is_first_kept && p > 0) replace(begin - 1, "");  // the comma
                is_first_kept = false;
                continue;
            }
            lambda.arguments += comma;
            for (std::size_t i = begin; i < end; ++i) {
                lambda.arguments += fmt::format("{} ", source_[i]);
                replace(i, "");
            }
            if (p > 0) replace(begin - 1, "");
        }
        return lambda;
    }

    // ----- edits

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
    std::map<std::string, Kernel> kernels_;
    std::set<std::string_view> extern_;
    std::map<std::size_t, Edit> edits_;
};

}  // namespace

std::string translate(std::string_view preprocessed, const Options& options) {
    return Translator(preprocessed, options).run();
}

}  // namespace cudabook::translator
