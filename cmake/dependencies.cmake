# What the suite takes from the package manager. GLFW and OpenGL are optional: without their headers there is no
# window. So is Dear ImGui, with its part for OpenGL 3: without it the window has no panel.

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

# The headers are enough: common/window/opengl.hpp loads the libraries when a window opens.
set(CUDABOOK_HAS_WINDOW OFF)
find_path(GLFW_INCLUDE_DIR GLFW/glfw3.h)
find_path(GL_INCLUDE_DIR GL/glext.h)
mark_as_advanced(GLFW_INCLUDE_DIR GL_INCLUDE_DIR)
if(GLFW_INCLUDE_DIR AND GL_INCLUDE_DIR)
  set(CUDABOOK_HAS_WINDOW ON)
  set(CUDABOOK_WINDOW_INCLUDES ${GLFW_INCLUDE_DIR} ${GL_INCLUDE_DIR})
  list(REMOVE_ITEM CUDABOOK_WINDOW_INCLUDES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
else()
  message(STATUS "Left out: the window, because the headers of GLFW or OpenGL are missing")
endif()

set(CUDABOOK_HAS_PANEL OFF)
if(CUDABOOK_HAS_WINDOW)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(imgui QUIET IMPORTED_TARGET imgui)
  endif()
  if(TARGET PkgConfig::imgui)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES PkgConfig::imgui ${CMAKE_DL_LIBS})
    check_cxx_source_compiles("
      #include <imgui.h>
      #include <backends/imgui_impl_opengl3.h>
      int main() { return ImGui_ImplOpenGL3_Init(nullptr); }" CUDABOOK_IMGUI_LINKS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    set(CUDABOOK_HAS_PANEL ${CUDABOOK_IMGUI_LINKS})
  endif()
  if(NOT CUDABOOK_HAS_PANEL)
    message(STATUS "Left out: the panel on the window, because Dear ImGui is missing")
  endif()
endif()
