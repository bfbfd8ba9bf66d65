# page_template(VARIABLE): sets the variable to a source that has the page of --trace (emulator/tracing/page.html) as a
# string.
function(page_template variable)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/page_template.cpp)
  set(page ${PROJECT_SOURCE_DIR}/emulator/tracing/page.html)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} html)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [=[
#include "emulator/tracing/page_template.hpp"
const char* const cudabook::emulation::page_template = R"page(@html@)page";
]=])
  set(${variable} ${source} PARENT_SCOPE)
endfunction()
