#!/usr/bin/env bash
# test_coverage.sh: scripts/coverage.sh with a program that runs, one that fails, one that does not compile and one that does not end.
set -euo pipefail
coverage=$(cd "$(dirname "$0")/../.." && pwd)/scripts/coverage.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "FAILED: $1" && exit 1; }
says() { # says STATUS TEXT ARGUMENT...
  local status=0
  "$coverage" "${@:3}" >said 2>&1 || status=$?
  [ $status = "$1" ] || fail "coverage.sh ${*:3}: status $status, not $1: $(cat said)"
  grep -q -e "$2" said || fail "coverage.sh ${*:3} does not say '$2': $(cat said)"
}

says 2 'the folder with the programs is missing'
says 2 'none: no such folder' none
says 2 '--fast: no such option' --fast .
says 2 '--seconds: a whole number from 1 up is missing' --seconds 0 .
says 2 'one folder at a time' . .
says 2 '-I: a folder is missing' -I none .
mkdir empty
says 2 'no .cu file is in it' empty
says 0 '^  *--seconds N ' --help

# Of several files, with headers in inc/, in Common/ above and in a folder that is named; it reads a file beside it.
mkdir -p Common other programs/runs/inc programs/several programs/wrong
echo '#define TEN 10' >Common/ten.h
echo '#define TWO 2' >other/two.h
echo 'int twice(int x);' >programs/runs/inc/twice.h
echo 7 >programs/runs/seven.txt
printf '#include <twice.h>\nstruct float4 {};  // CUDA'\''s names are free in a source without kernels\nint twice(int x) { return 2 * x; }\n' >programs/runs/twice.cpp
cat >programs/runs/main.cu <<'X'
#include <cstdio>
#include <ten.h>
#include <twice.h>
#include <two.h>
__global__ void add(int* x) { *x += TEN; }
int main() {
  int *memory, x = 0;
  FILE* file = fopen("seven.txt", "r");
  if (file == nullptr || fscanf(file, "%d", &x) != 1) return 1;
  cudaMalloc(&memory, sizeof x);
  cudaMemcpy(memory, &x, sizeof x, cudaMemcpyHostToDevice);
  add<<<1, 1>>>(memory);
  cudaMemcpy(&x, memory, sizeof x, cudaMemcpyDeviceToHost);
  return twice(x) == 17 * TWO ? 0 : 1;
}
X
cat >programs/several/fails.cu <<'X'
#include <cstdio>
int main() {
  puts("it begins");
  fputs("ERROR: it is wrong\n", stderr);
  return 5;
}
X
printf 'int main() {\n  for (volatile int i = 0;; i = 1) {}\n}\n' >programs/several/endless.cu
printf 'int main() {\n  return nothing;\n}\n' >programs/wrong/wrong.cu
says 1 '^of 4, compiled: 3, ran and ended with 0: 1$' --seconds 10 --keep kept -I other programs
has() { grep -qE -e "$1" said || fail "'$1' is not in the table: $(cat said)"; }
has '^program +compiled +runs +status +first error$'
has '^runs +yes +yes +0$'
has '^several/fails +yes +no +5 +ERROR: it is wrong$'
has '^several/endless +yes +no +- +it does not end in 10 s$'
has '^wrong +no +- +- +wrong/wrong.cu:2:.*error.*nothing'
[ "$(cat kept/several_fails.out)" = 'it begins' ] || fail "--keep has not what a program prints"

rm -r programs/several programs/wrong
says 0 '^of 1, compiled: 1, ran and ended with 0: 1$' -I other programs
