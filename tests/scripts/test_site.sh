#!/usr/bin/env bash
# scripts/site.sh: the site of this repository, the site of pages in two languages with slides, and refused input.
# Status 77 means that MkDocs is not available.
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
has "$site/matmul/index.html" '<details>' # with a table in it, not the table's source
grep -A 3 '<details>' "$site/matmul/index.html" | grep -q '<table' || fail "the tables of matmul do not fold"
has "$site/heat/kernels/4_texture2d.cuh.html" '<span class="kt">float</span>'
has "$site/docs/drawings/heat-fused.svg" '<svg'
has "$site/results/nvidia-h200/heat.json" '"sample"'
has "$site/index.html" 'data-md-color-scheme=.?slate'
"$root/scripts/site.sh" "$folder/site" >/dev/null 2>&1 || fail "no second time in the same folder"

# A tree with additional pages, one of them also in Chinese, and a deck.
mkdir "$folder/tree"
tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$folder/tree" -x
mkdir -p "$folder/tree/build/course"
ln -s "$root/build/tools" "$folder/tree/build/tools"
# shellcheck disable=SC2016 # Markdown
printf '# Both\n\n[中文](both.zh.md)\n\nSee [a kernel](../heat/kernels/2_blend.cuh#L3).\n\n## One\n\nHere:\n- `a`\n  and\n  1. b\n\n## Two\n' >"$folder/tree/docs/both.md"
printf '[English](both.md)\n\n# 两者\n\n<a id="one"></a>\n## 共享内存（shared memory）\n\n[另一页](other.md)，[内核](../heat/kernels/2_blend.cuh)。\n' >"$folder/tree/docs/both.zh.md"
# shellcheck disable=SC2016
printf '# Other\n\n[one](both.md#one), [two](both.md#two), ![a picture](../results/heat.png)\n\n| a |\n|---|\n| `b\\|c` |\n' >"$folder/tree/docs/other.md"
printf '<html><head><title>A deck</title></head><body><a href="#/2">on</a></body></html>\n' >"$folder/tree/build/course/heat.html"
"$folder/tree/scripts/site.sh" >"$folder/said" 2>&1 || { cat "$folder/said" && fail "two languages"; }
site=$folder/tree/build/site
has "$site/docs/both.html" 'href="../zh/docs/both.html" hreflang="zh"'
has "$site/docs/both.html" 'href="../heat/kernels/2_blend.cuh.html#__codelineno-0-3"'
if grep -q '<p><a href="[^"]*">中文' "$site/docs/both.html"; then fail "two language switches"; fi
has "$site/zh/docs/both.html" 'href="../../docs/both.html" hreflang="en"'
has "$site/zh/docs/both.html" 'href="other.html"'
has "$site/zh/docs/both.html" 'href="../../heat/kernels/2_blend.cuh.html"'
has "$site/zh/docs/other.html" '本页尚无中文版'
has "$site/zh/docs/other.html" 'href="both.html#one"'
has "$site/zh/docs/other.html" 'href="../../docs/both.html#two"' # a heading that the Chinese page lacks
has "$site/zh/docs/other.html" 'src="../../results/heat.png"'
python3 -c 'import json, sys; sys.exit("共享\u200b内存" in str(json.load(open(sys.argv[1], encoding="utf-8"))))' "$site/zh/search/search_index.json" ||
  [ ! -e "$root/docs/glossary.zh.md" ] || fail "the search cuts words of the glossary"
has "$site/slides/index.html" 'href="../slides/heat.html">HTML'

# Faults that links.py finds.
says() { # says WHAT HTML: a page with HTML is refused with the words WHAT
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

# Input that site.sh refuses.
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
