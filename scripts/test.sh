#!/usr/bin/env bash
# Sets up, builds and runs tests. The last lines say what ran and how long it took, what did not run, and why. Exit
# status 1: something failed.
#
#   scripts/test.sh           every test; with CUDA code if there is a GPU, or with CUDABOOK_CUDA=on
#   scripts/test.sh FOLDER [WORD]
#                             only the tests of a sample, of a folder of common/ or of emulator: scripts/test.sh heat; with a word, the
#                             tests with it in their names: scripts/test.sh heat registers. Without a word, the longest tests on the
#                             emulated GPU are left out
#   scripts/test.sh --sanitize address|thread
#                             the kernels on the emulated GPU with AddressSanitizer and UndefinedBehaviorSanitizer, or with ThreadSanitizer:
#                             its small tests with three orders of threads, and broken kernels, whose errors the sanitizer must find
#   scripts/test.sh --all     CI: the tests, with warnings as errors and CUDA code for the oldest and the newest GPU that matter; also the
#                             sanitizers (with one order of threads), formatting, clang-tidy, shellcheck and installation
#   scripts/test.sh --release before a release: --all with CUDA code for every GPU, every order of threads, the whole suite on an
#                             emulated T4 too, clang++, g++ 11, CUDA 12.0, and demo.sh and test.sh in fresh roots of Debian 12, 13 and, by
#                             QEMU, 12 for ARM64
#
# `--report FILE`, as the first option, writes what ran where, as JSON, for the table of docs/platforms.md (scripts/platforms.py). It needs
# all tests, so it goes with no FOLDER and no --sanitize.
set -eo pipefail
cd "$(dirname "$0")/.."
sanitize="" folder="" word="" report=""
usage() {
  echo "usage: scripts/test.sh [FOLDER [WORD] | --sanitize address|thread | [--report FILE] [--all | --release]], a FOLDER of tests/" >&2
  exit 2
}
command="scripts/test.sh${*:+ $*}"
if [ "${1:-}" = --report ]; then
  report=${2:-}
  case $report in
    "" | -*) usage ;;
    /*) ;;
    *) report=$OLDPWD/$report ;;
  esac
  mkdir -p "$(dirname "$report")" && : >"$report.part" && rm "$report.part" || exit 2 # it can be written
  shift 2
  command="scripts/test.sh${*:+ $*}"
  case $* in "" | --all | --release) ;; *) usage ;; esac
fi
case $* in
  "") what="test" ;;
  --all) what="checks" ;;
  --release) what="release" ;;
  "--sanitize address") what="test" sanitize=asan ;;
  "--sanitize thread") what="test" sanitize=emulated-tsan ;;
  *)
    folder=${1#common/} folder=${folder%/} word=${2:-}
    if [ "$folder" = heat_notexture ]; then folder=heat; fi # they share their tests
    if [ $# -gt 2 ] || [[ ! $folder =~ ^[a-z0-9_]+$ ]] || [[ ! $word =~ ^[A-Za-z0-9_]*$ ]] || ! compgen -G "tests/$folder/test_*.c*" >/dev/null; then
      usage
    fi
    what="test"
    ;;
esac
# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh "$what"
# shellcheck source=scripts/report.sh
. scripts/report.sh
export LC_ALL=C.UTF-8 # the tests expect the programs' messages in English
if [ "$what" != test ] && [ "$preset" = default ]; then preset=dev; fi
beside=(-LE release)
if [ "$what" = test ]; then beside=(-LE 'release|checks'); fi # leaves out the tests for CI: each exercise, the page of --trace in a browser
if [ "$what" = release ] || [ -n "$sanitize" ]; then beside=(); else export CUDABOOK_SCHEDULES=1; fi

ran=() not_run=() failed=()
ended() { # ended NAME SECONDS passed|failed
  if [ "$3" = passed ]; then ran+=("$1, $2 s"); else failed+=("$1"); fi
  report_check "$1" "$2" "$3" "$tested"
}
check() { # check NAME COMMAND...
  local start=$SECONDS result=failed tested=""
  echo "== $1"
  if "${@:2}"; then result=passed; fi
  ended "$1" $((SECONDS - start)) $result
}
check_where_possible() { # as check; status 3 means that it was not run, for the reason in its last line on stderr
  local start=$SECONDS status=0 log=build/check.log tested=""
  echo "== $1"
  "${@:2}" 2>"$log" || status=$?
  case $status in
    0) ended "$1" $((SECONDS - start)) passed ;;
    3) not_run+=("$1 ($(tail -n 1 "$log"))") ;;
    *)
      cat "$log" >&2
      ended "$1" $((SECONDS - start)) failed
      ;;
  esac
}
check_with() { # check_with TOOL NAME COMMAND...
  if has "$1"; then check "${@:2}"; else not_run+=("$2 ($1 is missing)"); fi
}

sources() { # sources 'hpp|cpp': prints the files of those kinds, one per line
  find . \( -name 'build*' -o -name '.?*' \) -prune -o -type f -print | grep -E "\.($1)\$" | sort
}
each() { tr '\n' '\0' | xargs -0 "$@"; } # each COMMAND...: with the lines of stdin as arguments

# Prints the failures and the end of ctest's output, and shows its progress; all of the output goes to LOG.
ctest_progress() { # ctest_progress LOG
  local line progress_shown=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case $line in
      *" Start "*:* | "The following tests did not run:"* | *"(Skipped)"*) ;;
      *"Test "*"#"*Passed* | *"Test "*"#"*"***Skipped"*) show_progress "$line" ;;
      *) if [ -t 1 ]; then printf '\r\033[K%s\n' "$line"; else printf '%s\n' "$line"; fi ;;
    esac
  done 3>"$1"
}

run_tests() { # run_tests PRESET [OPTION...]: runs the tests that ctest chooses by the options
  tested=$1
  ctest --preset "$1" "${beside[@]}" "${@:2}" -j "$(cores)" 2>&1 | ctest_progress "build/$1-tests.log"
}
build_and_run_tests() { build "$1" && run_tests "$1"; }

# Builds the GPU's side of each program, and the old programs, against the oldest supported CUDA.
cuda_12_0() {
  scripts/cuda-12.0.sh || return
  CUDACXX=$PWD/build/tools/cuda-12.0/bin/nvcc build cuda-12.0 \
    {heat_notexture,heat,tex1dfetch_big,tex1dfetch_int2float,matmul,texture_unit,access_patterns,occupancy}_gpu old_programs
}

# Tests only the kernels, and the broken kernels, in a build with a sanitizer.
sanitized_kernels() { # sanitized_kernels PRESET
  build "$1" mutants find_the_bug cudabook_emulated_tests &&
    run_tests "$1" -R '^(EmulatedSchedule|Mutant[.]|FindTheBug)'
}

formatting() { sources 'h|hpp|cpp|cuh|cu|inl' | grep -vE '/legacy/(book_|heat|own_headers)' | each "$(clang_format_14)" --dry-run -Werror --ferror-limit=1; }

tidy() { # clang-tidy on all but device code, tests and the headers in the books' style; for a release one file at a time
  local database=build/$preset
  if [ "$what" = release ]; then
    database=build/tidy
    cmake --preset "$preset" -B $database -DCMAKE_UNITY_BUILD=OFF >build/tidy.log 2>&1 || return
  fi
  sed -n 's/^ *"file": "\(.*\.c[px][px]\)",*$/\1/p' "$database/compile_commands.json" |
    grep -vE '/tests/|_(emulated|counted)/|/emulator/book/|/cudabook_runtime[.]dir/|_(address|thread|on_emulated_gpu|that_counts)[.]dir/' | sort -u |
    each -n 1 -P "$(cores)" clang-tidy --quiet --warnings-as-errors='*' --checks=-bugprone-suspicious-include -p "$database" \
      --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument 2>build/tidy-messages.log
}

installation() { # tests that the installed programs run, and that other projects can use the installation
  local prefix=$PWD/build/test-install old=$PWD/tests/legacy/book_julia.cu package=build/test-package log=build/install.log
  rm -rf "$prefix" $package $package-book
  cmake --install "build/$preset" --prefix "$prefix" >$log &&
    "$prefix/bin/heat" --version &&
    cmake -G Ninja -S tests/package/book -B $package-book -DCMAKE_PREFIX_PATH="$prefix" >>$log &&
    cmake -G Ninja -S tests/package -B $package -DCMAKE_PREFIX_PATH="$prefix" -DOLD_PROGRAM="$old" >>$log &&
    cmake --build $package >>$log &&
    [ "$($package/checksum)" = cbf43926 ] &&
    [ "$($package/separate)" = separate ] || return
  if [ -e "$prefix/lib/cudabook/nvcc/translate" ]; then
    (cd $package && bin/emulated && "$prefix/bin/cudabook-nvcc" --emulate "${old/julia/gpu_colours}" -o colours && CUDABOOK_FRAMES=1 ./colours) || return
  fi
  [ "$($package/fused)" = fused ] || not_run+=("proof that nothing is contracted (this processor fuses nothing)")
  [ -n "$nvcc" ] || return 0
  ! grep -q 'fma\.rn' $package/CMakeFiles/separate_kernel.dir/*.ptx &&
    grep -q 'fma\.rn' $package/CMakeFiles/fused_kernel.dir/*.ptx || return
  (cd $package && CUDABOOK_NVCC=$nvcc "$prefix/bin/cudabook-nvcc" "$old" -o old && CUDABOOK_FRAMES=1 ./old)
}

all_checks() {
  check "tests with the address and undefined-behaviour sanitizers" build_and_run_tests asan
  check "kernels with the thread sanitizer" sanitized_kernels emulated-tsan
  check_with clang-format-14 "formatting" formatting
  if has omp.h; then
    check_with clang-tidy "clang-tidy" tidy
  else
    not_run+=("clang-tidy (clang's omp.h is missing)")
  fi
  check_with shellcheck "shellcheck" shellcheck -x scripts/*.sh scripts/cudabook-nvcc scripts/cudabook-emulate scripts/cudabook-second-reader tests/*/*.sh tests/*/*/*.sh .ci/run
  check "installation" installation
}

