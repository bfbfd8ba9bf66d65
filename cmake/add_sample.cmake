# add_sample(NAME): the room in this folder. Its gpu.cu and, where it has one, cpu.cpp become the library NAME_room,
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
    add_library(${name}_room STATIC ${sources})
    target_link_libraries(${name}_room PUBLIC cudabook_common PRIVATE strict)
  else()
    add_library(${name}_room INTERFACE)
    target_link_libraries(${name}_room INTERFACE cudabook_common)
  endif()

  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE ${name}_room strict)
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
