# add_sample(NAME): the sample in this folder. Its gpu.cu and, where it has one, cpu.cpp become the library NAME_sample,
# which the tests link too; main.cpp becomes the program NAME.
function(add_sample name)
  set(sources)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/cpu.cpp)
    list(APPEND sources cpu.cpp)
  endif()
  if(CUDABOOK_HAS_CUDA)
    list(APPEND sources gpu.cu)
  endif()

  if(sources)
    add_library(${name}_sample STATIC ${sources})
    target_link_libraries(${name}_sample PUBLIC cudabook_common PRIVATE strict)
  else()
    add_library(${name}_sample INTERFACE)
    target_link_libraries(${name}_sample INTERFACE cudabook_common)
  endif()

  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE ${name}_sample strict)
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
