#!/usr/bin/env bash
# lessons.sh FOLDER [--pictures]: makes the pages of docs/watch-a-warp.md's lessons; with --pictures also their
# pictures, by Chromium, in results/watch-a-warp/.
#
#   CUDABOOK_BUILD=DIR   the build with the programs (default: build/default); it needs the target counters
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${CUDABOOK_BUILD:-$root/build/default}")
if [ $# -lt 1 ]; then
  echo "usage: lessons.sh FOLDER [--pictures]" >&2
  exit 2
fi
mkdir -p "$1"
cd "$1"

sample() { # sample NAME PAGE OPTION...
  "$build/bin/$1" --device emulated --quiet --trace "$2.html" "${@:3}"
}
program() { # program PAGE SOURCE: compiles by cudabook-nvcc and runs; a program with a bug ends with status 1
  CUDABOOK_BUILD=$build "$root/scripts/cudabook-nvcc" --count -I"$root" "$root/$2" -o "$1" 2>"$1.messages" || { cat "$1.messages" >&2 && exit 1; }
  CUDABOOK_TRACE=$1.html "./$1" >/dev/null 2>&1 || [ $? = 1 ]
  rm "$1" "$1.messages"
}
picture() { # picture PAGE NAME PLACE [HEIGHT]: a picture of the page at PLACE, RUN:LAUNCH:WARP:STEP of each pane
  [ "$pictures" = yes ] || return 0
  chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,"${4:-720}" --virtual-time-budget=2000 \
    --screenshot="$root/results/watch-a-warp/$2.png" "file://$PWD/$1.html#$3" >/dev/null 2>&1
}
pictures=no
if [ "${2:-}" = --pictures ]; then
  pictures=yes
  mkdir -p "$root/results/watch-a-warp"
fi

room=(--headless --width 50 --height 40 --frames 1 --steps-per-frame 7)
sample access_patterns orders --kernel global --pattern all --trace-warps 2
picture orders strided 1:1:0:1,7:1:0:1
sample access_patterns columns --kernel global,array,surface --pattern columns --trace-warps 2
picture columns columns 1:1:0:1,2:1:0:1 1350
sample heat_notexture book "${room[@]}" --kernel book,tiled
picture book book 1:2:1:1,1:3:0:3
sample heat_notexture border "${room[@]}" --kernel book --trace-block 3,1
picture border border 1:2:0:2
sample heat textures "${room[@]}" --kernel book,texture2d
picture textures textures 1:3:0:3,2:3:0:2
sample matmul products --size 40 --kernel naive,tiled
picture products products 1:1:0:1,2:1:0:10
program transposed_tile docs/watch_a_warp/transposed_tile.cu
picture transposed_tile padding 1:1:0:4,1:2:0:4 1350
program rotate docs/find_the_bug/rotate.cu
picture rotate race 1:1:0:4
program sum docs/find_the_bug/sum.cu
