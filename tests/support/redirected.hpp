// Redirects stdout or stderr for a while.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace cudabook::test {

/// During the object's lifetime, the stream writes to the file descriptor `to`. The destructor closes `to`.
class Redirected {
  public:
    Redirected(std::FILE* stream, int to) : stream_(stream), to_(to) {
        if (to < 0) throw std::runtime_error("cannot open the target of a redirection");
        std::fflush(stream);
        old_ = dup(fileno(stream));
        dup2(to, fileno(stream));
    }
    ~Redirected() {
        std::fflush(stream_);
        std::clearerr(stream_);
        dup2(old_, fileno(stream_));
        close(old_);
        close(to_);
    }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

  private:
    std::FILE* stream_;
    int to_;
    int old_ = -1;
};

}  // namespace cudabook::test
