#!/usr/bin/env bash
# test_page.sh BIN CUDABOOK_NVCC BUG...: pages of samples (in the folder BIN) and of the programs BUG.cu, in a headless Chromium: see test_page.py.
set -euo pipefail
bin=$(realpath "$1") nvcc=$(realpath "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

heat=(--device emulated --headless --quiet --width 50 --height 40 --frames 1 --steps-per-frame 7)
"$bin/heat_notexture" "${heat[@]}" --kernel book,tiled --trace two_kernels.html
"$bin/heat" "${heat[@]}" --kernel texture2d,surface --trace-block 1,1 --trace textures.html
"$bin/matmul" --device emulated --quiet --size 40 --kernel naive,vectorized --trace products.html
for bug; do
  "$nvcc" --emulate -I"$here/../../.." "$bug" -o bug
  CUDABOOK_TRACE=$(basename "$bug" .cu).html ./bug >/dev/null 2>&1 || [ $? = 1 ] # its numbers are wrong
done

failed=0
for page in *.html; do
  status=0
  "${PYTHON:-python3}" "$here/test_page.py" "$page" || status=$?
  [ $status != 77 ] || exit 77
  [ $status = 0 ] || { echo "FAILED: $page" && failed=1; }
done
exit $failed
