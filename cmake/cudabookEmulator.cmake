# The package's component emulator.

# cudabook_add_emulated_executable(NAME SOURCE... [OPTIONS OPTION...]): the target NAME, a program of these CUDA sources for the emulated GPU,
# compiled by cudabook-nvcc --emulate, in bin/ of the build folder. OPTIONS are nvcc's.
function(cudabook_add_emulated_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 emulated "" "" OPTIONS)
  set(compile ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER} ${CUDABOOK_NVCC} --emulate)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/bin/${name})  # not beside the target's own name
  set(objects "")
  foreach(source IN LISTS emulated_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    string(MAKE_C_IDENTIFIER ${file} object)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${object}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${name}.dir
      COMMAND ${compile} ${emulated_OPTIONS} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMENT "Compiling ${file} for the emulated GPU")
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory bin
    COMMAND ${compile} ${emulated_OPTIONS} ${objects} -o ${program}
    DEPENDS ${objects} VERBATIM COMMENT "Linking ${name} for the emulated GPU")
  add_custom_target(${name} ALL DEPENDS ${program})
endfunction()
