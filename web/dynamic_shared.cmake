# Writes the source `to`, which defines the arrays that the objects declare as `extern __shared__`: all are names of
# one array, as large as the most dynamic shared memory of a GPU.
set(names "")
foreach(object IN LISTS objects)
  execute_process(COMMAND ${nm} --undefined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "_Z[A-Za-z0-9_]*B15cudabook_shared[A-Za-z0-9_]*" found "${symbols}")
  list(APPEND names ${found})
endforeach()
list(FILTER names EXCLUDE REGEX "^_ZT")  # functions that initialise thread_local variables
list(REMOVE_DUPLICATES names)
set(text "#include \"emulator/objects/shared_memory_source.hpp\"\n")
string(APPEND text "extern \"C\" {\nalignas(1024) __attribute__((section(\"cudabook_shared\"))) unsigned char cudabook_dynamic_shared[cudabook::emulation::dynamic_array_bytes];\n")
foreach(name IN LISTS names)
  string(APPEND text "extern unsigned char ${name}[sizeof cudabook_dynamic_shared] __attribute__((alias(\"cudabook_dynamic_shared\")));\n")
endforeach()
file(WRITE ${to} "${text}}\n")
