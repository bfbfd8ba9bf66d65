#!/usr/bin/env bash
# Stands in for nvcc in the tests of cudabook-nvcc: knows two GPUs, and prints how it was called.
if [ "$1" = --list-gpu-arch ]; then
  printf 'compute_75\ncompute_90\n'
else
  echo "nvcc $*"
fi