more_checks() { # for a release
  local root roots
  if has omp.h; then
    check_with clang++ "tests by clang++" build_and_run_tests clang
  else
    not_run+=("clang++ (clang's omp.h is missing)")
  fi
  check_with g++-11 "tests by g++ 11" build_and_run_tests gcc-11
  if [ -z "$nvcc" ]; then
    not_run+=("build with CUDA 12.0 (no nvcc)")
  else
    check_where_possible "build with CUDA 12.0" cuda_12_0
  fi
  roots=(bookworm trixie)
  if [ "$(uname -m)" = x86_64 ]; then roots+=("bookworm arm64"); fi
  for root in "${roots[@]}"; do
    # shellcheck disable=SC2086 # a release, and perhaps an architecture
    check_where_possible "demo.sh and test.sh in a fresh Debian: $root" scripts/fresh-root.sh $root
  done
}

in_shards() { # in_shards PROGRAM FILTER: runs the program's tests in as many processes as there are cores
  local count shard status=0 processes=()
  [ -e "build/$preset/bin/$1" ] || return 0
  count=$(cores)
  for ((shard = 0; shard < count; ++shard)); do
    GTEST_TOTAL_SHARDS=$count GTEST_SHARD_INDEX=$shard OMP_WAIT_POLICY=passive \
      "build/$preset/bin/$1" --gtest_brief=1 --gtest_filter="$2" &
    processes+=($!)
  done
  for shard in "${processes[@]}"; do wait "$shard" || status=1; done
  return $status
}

