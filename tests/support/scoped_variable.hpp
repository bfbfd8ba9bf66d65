// An environment variable for a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace cudabook::test {

/// Sets an environment variable, or unsets it if `value` is null. The destructor restores the old value.
class ScopedVariable {
  public:
    ScopedVariable(std::string name, const char* value) : name_{std::move(name)} {
        if (const char* old = std::getenv(name_.c_str())) old_ = old;
        set(value);
    }
    ~ScopedVariable() { set(old_ ? old_->c_str() : nullptr); }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

  private:
    void set(const char* value) {
        if (value) {
            setenv(name_.c_str(), value, 1);
        } else {
            unsetenv(name_.c_str());
        }
    }

    std::string name_;
    std::optional<std::string> old_;
};

}  // namespace cudabook::test
