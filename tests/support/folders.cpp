#include "tests/support/folders.hpp"

namespace cudabook::test {

const char* const program_folder = CUDABOOK_PROGRAM_FOLDER;
const char* const source_folder = CUDABOOK_SOURCE_FOLDER;

}  // namespace cudabook::test
