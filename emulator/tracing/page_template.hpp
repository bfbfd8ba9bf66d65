// page.html as a string, which emulator/counting/CMakeLists.txt makes.
#pragma once

namespace cudabook::emulation {

/// Contains "@TRACE@" where the JSON belongs.
extern const char* const page_template;

}  // namespace cudabook::emulation
