# The target `strict`: the suite's own code is compiled with warnings. CMAKE_COMPILE_WARNING_AS_ERROR, which the presets
# of developers and CI set, makes them errors; CMake itself does not pass this on to nvcc's host compiler.
# In a unity build, GCC takes the anonymous namespaces of the files for one namespace that several files share: local
# names shadow the names in it, and no class may have members of its types. Before a release, each file is compiled
# alone.

set(errors $<BOOL:${CMAKE_COMPILE_WARNING_AS_ERROR}>)
set(of_each_file -Wshadow)
if(CMAKE_UNITY_BUILD)
  set(of_each_file $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
add_library(strict INTERFACE)
target_compile_options(strict INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;${of_each_file}>"
  # GCC 11 warns that it ignores each [[maybe_unused]] member, which clang++ asks for.
  "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,12>>:-Wno-attributes>"
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow$<${errors}:,-Werror>>)
