# If ccache is installed, every compiler runs through it. ccache also finds results of another checkout in another
# folder: paths below this folder are made relative, also in __FILE__, and the folder in which a compiler is started is
# ignored.

add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)

find_program(CUDABOOK_CCACHE ccache DOC "Compiler cache; empty: none")
mark_as_advanced(CUDABOOK_CCACHE)
if(CUDABOOK_CCACHE)
  set(ccache ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${CUDABOOK_CCACHE})
  foreach(language CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${ccache})
    endif()
  endforeach()
  message(STATUS "Compiling through ${CUDABOOK_CCACHE}")
endif()
