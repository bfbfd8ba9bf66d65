#!/usr/bin/env bash
# test_checksums.sh CHECKSUMS_SH: the programs give the published checksums, on the CPU and on the emulated GPU, and
# differences are found. CUDABOOK_BUILD: the build folder with the programs.
set -euo pipefail
checksums=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "FAILED: $1" && exit 1; }
says() { # says STATUS TEXT ARGUMENT...
  local status=0
  "$checksums" "${@:3}" >said 2>&1 || status=$?
  [ $status = "$1" ] || fail "checksums.sh ${*:3}: status $status, not $1: $(cat said)"
  grep -q -e "$2" said || fail "checksums.sh ${*:3} does not say '$2': $(cat said)"
}

"$checksums" --small --device cpu || fail "on the CPU" # the workflow below runs it on the emulated GPU

"$CUDABOOK_BUILD/bin/tex1dfetch_int2float" --device cpu --quiet --json right.json
says 0 'tex1dfetch_int2float: 9 of 9 as published' --report right.json tex1dfetch_int2float
sed 's/"checksum": "be24c7fc"/"checksum": "be24c7fd"/' right.json >wrong.json
says 1 'format=signed char;read_mode=element type: be24c7fd, and published is be24c7fc' --report wrong.json tex1dfetch_int2float
says 1 '8 of 9 as published' --report wrong.json tex1dfetch_int2float
echo '{"results": []}' >none.json
says 1 'none of its kernels is in the table' --report none.json tex1dfetch_int2float
says 1 'none of its kernels is in the table' --report right.json heat --frames 3

"$CUDABOOK_BUILD/bin/matmul" --size 256 --device emulated:h100 --kernel tf32 --quiet --json tf32.json
says 0 'matmul --size 256: 1 of 1 as published' --report tf32.json matmul --size 256
sed 's/"checksum": "9572adba"/"checksum": "51438d2c"/' tf32.json >wrong.json
says 1 'tf32 tensor_cores=9.0 by warpgroups: 51438d2c, and published is 9572adba' --report wrong.json matmul --size 256
"$CUDABOOK_BUILD/bin/matmul" --size 256 --device emulated:a100 --kernel tf32 --quiet --json a100.json
says 1 'none of its kernels is in the table' --report a100.json matmul --size 256
says 3 'cannot be read' --report missing.json heat
says 2 'the table has no such program' fish
says 2 'no such option' --fast
says 3 'no GPU\|not.*device\|no .*CUDA\|compiled without' --device cuda:99 matmul

# Runs the commands of docs/checksums.yml in this build, except demo.sh, which builds and is tested in fresh roots.
root=$(dirname "$(dirname "$checksums")")
mapfile -t commands < <(sed -n 's/^ *- run: //p' "$root/docs/checksums.yml" | grep -v '^scripts/demo.sh')
[ ${#commands[@]} -ge 2 ] || fail "docs/checksums.yml has no commands"
ln -s "$root/scripts" scripts
mkdir build
ln -s "$CUDABOOK_BUILD" build/default
for command in "${commands[@]}"; do bash -ec "$command" >said 2>&1 || fail "$command: $(cat said)"; done
for file in heat.json heat.png; do [ -s $file ] || fail "the workflow leaves no $file"; done
