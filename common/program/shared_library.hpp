// Libraries that are used where they are there, and not needed to build or to start.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <memory>
#include <string>

namespace cudabook {

/// The first of some shared libraries that can be loaded, as long as this lives.
class SharedLibrary {
  public:
    SharedLibrary(std::initializer_list<const char*> names) {
        for (const char* name : names) {
            if (handle_) break;
            handle_.reset(dlopen(name, RTLD_NOW | RTLD_LOCAL));
            if (!handle_) error_ = dlerror();
        }
    }

    [[nodiscard]] bool loaded() const { return handle_ != nullptr; }

    /// Why the last one that was asked for could not be loaded.
    [[nodiscard]] const std::string& error() const { return error_; }

    /// The function or the object of that name, whose type the caller vouches for; null if it is not there.
    template <class Function>
    [[nodiscard]] Function* function(const std::string& name) const {
        if (!loaded()) return nullptr;
        return reinterpret_cast<Function*>(dlsym(handle_.get(), name.c_str()));
    }

  private:
    struct Close {
        void operator()(void* handle) const { dlclose(handle); }
    };
    std::unique_ptr<void, Close> handle_;
    std::string error_;
};

}  // namespace cudabook
