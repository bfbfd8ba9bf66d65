# add_sample(NAME): the sample in this folder. Its *.cpp but main.cpp and, with CUDA, its *.cu, also those of its folders, become the library
# NAME_sample, which the tests link too; main.cpp becomes the program NAME.
function(add_sample name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp */*.cpp)
  list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  if(CUDABOOK_HAS_CUDA)
    file(GLOB gpu_sources CONFIGURE_DEPENDS *.cu */*.cu)
    list(APPEND sources ${gpu_sources})
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
  if(CUDABOOK_HAS_WINDOW)
    add_dependencies(${name} cudabook_window)  # which it loads
  endif()
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