tests_of_folder() {
  local names="*${word:+$word*}" long=None listed program windows="build/$preset/bin/${folder}_tests"
  if [ -z "$word" ]; then long=$(sed -n 's/^ *set(long "\(.*\)")$/\1/p' tests/CMakeLists.txt); fi
  listed=$(for program in "build/$preset/bin/${folder}"_*tests; do "$program" --gtest_list_tests --gtest_filter="$names"; done)
  if [[ $listed != *$'\n  '* ]]; then
    echo "test.sh: $folder $word: no test of this folder has this word in its name" >&2
    return 2
  fi
  in_shards "${folder}_tests" "$names-Window*" &&
    if [ -z "$word" ] && [ -e "$windows" ]; then "$windows" --gtest_brief=1 --gtest_filter='Window*'; fi &&
    CUDABOOK_REQUIRE_GPU=1 in_shards "${folder}_emulated_tests" "$names-$long" &&
    if has_driver; then in_shards "${folder}_gpu_tests" "$names"; fi
}

if [ -n "$folder" ]; then
  build "$preset" "test_$folder"
  tests_of_folder
  rest=''
  if [ -z "$word" ]; then rest=", the longest on the emulated GPU (--release runs them)"; fi
  echo "$folder${word:+ $word}: passed in $SECONDS s; not run: the other tests (scripts/test.sh runs them)$rest"
  exit
