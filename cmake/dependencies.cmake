# What the suite takes from the package manager. GLFW, GLEW and OpenGL are optional: without them there is no window. So is
# Dear ImGui, with its part for OpenGL 3: without it the window has no panel. And so is
# Boost.Context: without it there is no emulated GPU.

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

set(CUDABOOK_HAS_WINDOW OFF)
find_package(glfw3 3.3 QUIET)
find_package(GLEW QUIET)
set(OpenGL_GL_PREFERENCE LEGACY)
find_package(OpenGL QUIET)
if(TARGET glfw AND TARGET GLEW::GLEW AND TARGET OpenGL::GL)
  set(CUDABOOK_HAS_WINDOW ON)
else()
  message(STATUS "Left out: the window, because GLFW, GLEW or OpenGL is missing")
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

set(CUDABOOK_HAS_MPI OFF)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(CUDABOOK_HAS_MPI ON)
else()
  message(STATUS "Left out: several processes for heat, because MPI is missing")
endif()

set(CUDABOOK_HAS_EMULATION OFF)
find_package(Boost QUIET CONFIG COMPONENTS context)
if(TARGET Boost::context)
  set(CUDABOOK_HAS_EMULATION ON)
else()
  message(STATUS "Left out: the emulated GPU, because Boost.Context is missing")
endif()

# What counts is called by code that is compiled for ThreadSanitizer, and by GCC alone such code has the loads that nvcc's has.
set(CUDABOOK_HAS_COUNTERS OFF)
if(CUDABOOK_HAS_EMULATION)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(STATUS "Left out: --counters, because the compiler is not g++")
  elseif(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND NOT CUDABOOK_KERNEL_SANITIZER)
    set(CUDABOOK_HAS_COUNTERS ON)
  endif()
endif()
