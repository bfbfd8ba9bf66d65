// Which cudabook this is.
#pragma once

namespace cudabook {

/// Such as "0.2.0".
extern const char* const version;

/// The commit that it was built from, with "-dirty" behind it if files had changed since; empty outside a
/// checkout.
extern const char* const commit;

/// Both, as --version says them.
extern const char* const version_and_commit;

}  // namespace cudabook
