// Loads optional shared libraries at run time.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <memory>
#include <string>

namespace cudabook {

/// A shared library: the first of `names` that can be loaded. The destructor unloads the library.
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

    /// Why the last library that was tried could not be loaded.
    [[nodiscard]] const std::string& error() const { return error_; }

    /// The function or object of that name, or null. The caller is responsible for its type.
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
