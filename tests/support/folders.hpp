// The folders of this build's programs and of the sources. The paths are compiled only into folders.cpp. So a
// compiler cache can reuse the other object files of the tests in another checkout.
#pragma once

namespace cudabook::test {

extern const char* const program_folder;  ///< the folder of heat and the other programs
extern const char* const source_folder;   ///< the folder of the repository

}  // namespace cudabook::test
