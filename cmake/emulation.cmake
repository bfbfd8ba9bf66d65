set(CUDABOOK_KERNEL_SANITIZER "" CACHE STRING
  "Sanitizer for the kernels on the emulated GPU: thread (each CUDA thread is one to it), address (with that for undefined behaviour) or none")
option(CUDABOOK_MUTANTS "Broken kernels, which the sanitizer of this build must find (tests/emulator/mutants/)" OFF)
mark_as_advanced(CUDABOOK_KERNEL_SANITIZER CUDABOOK_MUTANTS)

# kernel_sanitizer(SANITIZER VARIABLE): sets VARIABLE to the options of device code for this sanitizer.
function(kernel_sanitizer sanitizer variable)
  if(sanitizer STREQUAL thread)
    set(options -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1)
  elseif(sanitizer STREQUAL address)
    set(options -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
  elseif(sanitizer)
    message(FATAL_ERROR "CUDABOOK_KERNEL_SANITIZER is ${sanitizer}, and not thread or address")
  endif()
  set(${variable} ${options} PARENT_SCOPE)
endfunction()
kernel_sanitizer("${CUDABOOK_KERNEL_SANITIZER}" kernel_sanitizer)
if(kernel_sanitizer)
  list(PREPEND kernel_sanitizer -O2 -g1)
endif()

# The options of device code that counts. Each access is a call of emulator/counting/. A load of 16 bytes must be one
# access, as for a GPU, so no structure is taken apart: not by scalar replacement, nor by value numbering, which finds a
# member's value in the memory that the member was copied from. Functions are inlined, because a request is identified
# by its place in the code, and two calls of a function would be one place. Inlining ends when the caller is five times
# its original size: without a limit, a kernel of many steps takes a minute. No load is sunk: GCC 14 would move a load
# to the place where its value is used, past a condition that some threads do not meet. Each basic block is a call too,
# so that the path of a thread to a place is known. Races are not looked for, so ThreadSanitizer need not know about
# fences. A GPU has no errno, so a root is one instruction for --predict. -g1 gives the lines for --trace.
set(counted_options -g1 -DCUDABOOK_COUNTED -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -fsanitize-coverage=trace-pc
  -Wno-tsan -O1 -fno-math-errno -fno-tree-sra -fno-ipa-sra -fno-tree-fre -fno-tree-pre -fno-tree-sink
  -finline-functions -finline-small-functions --param=max-inline-insns-single=20000 --param=max-inline-insns-auto=20000
  --param=large-function-growth=400 --param=inline-unit-growth=1000 --param=large-stack-frame-growth=100000)

# kernel_processor(VARIABLE): sets VARIABLE to the processor that emulated kernels are compiled for: x86-64-v3 if this
# machine has its instructions. Kernels call fmaf() a lot, which is one instruction there, and a call of the C library
# elsewhere; the bits are the same. Such a program needs a machine that has them too.
function(kernel_processor variable)
  set(processor "")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND EXISTS /proc/cpuinfo AND NOT CMAKE_CROSSCOMPILING)
    set(processor x86-64-v3)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    foreach(flag avx2 bmi1 bmi2 f16c fma abm movbe)
      if(NOT "${flags} " MATCHES " ${flag} ")
        set(processor "")
      endif()
    endforeach()
  endif()
  set(${variable} "${processor}" PARENT_SCOPE)
endfunction()
kernel_processor(processor_of_kernels)
set(CUDABOOK_KERNEL_PROCESSOR "${processor_of_kernels}" CACHE STRING
  "The processor that emulated kernels are compiled for, as g++'s -march; empty: the compiler's own choice")
mark_as_advanced(CUDABOOK_KERNEL_PROCESSOR)

# add_emulated(NAME [COUNTED] FILE...): the CUDA files (*.cu), compiled for the emulated GPU by the host's compiler.
# Targets that link NAME get them. COUNTED: the memory accesses of their kernels are counted.
function(add_emulated name)
  cmake_parse_arguments(PARSE_ARGV 1 emulated "COUNTED" "" "")
  set(sources "")
  foreach(file IN LISTS emulated_UNPARSED_ARGUMENTS)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}/${path}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${path}\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()

  # The tool of emulator/objects/ reads the objects. So each function is in a section of its own, and the objects have
  # machine code even if CXXFLAGS ask for link-time optimisation. -ffp-contract=off: a kernel fuses what its source fuses.
  add_library(${name}_objects OBJECT ${sources})
  target_link_libraries(${name}_objects PUBLIC cudabook_emulation)
  # For the host's compiler, shared memory is thread_local. -fno-extern-tls-init: no such variable has an initialiser
  # that must run before each use. local-exec: the variable's address is a constant that the linker fills in. (The model
  # initial-exec adds an offset with an instruction. GCC 12 may use the flags of this instruction, but the linker
  # replaces it by an instruction that sets no flags.) -fno-section-anchors: code for ARM64 refers to each variable by its
  # name, which the tool looks for. -Wno-maybe-uninitialized: GCC 14 warns about the value of an empty std::optional.
  target_compile_options(${name}_objects PRIVATE -g -ffunction-sections -fno-lto -ftls-model=local-exec -ffp-contract=off -Wall -Wextra -Wno-unknown-pragmas
    ${kernel_sanitizer}
    $<$<CXX_COMPILER_ID:GNU>:-fno-extern-tls-init;-fno-section-anchors;-Wno-restrict;-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-undefined-internal;-Wno-pass-failed>)

  # With a sanitizer, GCC gives warnings that it does not give without it, and warnings about the mutants.
  if(kernel_sanitizer)
    set_target_properties(${name}_objects PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  endif()
  if(emulated_COUNTED)
    # The source files that --trace shows have the same names wherever the project's folder is.
    target_compile_options(${name}_objects PRIVATE ${counted_options} -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=/cudabook)
  elseif(CUDABOOK_KERNEL_PROCESSOR AND NOT kernel_sanitizer AND NOT CMAKE_CXX_FLAGS MATCHES "-march=")
    target_compile_options(${name}_objects PRIVATE -march=${CUDABOOK_KERNEL_PROCESSOR})
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
