// The folders of this build's programs and of the sources. Only folders.cpp is compiled with the paths, so
// that a compiler cache finds the other tests in a checkout elsewhere.
#pragma once

namespace cudabook::test {

extern const char* const program_folder;  ///< the folder of heat and the other programs
extern const char* const source_folder;   ///< the folder of the repository

}  // namespace cudabook::test
