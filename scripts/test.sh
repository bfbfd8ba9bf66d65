#!/usr/bin/env bash
# Sets up, builds and runs every check. The last lines say what ran, what did not, and why. Exit status 1: a check failed.
# Where the environment says CI a warning of the compiler is an error, as with the preset dev.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# != 0 ]; then
  echo "test.sh: $1: it takes no options" >&2
  exit 2
fi
# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh test
if [ "$preset" = default ] && [ -n "${CI:-}" ]; then preset=dev; fi

ran=() not_run=() failed=()
check() { # check NAME COMMAND...
  echo "== $1"
  if "${@:2}"; then ran+=("$1"); else failed+=("$1"); fi
}
check_with() { # check_with TOOL NAME COMMAND...
  if has "$1"; then check "${@:2}"; else not_run+=("$2 ($1 is missing)"); fi
}

sources() { # sources 'hpp|cpp': the files of those kinds
  find . -regextype posix-extended \( -name 'build*' -o -name '.?*' \) -prune -o -type f -regex ".*\.($1)" -print0 | sort -z
}

run_tests() { ctest --test-dir "build/$1" --output-on-failure -j "$(nproc)"; } # run_tests PRESET
build_and_run_tests() { build "$1" && run_tests "$1"; }

# Against the oldest CUDA that will do: the GPU's side of each program, and the old programs.
cuda_12_0() {
  CUDACXX=$PWD/build/tools/cuda-12.0/bin/nvcc build cuda-12.0 \
    {heat_notexture,heat,tex1dfetch_big,tex1dfetch_int2float,matmul}_sample old_programs
}

formatting() { sources 'h|hpp|cpp|cuh|cu' | grep -zvE '/legacy/(book_|heat|own_headers)' | xargs -0 "$(clang_format_14)" --dry-run -Werror --ferror-limit=1; }

tidy() {
  sed -n 's/^ *"file": "\(.*\.cpp\)",*$/\1/p' "build/$preset/compile_commands.json" | grep -v '/tests/' | sort -u |
    xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' -p "build/$preset" \
      --extra-arg=-Wno-unknown-warning-option 2>build/tidy.log
}

installation() { # what was installed runs, and serves projects and a program of someone else's
  local prefix=$PWD/build/test-install old=$PWD/tests/legacy/book_julia.cu package=build/test-package log=build/install.log
  rm -rf "$prefix" $package $package-book
  cmake --install "build/$preset" --prefix "$prefix" >$log &&
    "$prefix/bin/heat" --version &&
    cmake -G Ninja -S tests/package/book -B $package-book -DCMAKE_PREFIX_PATH="$prefix" >>$log &&
    cmake -G Ninja -S tests/package -B $package -DCMAKE_PREFIX_PATH="$prefix" -DOLD_PROGRAM="$old" >>$log &&
    cmake --build $package >>$log &&
    [ "$($package/checksum)" = cbf43926 ] &&
    [ "$($package/separate)" = separate ] || return
  [ "$($package/fused)" = fused ] || not_run+=("proof that nothing is contracted (this processor fuses nothing)")
  [ -n "$nvcc" ] || return 0
  ! grep -q 'fma\.rn' $package/CMakeFiles/separate_kernel.dir/*.ptx &&
    grep -q 'fma\.rn' $package/CMakeFiles/fused_kernel.dir/*.ptx || return
  (cd $package && CUDABOOK_NVCC=$nvcc "$prefix/bin/cudabook-nvcc" "$old" -o old && CUDABOOK_FRAMES=1 ./old)
}

build "$preset"
check "tests" run_tests "$preset"
check "tests with the address and undefined-behaviour sanitizers" build_and_run_tests asan
check_with clang-format-14 "formatting" formatting
if has omp.h; then check_with clang-tidy "clang-tidy" tidy; else not_run+=("clang-tidy (clang's omp.h is missing)"); fi
check_with shellcheck "shellcheck" shellcheck -x scripts/*.sh scripts/cudabook-nvcc tests/*.sh tests/legacy/*.sh .ci/run
check "installation" installation
if [ -z "$nvcc" ]; then
  not_run+=("CUDA code (no nvcc)")
elif reason=$(scripts/cuda-12.0.sh 2>&1); then
  check "build with CUDA 12.0" cuda_12_0
else
  not_run+=("build with CUDA 12.0 (${reason##*$'\n'})")
fi
has_driver || not_run+=("tests on a GPU (no NVIDIA driver)")
for header in egl.pc glew.pc GL/glut.h; do has "$header" || not_run+=("old programs beside OpenGL ($header is missing)"); done
for tool in Xvfb xdotool swrast_dri.so; do has "$tool" || not_run+=("tests of the window ($tool is missing)"); done
for tool in weston glfw-wayland; do has "$tool" || not_run+=("tests of the window on Wayland ($tool is missing)"); done
has ffmpeg || not_run+=("tests of a real video (ffmpeg is missing)")

list() { # list TITLE ITEM...
  printf '%s: %s' "$1" "$2"
  for item in "${@:3}"; do printf '; %s' "$item"; done
  echo
}
echo
list "ran" "${ran[@]:-nothing}"
list "not run" "${not_run[@]:-nothing}"
if [ ${#failed[@]} != 0 ]; then
  list "FAILED" "${failed[@]}"
  exit 1
fi
