set(CUDABOOK_KERNEL_SANITIZER "" CACHE STRING
  "Sanitizer for the kernels on the emulated GPU: thread (each CUDA thread is one to it), address (with that for undefined behaviour) or none")
option(CUDABOOK_MUTANTS "Broken kernels, which the sanitizer of this build must find (tests/emulator/mutants/)" OFF)
mark_as_advanced(CUDABOOK_KERNEL_SANITIZER CUDABOOK_MUTANTS)

# kernel_sanitizer(SANITIZER VARIABLE): the options of device code for it.
function(kernel_sanitizer sanitizer variable)
  if(sanitizer STREQUAL thread)
    set(options -fsanitize=thread --param=tsan-instrument-func-entry-exit=0)
  elseif(sanitizer STREQUAL address)
    set(options -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  elseif(sanitizer)
    message(FATAL_ERROR "CUDABOOK_KERNEL_SANITIZER is ${sanitizer}, and not thread or address")
  endif()
  set(${variable} ${options} PARENT_SCOPE)
endfunction()
kernel_sanitizer("${CUDABOOK_KERNEL_SANITIZER}" kernel_sanitizer)
if(kernel_sanitizer)
  list(PREPEND kernel_sanitizer -O2 -g1)
endif()

# Device code that counts. Each access is a call of emulator/counting/. So that a load of 16 bytes is one access, as for a GPU,
# no structure is taken apart: not by scalar replacement, nor by value numbering, which finds a member's value in the memory that it
# came from. Functions are inlined, because requests are told apart by their place in the code, and two calls of a function would be
# one place. Inlining ends where the caller is five times as large as it was: without a limit a kernel of many steps takes a minute.
# Nothing is sunk: GCC 14 would move loads to where their values are used, past a condition that some threads do not meet.
# Each basic block is a call too, so that the way by which a thread came to a place is known.
# Races are not looked for, so fences need not be known to ThreadSanitizer. -g1: the lines, for --trace.
set(counted_options -g1 -DCUDABOOK_COUNTED -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -fsanitize-coverage=trace-pc
  -Wno-tsan -O1 -fno-tree-sra -fno-ipa-sra -fno-tree-fre -fno-tree-pre -fno-tree-sink
  -finline-functions -finline-small-functions --param=max-inline-insns-single=20000 --param=max-inline-insns-auto=20000
  --param=large-function-growth=400 --param=inline-unit-growth=1000 --param=large-stack-frame-growth=100000)

# add_emulated(NAME [COUNTED] FILE...): the CUDA files (*.cu), compiled for the emulated GPU by the host's compiler. What links NAME
# gets them. COUNTED: what their kernels ask of memory is counted.
function(add_emulated name)
  cmake_parse_arguments(PARSE_ARGV 1 emulated "COUNTED" "" "")
  set(sources "")
  foreach(file IN LISTS emulated_UNPARSED_ARGUMENTS)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}/${path}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${path}\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()

  # The tool of emulator/objects/ reads the objects: each function is in a section of its own, and there is machine code in them
  # even where CXXFLAGS ask for link-time optimisation.
  add_library(${name}_objects OBJECT ${sources})
  target_link_libraries(${name}_objects PUBLIC cudabook_emulation)
  # Shared memory is thread_local to the host's compiler. -fno-extern-tls-init: no such variable has an initialiser that would have to run
  # before each use. local-exec: its address is a constant that the linker fills in. The model initial-exec adds an offset with an
  # instruction whose flags GCC 12 may use, and which the linker replaces by one that sets none. -Wno-maybe-uninitialized: GCC 14 warns of
  # the value of a std::optional that is empty.
  target_compile_options(${name}_objects PRIVATE -g -ffunction-sections -fno-lto -ftls-model=local-exec -Wall -Wextra -Wno-unknown-pragmas
    ${kernel_sanitizer}
    $<$<CXX_COMPILER_ID:GNU>:-fno-extern-tls-init;-Wno-restrict;-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-undefined-internal;-Wno-pass-failed>)

  # With a sanitizer GCC warns of what it does not without, and of the mutants.
  if(kernel_sanitizer)
    set_target_properties(${name}_objects PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  endif()
  if(emulated_COUNTED)
    # The lines that --trace shows have the same names wherever the project's folder is.
    target_compile_options(${name}_objects PRIVATE ${counted_options} -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=/cudabook)
  endif()

  set(shared_memory ${CMAKE_CURRENT_BINARY_DIR}/${name}/shared_memory.cpp)
  add_custom_command(OUTPUT ${shared_memory}
    COMMAND cudabook_shared_memory $<TARGET_OBJECTS:${name}_objects> > ${shared_memory}
    DEPENDS ${name}_objects $<TARGET_OBJECTS:${name}_objects> cudabook_shared_memory
    COMMENT "Finding the shared memory of ${name}" COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name}_shared_memory OBJECT ${shared_memory})
  target_link_libraries(${name}_shared_memory PRIVATE cudabook_emulation)

  # Kernels are compiled one file at a time, as nvcc does.
  set_target_properties(${name}_objects ${name}_shared_memory PROPERTIES UNITY_BUILD OFF)

  add_library(${name} INTERFACE)
  target_sources(${name} INTERFACE $<TARGET_OBJECTS:${name}_objects> $<TARGET_OBJECTS:${name}_shared_memory>)
  target_link_libraries(${name} INTERFACE cudabook_emulation)
  if(emulated_COUNTED)
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:cudabook_counting>)
  endif()
endfunction()
