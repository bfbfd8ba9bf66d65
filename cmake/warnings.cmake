# The target `strict`: warnings are errors, and no floating-point operation is contracted, reordered or flushed,
# so that the CPU and every kernel give the same bits.

add_library(strict INTERFACE)
target_compile_options(strict INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Werror -ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Wshadow,-Werror,-ffp-contract=off>)
