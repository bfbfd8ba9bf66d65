#!/usr/bin/env bash
# scripts/bootstrap.sh: the nvcc that it takes for a driver, and the GPUs that it compiles for. nvcc, nvidia-smi,
# libcuda and the package manager are fakes.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"

fake() { # fake NAME LINE...: makes a program of these lines
  local file=$folder/$1
  mkdir -p "$(dirname "$file")"
  printf '%s\n' '#!/bin/sh' "${@:2}" >"$file"
  chmod +x "$file"
}
for version in 11.8 12.0 12.4 12.6 13.0 13.9; do
  known="75 80 86 87 89 90"
  if [[ $version = 13.* ]]; then known+=" 100 120"; fi
  fake "cuda-$version/bin/nvcc" "if [ \$1 = --list-gpu-code ]; then printf 'sm_%s\n' $known; exit; fi" \
    "echo 'Cuda compilation tools, release $version, V$version.1'"
done
for command in apt-get dnf pacman brew sudo; do fake "bin/$command" 'exit 1'; done
# $gpus: the compute capabilities that nvidia-smi prints; $cuda: the CUDA version that the driver runs.
# shellcheck disable=SC2016 # for the fake's shell
fake bin/nvidia-smi '[ $# = 0 ] || { echo "$gpus"; exit; }' \
  'printf "| NVIDIA-SMI 550.54   Driver Version: 550.54   CUDA Version: %-8s |\n" "$cuda"'
c++ -shared -fPIC -x c++ - -o "$folder/libcuda.so.1" <<'END'
#include <cstdio>
#include <cstdlib>
extern "C" int cuDriverGetVersion(int* version) {
    int major = 0, minor = 0;
    std::sscanf(std::getenv("cuda"), "%d.%d", &major, &minor);
    *version = 1000 * major + 10 * minor;
    return 0;
}
END

bootstrap=scripts/bootstrap.sh status=0
# takes NAME NVCC SAID FIRST SECOND: if $CUDACXX is the nvcc of version FIRST and the nvcc of version SECOND is on the
# PATH, bootstrap.sh takes version NVCC (`none` if it takes neither), and its output matches SAID.
takes() {
  local said taken=none
  said=$(CUDABOOK_CUDA=auto CUDACXX=$folder/cuda-$4/bin/nvcc PATH=$folder/bin:$folder/cuda-$5/bin:$PATH \
    LD_LIBRARY_PATH=$folder cuda=$cuda gpus=$gpus "$bootstrap" build 2>&1) || true
  if [[ $said =~ CUDA\ by\ $folder/cuda-([0-9.]+)/ ]]; then taken=${BASH_REMATCH[1]}; fi
  if [ "$taken" = "$2" ] && [[ $said =~ $3 ]]; then
    echo "passed: $1"
  else
    printf 'FAILED: %s: wanted nvcc %s and "%s", got nvcc %s:\n%s\n' "$1" "$2" "$3" "$taken" "$said"
    status=1
  fi
}

all_cases() {
  gpus=7.5
  cuda=12.4
  takes "as new as the driver" 12.4 "the GPUs of this machine \\(75-real\\)" 12.4 13.0
  takes "older than the driver" 12.0 "CUDA by" 12.0 13.0
  takes "of another major version, so the next" 12.4 "cuda-13.0/bin/nvcc is left out: this driver runs CUDA 12.4 and nothing of 13.0" 13.0 12.4
  takes "both of another major version" none "cuda-13.9/bin/nvcc is left out" 13.0 13.9
  takes "too old, so the next" 12.4 "cuda-11.8/bin/nvcc is too old" 11.8 12.4
  takes "newer than the driver, with machine code for the GPU" 12.6 "CUDA by" 12.6 12.4
  gpus=$'9.0\n8.7'
  takes "newer than the driver, with machine code for all GPUs" 12.6 "\\(86-real;90a-real\\)" 12.6 12.4
  gpus=$'9.0\n7.0'
  takes "newer than the driver, without machine code for a GPU" 12.4 "cuda-12.6/bin/nvcc is left out: of CUDA 12.6 this driver for 12.4 runs machine code alone" 12.6 12.4
  cuda=13.0 gpus=12.0
  takes "of the driver's major version, with machine code" 13.9 "\\(120-real\\)" 13.9 13.0
  cuda=14.1 gpus=15.0
  takes "of an older major version, for a GPU that it does not know" 13.9 "\\(120-virtual\\)" 13.9 13.0
  gpus=
  takes "where no GPU is found" 13.9 "no GPU is here: for 75, with PTX for newer ones" 13.9 13.0
}
echo "The driver's version by libcuda:"
all_cases
echo "By nvidia-smi, where there is no Python:"
fake bin/python3 'exit 127'
all_cases

echo "Its list of architectures:"
mkdir "$folder/scripts" "$folder/cmake"
cp scripts/bootstrap.sh scripts/packages.sh "$folder/scripts"
bootstrap=$folder/scripts/bootstrap.sh gpus=7.5 cuda=12.4
echo 75 >"$folder/cmake/architectures.txt"
takes "of one line" 12.4 "\\(75-real\\)" 12.4 13.0
for lines in '' '75 80' '75,80' $'75\nsm_80'; do
  echo "$lines" >"$folder/cmake/architectures.txt"
  takes "of the lines '$lines'" none "architectures.txt: each line must be an architecture such as 75 or 90a" 12.4 13.0
done

echo "Its progress in a pipe:"
said=$(
  eval "$(sed -n '/^show_progress()/,/^}/p;/^ninja_progress()/,/^}/p' scripts/bootstrap.sh)"
  minutes() { for second in 0 59 60 61 119 121; do SECONDS=$second && show_progress "at $second s"; done; }
  # shellcheck disable=SC2034 # show_progress reads it
  progress_shown=0
  minutes
  printf '%s\n' '[1/2] first' note '[2/2] second' | { SECONDS=100 && ninja_progress "$folder/log"; }
  cat "$folder/log"
)
if [ "$said" = $'at 60 s\nat 121 s\n[1/2] first\nnote\n[2/2] second' ]; then
  echo "passed: a line each minute"
else
  echo "FAILED: a line each minute: $said" && status=1
fi
exit $status
