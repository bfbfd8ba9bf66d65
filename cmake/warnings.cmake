# The target `strict`: the suite's own code is compiled with warnings. CMAKE_COMPILE_WARNING_AS_ERROR, which the presets of
# developers and CI set, makes them errors; CMake's own part of it does not reach nvcc's host compiler.

set(errors $<BOOL:${CMAKE_COMPILE_WARNING_AS_ERROR}>)
add_library(strict INTERFACE)
target_compile_options(strict INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow$<${errors}:,-Werror>>)
