# The packages that the suite takes from the package manager. Optional are: GLFW, GLEW and OpenGL (without them there is
# no window); Dear ImGui, with its part for OpenGL 3 (without it the window has no panel); Boost.Context (without it
# there is no emulated GPU); stb_truetype (without it charts have only capitals); MPI (without it heat runs in one
# process).

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)

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

find_path(STB_INCLUDE_DIR stb_truetype.h PATH_SUFFIXES stb)
mark_as_advanced(STB_INCLUDE_DIR)
set(CUDABOOK_HAS_STB OFF)
if(STB_INCLUDE_DIR)
  set(CUDABOOK_HAS_STB ON)
else()
  message(STATUS "Left out: small letters on charts, because stb_truetype.h is missing")
endif()

set(CUDABOOK_HAS_MPI OFF)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  set(CUDABOOK_HAS_MPI ON)
else()
  message(STATUS "Left out: several processes for heat, because MPI is missing")
endif()

set(CUDABOOK_HAS_EMULATION OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  find_package(Boost QUIET CONFIG COMPONENTS context)
  if(TARGET Boost::context)
    set(CUDABOOK_HAS_EMULATION ON)
  else()
    message(STATUS "Left out: the emulated GPU, because Boost.Context is missing")
  endif()
else()
  message(STATUS "Left out: the emulated GPU, because it needs Linux")
endif()

# Code that is compiled for ThreadSanitizer calls the code that counts. Only GCC gives such code the same loads as
# nvcc's code has.
set(CUDABOOK_HAS_COUNTERS OFF)
if(CUDABOOK_HAS_EMULATION)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(STATUS "Left out: --counters, because the compiler is not g++")
  elseif(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND NOT CUDABOOK_KERNEL_SANITIZER)
    set(CUDABOOK_HAS_COUNTERS ON)
  endif()
endif()
