// page.html, which emulator/counting/CMakeLists.txt makes a string of.
#pragma once

namespace cudabook::emulation {

/// Has "@TRACE@" where the JSON belongs.
extern const char* const page_template;

}  // namespace cudabook::emulation
