#!/usr/bin/env bash
# gdb stops in a kernel on the emulated GPU in a given block and thread, by the kernel's name and by a line, as
# docs/emulation.md says.
# usage: test_debugger.sh HEAT_NOTEXTURE, the program with the emulated GPU in it
set -euo pipefail
if ! command -v gdb >/dev/null; then
  echo "Skipped: gdb is not installed"
  exit
fi
said=$(gdb -nx -batch -ex run --args /bin/true 2>&1) || true
if [[ $said != *"exited normally"* ]]; then
  echo "Skipped: gdb may not run a program here: $said"
  exit
fi

# expect WORDS BREAKPOINT COMMAND...: stops at BREAKPOINT in block (3, 1), thread (5, 2), runs the commands in gdb, and
# expects WORDS in its output. Before a value that is known only from the begin of the function, gdb writes `width@entry=`.
expect() {
  local words=$1 place=$2 command
  shift 2
  local arguments=(-ex "break $place if blockIdx.x == 3 && blockIdx.y == 1 && threadIdx.x == 5 && threadIdx.y == 2" -ex run)
  for command in "$@" 'print blockIdx' 'print threadIdx' kill; do
    arguments+=(-ex "$command")
  done
  said=$(gdb -nx -batch -ex 'set pagination off' -ex 'set width 0' "${arguments[@]}" \
    --args "$program" --device emulated --headless --frames 1 --width 64 --height 64 --kernel book 2>&1 | sed 's/[a-z]*@entry=//g')
  for word in "$words" 'blend_kernel (out=' '{x = 3, y = 1, z = 0}' '{x = 5, y = 2, z = 0}'; do
    if [[ $said != *"$word"* ]]; then
      printf 'FAILED: %s: no "%s" in what gdb says:\n%s\n' "$place" "$word" "$said"
      exit 1
    fi
  done
}

program=$1
line=$(grep -n 'if (x >= width) return;' "$(dirname "$0")/../../heat_notexture/kernels/2_blend.cuh" | cut -d: -f1)
expect 'width=64, height=64' blend_kernel backtrace
expect '= 53' "2_blend.cuh:$line" 'print x'
expect "$line	    if (x >= width) return;" "2_blend.cuh:$line"
echo "passed"
