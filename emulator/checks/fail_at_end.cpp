#include "emulator/checks/fail_at_end.hpp"

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

#include "common/window/window_library.hpp"

namespace cudabook::emulation {

void fail_at_end_if_checked() {
    if (&cudabook_linked_with != nullptr) fail_at_end();
}

}  // namespace cudabook::emulation

#endif
