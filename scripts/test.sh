#!/usr/bin/env bash
# Sets up, builds and runs every check. The last lines say what ran, what did not, and why. Exit status 1: a check failed.
# Tests and clang-tidy are not run again where nothing has changed since they last passed; --again runs them all the same.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  '') again=no ;;
  --again) again=yes ;;
  *)
    echo "test.sh: $1: --again is the only option" >&2
    exit 2
    ;;
esac
# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh test

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

unless_unchanged() { # unless_unchanged STAMP COMMAND...: stdin is what the command's outcome depends on
  local stamp=$1 state
  state=$(sha256sum)
  [ "$again" = no ] && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ] && echo "unchanged since it last passed" && return
  rm -f "$stamp"
  "${@:2}" && echo "$state" >"$stamp"
}

run_tests() { # run_tests PRESET
  {
    find "build/$1/bin" -type f -print0 | sort -z | xargs -0 cat
    nvidia-smi -L 2>&1 || true
    missing Xvfb xdotool swrast_dri.so weston glfw-wayland ffmpeg
    env | grep ^CUDABOOK_ || true
  } | unless_unchanged "build/$1/tests.stamp" ctest --test-dir "build/$1" --output-on-failure -j "$(nproc)"
}
build_and_run_tests() { build "$1" && run_tests "$1"; }

formatting() { sources 'h|hpp|cpp|cuh|cu' | grep -zvE '/legacy/(book_|heat)' | xargs -0 "$(clang_format_14)" --dry-run -Werror --ferror-limit=1; }

tidy() {
  {
    clang-tidy --version
    sources 'hpp|cpp' | xargs -0 cat .clang-tidy "build/$preset/compile_commands.json"
  } | unless_unchanged "build/$preset/tidy.stamp" run_tidy
}
run_tidy() {
  sed -n 's/^ *"file": "\(.*\.cpp\)",*$/\1/p' "build/$preset/compile_commands.json" | grep -v '/tests/' | sort -u |
    xargs -d '\n' -n 1 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' -p "build/$preset" \
      --extra-arg=-Wno-unknown-warning-option 2>build/tidy.log
}

installation() { # what was installed runs, and serves a project and a program of someone else's
  local prefix=$PWD/build/test-install old=$PWD/tests/legacy/book_julia.cu
  rm -rf "$prefix" build/test-package
  cmake --install "build/$preset" --prefix "$prefix" >build/install.log &&
    "$prefix/bin/heat" --version &&
    cmake -G Ninja -S tests/package -B build/test-package -DCMAKE_PREFIX_PATH="$prefix" -DOLD_PROGRAM="$old" \
      >>build/install.log &&
    cmake --build build/test-package >>build/install.log &&
    [ "$(build/test-package/checksum)" = cbf43926 ] || return
  [ -n "$nvcc" ] || return 0
  (cd build/test-package && CUDABOOK_NVCC=$nvcc "$prefix/bin/cudabook-nvcc" "$old" -o old && CUDABOOK_FRAMES=1 ./old)
}

build "$preset"
check "tests" run_tests "$preset"
check "tests with the address and undefined-behaviour sanitizers" build_and_run_tests asan
check_with clang-format-14 "formatting" formatting
if has omp.h; then check_with clang-tidy "clang-tidy" tidy; else not_run+=("clang-tidy (clang's omp.h is missing)"); fi
check_with shellcheck "shellcheck" shellcheck -x scripts/*.sh scripts/cudabook-nvcc tests/legacy/*.sh .ci/run
check "installation" installation

[ -n "$nvcc" ] || not_run+=("CUDA code (no nvcc)")
has_driver || not_run+=("tests on a GPU (no NVIDIA driver)")
has glew.pc || not_run+=("old programs beside GLEW (glew.pc is missing)")
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
