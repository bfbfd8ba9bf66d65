// page.html as a string. emulator/counting/CMakeLists.txt generates its definition.
#pragma once

namespace cudabook::emulation {

/// Contains "@TRACE@" in the place of the trace's JSON.
extern const char* const page_template;

}  // namespace cudabook::emulation
