#!/usr/bin/env bash
# Sets up, builds, runs every program without a window, and prints a table. Exit status 1: a program failed.
set -eo pipefail
cd "$(dirname "$0")/.."
if [ $# != 0 ]; then
  echo "demo.sh: $1: it takes no options" >&2
  exit 2
fi

programs=(
  "heat_notexture --headless --frames 10 --kernel all"
  "heat           --headless --frames 10 --kernel all --png build/demo/heat.png"
  "tex1dfetch_big 512 --kernel all"
  "tex1dfetch_int2float --kernel all"
  "matmul         --size 256 --kernel all"
  "texture_unit   --kernel all --png build/demo/texture_unit.png"
  "access_patterns --size 1024 --png build/demo/access_patterns.png"
  "occupancy      --kernel all --png build/demo/occupancy.png"
)
# Without a GPU, the GPU's kernels run on an emulated GPU, at sizes that take seconds.
on_emulated_gpu=(
  "heat_notexture --device emulated --headless --frames 1 --width 128 --height 128 --kernel all"
  "heat           --device emulated --headless --frames 1 --width 128 --height 128 --kernel all"
  "tex1dfetch_big 1 --device emulated --kernel all"
  "tex1dfetch_int2float --device emulated --kernel texture"
  "matmul         --device emulated --size 256 --kernel all"
  "texture_unit   --device emulated --kernel all"
  "access_patterns --device emulated --size 16 --pattern random"
  "occupancy      --device emulated --kernel all"
)

# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh build
tools=()
if has boost/context/fiber.hpp; then
  tools=(cudabook_nvcc)
  if ! has_driver; then
    programs+=("${on_emulated_gpu[@]}")
    [ -z "$nvcc" ] || tools+=(emulated) # without CUDA code the normal programs run on it
  fi
fi
# shellcheck disable=SC2046 # one word for each program
build "$preset" "${tools[@]}" $(printf '%s\n' "${programs[@]}" | awk '{ print $1 }')

# row PROGRAM DEVICE KERNELS CHECKED FASTEST IN: prints a row of the table
row() { printf '%-20s %-42s %7s  %-16s %-18s %12s\n' "$@"; }

mkdir -p build/demo
failed=0
table=$(row program device kernels checked fastest "in")
for program in "${programs[@]}"; do
  read -r -a words <<<"$program"
  name=${words[0]}
  report=build/demo/$name
  if [[ $program = *emulated* ]]; then report+=-emulated; fi
  echo "== ${words[*]}"
  rm -f "$report".{json,txt}
  status=0
  "build/$preset/bin/$name" "${words[@]:1}" --json "$report.json" --summary | tee "$report.txt" || status=$?
  if [ -e "$report.json" ]; then
    # shellcheck disable=SC2046,SC2001 # one word for each option
    ! grep -q "^$name," results/checksums.csv || scripts/checksums.sh --report "$report.json" $(sed -E 's/ --(device|kernel|png) [^ ]*//g' <<<"${words[*]}") || failed=1
    IFS=$'\t' read -r -a columns < <(tail -n 1 "$report.txt")
    table+=$'\n'$(row "${columns[@]}")
  fi
  if [ "$status" != 0 ]; then
    failed=1
    table+=$'\n'"$name: FAILED, exit status $status"
  fi
done
printf '\n%s\n\n' "$table"
echo "every result: build/demo/*.txt"
echo "pictures: $(compgen -G 'build/demo/*.png' | xargs)"
exit "$failed"
