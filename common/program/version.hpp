// The version and commit of this cudabook.
#pragma once

namespace cudabook {

/// The version, such as "0.2.0".
extern const char* const version;

/// The commit that this cudabook was built from, followed by "-dirty" if files had changed since; empty
/// outside a checkout.
extern const char* const commit;

/// Version and commit, as --version prints them.
extern const char* const version_and_commit;

}  // namespace cudabook
