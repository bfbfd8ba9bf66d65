# Runs at each build and writes the version and the commit to the file `to`, which changes only if they have changed.
execute_process(COMMAND git describe --always --dirty --exclude=* WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/..
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(text "${version}")
if(commit)
  set(text "${version} (${commit})")
endif()
file(CONFIGURE OUTPUT ${to} @ONLY CONTENT [=[
#include "common/program/version.hpp"

const char* const cudabook::version = "@version@";
const char* const cudabook::commit = "@commit@";
const char* const cudabook::version_and_commit = "@text@";
]=])
