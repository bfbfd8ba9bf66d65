#!/usr/bin/env bash
# scripts/site.sh: the site of these pages, that of pages in two languages with slides, and what is refused. Status 77: MkDocs cannot be had.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1
failed=0
fail() { echo "FAILED: $*" && failed=1; }
has() { grep -qE -- "$2" "$1" || fail "$1 lacks $2"; } # has FILE PATTERN

status=0
"$root/scripts/site.sh" "$folder/site" >"$folder/said" 2>&1 || status=$?
if [ $status = 3 ]; then
  echo "Skipped: $(tail -n 1 "$folder/said")"
  exit 77
fi
cat "$folder/said"
[ $status = 0 ] || { fail "status $status" && exit 1; }
site=$folder/site
for page in heat_notexture heat tex1dfetch_big tex1dfetch_int2float matmul texture_unit access_patterns occupancy exercises; do
  has "$site/index.html" "href=\"?$page/index.html"
  [ -e "$site/$page/index.html" ] || fail "no page of $page"
done
has "$site/matmul/index.html" '<details>' # and in it a table, not its source
grep -A 3 '<details>' "$site/matmul/index.html" | grep -q '<table' || fail "the tables of matmul do not fold"
has "$site/heat/kernels/4_texture2d.cuh.html" '<span class="kt">float</span>'
has "$site/docs/drawings/heat-fused.svg" '<svg'
has "$site/results/nvidia-h200/heat.json" '"sample"'
has "$site/index.html" 'data-md-color-scheme=.?slate'
"$root/scripts/site.sh" "$folder/site" >/dev/null 2>&1 || fail "no second time in the same folder"

# A tree with one page more in Chinese, and a deck.
mkdir "$folder/tree"
tar -C "$root" --exclude=./build --exclude=./.git --exclude='*.zh.md' -c . | tar -C "$folder/tree" -x
mkdir -p "$folder/tree/build/course"
ln -s "$root/build/tools" "$folder/tree/build/tools"
printf '[English](glossary.md)\n\n# 术语表\n\n<a id="warp-lane"></a>\n### 线程束（warp）\n\n见[热传导](../heat/README.md)和[这个内核](../heat/kernels/2_blend.cuh)。\n' >"$folder/tree/docs/glossary.zh.md"
printf '<html><head><title>A deck</title></head><body><a href="#/2">on</a></body></html>\n' >"$folder/tree/build/course/heat.html"
"$folder/tree/scripts/site.sh" >"$folder/said" 2>&1 || { cat "$folder/said" && fail "two languages"; }
site=$folder/tree/build/site
has "$site/docs/glossary.html" 'href="../zh/docs/glossary.html" hreflang="zh"'
has "$site/zh/docs/glossary.html" 'href="../../docs/glossary.html" hreflang="en"'
has "$site/zh/docs/glossary.html" 'href="../heat/index.html"'
has "$site/zh/docs/glossary.html" 'href="../../heat/kernels/2_blend.cuh.html"'
has "$site/zh/heat/index.html" '本页尚无中文版'
has "$site/zh/heat/index.html" 'href="../docs/glossary.html#warp-lane"'
has "$site/zh/heat/index.html" 'href="../../docs/glossary.html#surface"' # a heading that the Chinese page lacks
python3 -c 'import json, sys; sys.exit("线程束" not in str(json.load(open(sys.argv[1], encoding="utf-8"))))' "$site/zh/search/search_index.json" ||
  fail "the search does not find 线程束" # a word of the glossary, which is not cut
has "$site/slides/index.html" 'href="../slides/heat.html">HTML'

# What links.py finds.
says() { # says WHAT HTML: a page with it is refused with these words
  printf '<html><body id="top">%s</body></html>\n' "$2" >"$site/wrong.html"
  if said=$("$root/build/tools/site/bin/python" "$root/scripts/site/links.py" "$site" 2>&1) || [[ $said != *"wrong.html: "*"$1"* ]]; then
    fail "links.py on $2: $said"
  fi
}
says "no such file" '<a href="nothing.html">a</a>'
says "no such file" '<img src="results/nothing.png">'
says "no such anchor" '<a href="index.html#nothing">a</a>'
says "no such anchor" '<a href="#nothing">a</a>'
says "from another host" '<script src="https://example.org/a.js"></script>'
says "from another host" '<link rel="stylesheet" href="//example.org/a.css">'
says "not relative" '<a href="/index.html">a</a>'
rm "$site/wrong.html"

# What site.sh refuses.
refused() { # refused STATUS WORDS COMMAND...
  local status=0
  "${@:3}" >/dev/null 2>"$folder/said" || status=$?
  [ $status = "$1" ] || fail "${*:3}: status $status"
  grep -q -- "$2" "$folder/said" || fail "${*:3}: $(cat "$folder/said")"
}
echo '[gone](docs/gone.md)' >>"$folder/tree/README.md"
refused 1 'README.md: docs/gone.md: there is no docs/gone.md' "$folder/tree/scripts/site.sh"
[ -e "$site/index.html" ] || fail "the site of before is gone"
mkdir "$folder/other"
touch "$folder/other/file"
refused 2 'is not a site' "$root/scripts/site.sh" "$folder/other"
[ -e "$folder/other/file" ] || fail "a folder that is no site was cleared"
mkdir "$folder/bin"
for tool in bash dirname realpath mkdir ls; do ln -s "$(command -v $tool)" "$folder/bin"; done
refused 3 'python3 is missing' env PATH="$folder/bin" bash "$root/scripts/site.sh" "$folder/none"
[ "$(wc -l <"$folder/said")" = 1 ] || fail "more than a line: $(cat "$folder/said")"

[ $failed = 0 ] && echo "passed"
exit $failed