fi
if [ -n "$sanitize" ]; then
  sanitized_kernels "$sanitize"
  exit
fi

start=$SECONDS
tested=""
if ! build "$preset"; then
  ended "build" $((SECONDS - start)) failed
  [ -z "$report" ] || write_report "$report" "$command" "everything else"
  exit 1
fi
ended "build" $((SECONDS - start)) passed
check "tests" run_tests "$preset"
case $what in
  test) not_run+=("sanitizers, clang-tidy, formatting, shellcheck, installation (--all runs them)") ;;
  *) all_checks ;;
esac
case $what in
  release) more_checks ;;
  *) not_run+=("CUDA code for every GPU, CUDA 12.0, clang++, g++ 11, more orders of threads, the longest tests on an emulated H200, all on an emulated T4, eight of the twelve pages of --trace, the exercises' wrong answers after the first, the decks of slides, the notebook, the pages that run in a browser, the website, fresh Debian roots (--release runs them)") ;;
esac
[ -n "$nvcc" ] || not_run+=("CUDA code (no GPU here, or no nvcc; CUDABOOK_CUDA=on compiles it)")
has_driver || not_run+=("tests on a GPU (no NVIDIA driver)")
for header in egl.pc GL/glut.h; do has "$header" || not_run+=("old programs beside OpenGL ($header is missing)"); done
for tool in glfw3.pc glew.pc Xvfb xdotool swrast_dri.so; do has "$tool" || not_run+=("tests of the window ($tool is missing)"); done
for tool in mpicxx mpirun; do has "$tool" || not_run+=("tests of several processes ($tool is missing)"); done
for tool in weston glfw-wayland; do has "$tool" || not_run+=("tests of the window on Wayland ($tool is missing)"); done
# The tests that were skipped as "it takes gigabytes", by file and line.
too_large=$(sed -n '/: Skipped$/{ N; s/^.*\(tests\/[^ ]*\): Skipped\nit takes gigabytes.*/\1/p; }' \
  "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null | sort -u | xargs) || true
[ -z "$too_large" ] || not_run+=("what takes gigabytes, on the emulated GPU ($too_large)")
skipped() { grep -q " $1 .*\*\*\*Skipped" "build/$preset-tests.log" 2>/dev/null; } # skipped TEST
if ! has boost/context/fiber.hpp; then
  not_run+=("tests on the emulated GPU (Boost.Context is missing)")
elif ! has gdb; then
  not_run+=("test of the debugger (gdb is missing)")
elif skipped Debugger; then
  not_run+=("test of the debugger (gdb may not run a program here)")
fi
! grep -q ': there are no protection keys here$' "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null ||
  not_run+=("bugs of tests/emulator/bugs that protection keys find (there are none here)")
! grep -q ': LeakSanitizer does not run here$' "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null ||
  not_run+=("bugs of tests/emulator/bugs that LeakSanitizer finds (it does not run here)")
! skipped Notebook || not_run+=("the notebook (nbclient cannot be had from PyPI, or python3 has no venv)")
! skipped SlidesMade || not_run+=("the decks of slides (pandoc cannot be had from PyPI, or Chromium is missing)")
! skipped Web || not_run+=("the pages that run in a browser (Emscripten cannot be had, or Chromium or chromedriver is missing)")
! skipped Site || not_run+=("the website (MkDocs cannot be had from PyPI, or python3 has no venv)")
has valijson/validator.hpp || not_run+=("the tests' reports against docs/report.schema.json (valijson is missing)")
[ -z "$nvcc" ] || has nccl.h || not_run+=("comparison of NCCL's types with its header (nccl.h is missing)")
has clang++ || not_run+=("old programs for the emulated GPU by clang++ (it is missing)")
has python3 || not_run+=("tests of scripts/results.py, of the drawings, of the reports, of the notebook and of the counters beside a GPU's (python3 is missing)")
not_run+=("commands of the pages that need a person, other machines or a build (scripts/commands.py --list)")
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
fi
[ -z "$report" ] || write_report "$report" "$command" "${not_run[@]}"
[ ${#failed[@]} = 0 ]
