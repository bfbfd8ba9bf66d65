# What the suite takes from the package manager. GLFW and GLEW are optional: without them there is no window.

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

set(CUDABOOK_HAS_WINDOW OFF)
find_package(glfw3 3.3 QUIET)
find_package(GLEW QUIET)
find_package(OpenGL QUIET COMPONENTS OpenGL)
if(TARGET glfw AND TARGET GLEW::GLEW AND TARGET OpenGL::GL)
  set(CUDABOOK_HAS_WINDOW ON)
else()
  message(STATUS "Left out: the window, because GLFW 3.3, GLEW or OpenGL is missing")
endif()
