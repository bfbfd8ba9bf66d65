#!/usr/bin/env bash
# slides.sh [FOLDER [NAME...]]: makes the decks of docs/course/slides/, or those of some samples, as NAME.html and
# NAME.pdf in FOLDER (default: build/course).
#
# An .html contains all its parts, for any browser: arrows, space and clicks turn the slides, `f` is full screen.
# Pandoc, which makes it, comes from PyPI into build/tools, in a fixed version; the .pdf is Chromium's. Exit status 1: a
# deck is wrong, or a slide has more than fits; 3: one of these tools could not be installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$root/build/course}")
if [[ ${1:-} = -* ]]; then
  echo "usage: slides.sh [FOLDER [NAME...]]" >&2
  exit 2
fi
cd "$root"
decks=("${@:2}")
# shellcheck source=scripts/bootstrap.sh
. scripts/bootstrap.sh slides
if ! (from_pypi pandoc 'pypandoc_binary==1.17' --no-deps); then
  echo "slides.sh: pandoc is not to be had from PyPI" >&2
  exit 3
fi
pandoc=$root/build/tools/pandoc/pypandoc/files/pandoc
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
decks=("${decks[@]/#/docs/course/slides/}")
python3 scripts/slides.py --out "$work" "${decks[@]/%/.md}"

browser() { # browser OPTION...: Chromium with a separate home, so that it shares nothing with a browser that is open
  HOME=$work chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" --virtual-time-budget=5000 "$@" 2>"$work/messages"
}
failed=0
for deck in "$work"/*.md; do
  name=$(basename "$deck" .md)
  page=$folder/$name.html
  "$pandoc" --from=markdown-smart-implicit_figures-tex_math_dollars-superscript-subscript-citations --to=html5 --standalone --embed-resources --columns=10000 \
    --syntax-highlighting=kate --template=docs/course/slides/slides.html --metadata pagetitle="$name" --output="$page" "$deck"
  said=$(browser --dump-dom "file://$page?check" | sed -n 's/.*data-wrong="\([^"]*\)" data-slides="\([0-9]*\)".*/\2 slides; \1 wrong/p')
  case $said in
    "$(grep -c '^:::::::: {.slide' "$deck") slides; nothing wrong") ;;
    *)
      echo "slides.sh: $name: ${said:-no page in Chromium}" >&2
      failed=1
      ;;
  esac
  browser --no-pdf-header-footer --print-to-pdf="$folder/$name.pdf" "file://$page" >/dev/null
  pages=$(grep -ac '/Type /Page$' "$folder/$name.pdf") || true
  if [ "$pages slides" != "${said%%;*}" ]; then echo "slides.sh: $name: a PDF of ${pages:-no} pages" >&2 && failed=1; fi
  echo "$folder/$name.pdf: ${said%%;*}"
done
exit $failed
