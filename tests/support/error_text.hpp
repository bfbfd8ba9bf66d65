// The message of an exception.
#pragma once

#include <string>

namespace cudabook::test {

/// Returns the message of the `Error` that `work` throws, or "no error" if it throws none.
template <class Error, class Work>
std::string error_text(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// Returns whether the text is not empty and has no line break.
inline bool is_one_line(const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos;
}

}  // namespace cudabook::test
