// page.html as a string. emulator/counting/CMakeLists.txt generates its definition.
#pragma once

namespace cudabook::emulation {

/// Contains "@TRACE@" where the JSON belongs.
extern const char* const page_template;

}  // namespace cudabook::emulation
