# compile_quickly(FILE...): files that hold a command line. CLI11, which they include, takes twice as long with optimisation, and four
# times with sanitizers too.
function(compile_quickly)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "$<IF:$<CONFIG:Release>,-O1,-O0>")
endfunction()

# add_sample(NAME [USES SAMPLE...]): the sample in this folder, and the samples whose kernels its program shows too.
#   NAME_sample    its *.cpp but main.cpp, also those of its folders; the tests link it too
#   NAME_gpu       its *.cu, also those of its folders, compiled by nvcc
#   NAME_emulated  the same, compiled for the emulated GPU
#   NAME           the program: with CUDA for real GPUs, else for the emulated one
#   NAME_on_emulated_gpu  with CUDA, the program once more, for the emulated GPU; NAME turns into it where that is asked for
#   NAME_counted, NAME_that_counts  the same for the emulated GPU that counts: what --counters runs. The target counters builds them;
#                  NAME alone does not.
function(add_sample name)
  cmake_parse_arguments(PARSE_ARGV 1 sample "" "" "USES")
  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  file(GLOB gpu_sources CONFIGURE_DEPENDS *.cu */*.cu)

  if(sources)
    add_library(${name}_sample STATIC ${sources})
    compile_quickly(program.cpp)
    target_link_libraries(${name}_sample PUBLIC cudabook_common PRIVATE strict)
  else()
    add_library(${name}_sample INTERFACE)
    target_link_libraries(${name}_sample INTERFACE cudabook_common)
  endif()
  if(CUDABOOK_HAS_CUDA)
    add_library(${name}_gpu STATIC ${gpu_sources})
    target_link_libraries(${name}_gpu PUBLIC ${name}_sample PRIVATE strict)
  endif()
  if(CUDABOOK_HAS_EMULATION)
    add_emulated(${name}_emulated ${gpu_sources})
  endif()
  if(CUDABOOK_HAS_COUNTERS)
    add_emulated(${name}_counted COUNTED ${gpu_sources})
  endif()

  set(programs ${name})
  set(gpu_of_${name} emulated)
  if(CUDABOOK_HAS_CUDA)
    set(gpu_of_${name} gpu)
    if(CUDABOOK_HAS_EMULATION)
      list(APPEND programs ${name}_on_emulated_gpu)
      set(gpu_of_${name}_on_emulated_gpu emulated)
    endif()
  endif()
  if(CUDABOOK_HAS_COUNTERS)
    list(APPEND programs ${name}_that_counts)
    set(gpu_of_${name}_that_counts counted)
  endif()
  foreach(program IN LISTS programs)
    add_executable(${program} main.cpp)
    foreach(part IN LISTS name sample_USES)
      if(TARGET ${part}_${gpu_of_${program}})
        target_link_libraries(${program} PRIVATE ${part}_${gpu_of_${program}})
      endif()
      target_link_libraries(${program} PRIVATE ${part}_sample)
    endforeach()
    target_link_libraries(${program} PRIVATE strict)
    if(CUDABOOK_HAS_WINDOW)
      add_dependencies(${program} cudabook_window)  # which it loads
    endif()
  endforeach()
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET ${name}_on_emulated_gpu)
    add_dependencies(${name} ${name}_on_emulated_gpu)  # which it runs
  endif()
  if(TARGET ${name}_that_counts)
    add_dependencies(counters ${name}_that_counts)
  endif()
  foreach(other_and_folder ${name}_on_emulated_gpu:emulated ${name}_that_counts:counted)
    string(REPLACE ":" ";" other_and_folder ${other_and_folder})
    list(GET other_and_folder 0 other)
    list(GET other_and_folder 1 folder)
    if(TARGET ${other})
      set_target_properties(${other} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/cudabook/${folder})
      install(TARGETS ${other} DESTINATION lib/cudabook/${folder})
    endif()
  endforeach()
endfunction()
