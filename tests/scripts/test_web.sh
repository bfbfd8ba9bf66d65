#!/usr/bin/env bash
# test_web.sh          compiles the pages that run in a browser, opens them, and makes the website with them. Status 77
#                      means that there is no Emscripten, or no Chromium with chromedriver.
# test_web.sh usage    what scripts/web.sh refuses; nothing is compiled
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1
failed=0
fail() { echo "FAILED: $*" && failed=1; }
end() {
  [ $failed = 0 ] && echo "passed"
  exit $failed
}

refused() { # refused STATUS WORDS COMMAND...: it ends with this status and says the words in one line on stderr
  local status=0
  "${@:3}" >"$folder/out" 2>"$folder/said" || status=$?
  [ $status = "$1" ] || fail "${*:3}: status $status"
  grep -q -- "$2" "$folder/said" || fail "${*:3}: $(cat "$folder/said")"
  [ "$(wc -l <"$folder/said")" = 1 ] || fail "${*:3}: more than a line: $(cat "$folder/said")"
  [ ! -s "$folder/out" ] || fail "${*:3}: $(cat "$folder/out")"
}

usage() {
  refused 2 'usage: web.sh' "$root/scripts/web.sh" "$folder/a" "$folder/b"
  refused 2 'usage: web.sh' "$root/scripts/web.sh" --help
  [ ! -e "$folder/a" ] || fail "a folder was made in spite of a wrong usage"
  mkdir -p "$folder/other/module"
  touch "$folder/other/file"
  refused 2 'other exists and is not a folder of this script' "$root/scripts/web.sh" "$folder/other"
  refused 2 'file exists and is not a folder of this script' "$root/scripts/web.sh" "$folder/other/file"
  [ -e "$folder/other/file" ] || fail "what was there is gone"

  # A machine without emcc and debootstrap.
  mkdir "$folder/bin"
  for tool in bash dirname realpath ls sed sort head id mkdir; do ln -s "$(command -v $tool)" "$folder/bin"; done
  refused 3 'Emscripten 3.1.69 or newer is missing' env PATH="$folder/bin" bash "$root/scripts/web.sh" "$folder/none"
  [ ! -e "$folder/none" ] || fail "a folder was made without a compiler"
}

# Makes the pages in $folder/pages, or ends with status 77.
pages() {
  local status=0
  "$root/scripts/web.sh" "$folder/pages" 2>"$folder/said" || status=$?
  if [ $status = 3 ]; then
    echo "Skipped: $(tail -n 1 "$folder/said")"
    exit 77
  fi
  cat "$folder/said"
  if [ $status != 0 ]; then
    fail "web.sh: status $status"
    end
  fi
  for file in index.html heat.html texture_unit.html warp.html text.js module/{heat,heat-relaxed,texture_unit,matmul-traced}.{js,wasm}; do
    [ -s "$folder/pages/$file" ] || fail "no $file"
  done
}

# The website of a copy of the repository with these pages.
site() {
  local status=0 site=$folder/tree/build/site name sample query
  mkdir -p "$folder/tree/build/web" "$root/build/tools"
  tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$folder/tree" -x
  ln -s "$root/build/tools" "$folder/tree/build/tools"
  ln -s "$folder/pages" "$folder/tree/build/web/site"
  "$folder/tree/scripts/site.sh" >"$folder/said" 2>&1 || status=$?
  if [ $status = 3 ]; then
    echo "no website: $(tail -n 1 "$folder/said")"
    return
  fi
  [ $status = 0 ] || fail "the website with these pages: $(cat "$folder/said")"
  has() { grep -qF -- "$2" "$site/$1" || fail "$1 lacks $2"; } # has PAGE TEXT
  for sample in heat heat_notexture texture_unit matmul; do
    query=
    case $sample in
      heat_notexture) name=heat ;;
      matmul) name=warp query='&amp;sample=matmul' ;;
      *) name=$sample ;;
    esac
    has "$sample/index.html" "<a href=\"../run/$name.html?lang=en$query\">Run it here</a>"
    has "$sample/index.html" "<iframe src=\"../run/$name.html?lang=en$query&amp;embed=1\""
    has "zh/$sample/index.html" "<a href=\"../../run/$name.html?lang=zh$query\">在这里运行</a>"
    has "zh/$sample/index.html" "<iframe src=\"../../run/$name.html?lang=zh$query&amp;embed=1\""
  done
  has index.html './run/index.html?lang=en'
  has zh/index.html '../run/index.html?lang=zh'
  cmp "$folder/pages/module/heat.wasm" "$site/run/module/heat.wasm" || fail "another heat.wasm in the site"
}

if [ "${1:-}" = usage ]; then
  usage
  end
fi
pages
site
for test in test_pages test_texture_unit test_warp; do
  status=0
  "${PYTHON:-python3}" "$root/tests/web/$test.py" "$folder/pages" || status=$?
  if [ $status = 77 ] && [ $failed = 0 ]; then exit 77; fi
  [ $status = 0 ] || fail "tests/web/$test.py: status $status"
done
counted=${CUDABOOK_BUILD:-$root/build/dev}/lib/cudabook/counted
if [ -d "$counted" ]; then
  "${PYTHON:-python3}" "$root/tests/web/test_counts.py" "$folder/pages" "$counted" || fail "tests/web/test_counts.py"
fi
end
