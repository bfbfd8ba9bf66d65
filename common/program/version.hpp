// Which cudabook this is.
#pragma once

namespace cudabook {

extern const char* const version;  ///< such as "0.2.0"
extern const char* const commit;   ///< that it was built from, with "-dirty" behind it if files had changed
                                  ///< since; empty outside a checkout
extern const char* const version_and_commit;  ///< as --version says them

}  // namespace cudabook
