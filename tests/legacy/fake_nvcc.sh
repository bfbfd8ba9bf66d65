#!/usr/bin/env bash
# A fake nvcc for the tests of cudabook-nvcc: knows two GPUs, and prints its arguments and the sources.
# FAKE_GPU: the GPUs of the machine: 75, 90, or both; 61 is one that it does not know.
case " $* " in
  *' --list-gpu-arch '*) printf 'compute_75\ncompute_90\n' ;;
  *' -arch=native --dryrun '*)
    case "${FAKE_GPU:-}$*" in
      -*) echo "nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used" >&2 ;;
      61*) echo "nvcc fatal   : Unsupported gpu architecture 'sm_61'" >&2 && exit 1 ;;
      *' '*-*-ptx*) echo "nvcc fatal   : Option '--ptx (-ptx)' is not allowed for several GPUs" >&2 && exit 1 ;;
    esac
    ;;
  *)
    echo "nvcc $*"
    for word; do
      case $word in *.cu) [ ! -e "$word" ] || cat "$word" ;; esac
    done
    ;;
esac
