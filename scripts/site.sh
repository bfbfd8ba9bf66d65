#!/usr/bin/env bash
# site.sh [FOLDER]: makes the pages into a website, in FOLDER (default: build/site). It needs python3 with venv; MkDocs
# comes from PyPI into build/tools/site.
#
# Its sources are the Markdown files of the repository (scripts/site/pages.py says how). The slides in build/course/ are
# copied to slides/, and the pages that run in a browser from build/web/site to run/ (scripts/web.sh makes them). A sample's
# page shows the page that runs it. Each link is checked (scripts/site/links.py), and nothing is loaded from another
# host. Source files that a page links are shown in the site; results/ are copied. Any web server will do. Opened from the
# folder, the pages lack only the search and what runs in them.
#
#   CUDABOOK_REPOSITORY=URL  the web address of the repository: then the head of each page and each source file link it
#   CUDABOOK_SITE_URL=URL    the future address of the site, for its sitemap and its page for addresses that are not found
#
# Exit status 1: a link is wrong, MkDocs warns, or a page says something else than on GitHub; 2: FOLDER exists and is
# not a site of this script; 3: python3, venv or PyPI could not be had. Lines on stderr say why.
set -euo pipefail

cannot() { # cannot STATUS WHY
  echo "site.sh: $2" >&2
  exit "$1"
}

if [ $# -gt 1 ] || [[ ${1:-} = -* ]]; then cannot 2 "usage: site.sh [FOLDER]"; fi
root=$(cd "$(dirname "$0")/.." && pwd)
site=$(realpath -m "${1:-$root/build/site}")
cd "$root"
mkdir -p build
if [ -e "$site" ] && [ ! -e "$site/.cudabook-site" ] && { [ ! -d "$site" ] || [ -n "$(ls -A "$site")" ]; }; then
  cannot 2 "$site exists and is not a site of this script: name an empty or a new folder"
fi
command -v python3 >/dev/null || cannot 3 "python3 is missing: install python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || cannot 3 "python3 is older than 3.10"

tools=build/tools/site
wanted=scripts/site/requirements.txt
if ! cmp -s $wanted $tools/requirements.txt; then
  python3 -c 'import venv, ensurepip' 2>/dev/null || cannot 3 "Python's venv is missing: install python3-venv"
  echo "site: getting MkDocs from PyPI" >&2
  rm -rf $tools
  log=build/site-tools.log
  if ! { python3 -m venv $tools && $tools/bin/pip install --disable-pip-version-check --no-cache-dir --retries 1 --timeout 20 -r $wanted; } >$log 2>&1; then
    if grep -qE 'from versions: none|ConnectionError|Max retries|timed out|name resolution|unreachable' $log; then
      cannot 3 "PyPI could not be reached (log: $log)"
    fi
    cannot 1 "MkDocs could not be installed (log: $log)"
  fi
  cp $wanted $tools/
fi

part=$(mktemp -d build/site-part.XXXXXX)
trap 'rm -rf "$part"' EXIT
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
$tools/bin/python scripts/site/pages.py "$root/$part/pages" "$root/$part/site"
for settings in "$part"/pages/*.yml; do
  $tools/bin/mkdocs build --quiet --strict -f "$settings"
done
$tools/bin/python scripts/site/pages.py finish "$part/site"
$tools/bin/python scripts/site/as_on_github.py "$part/site"
$tools/bin/python scripts/site/links.py "$part/site"
touch "$part"/site/.cudabook-site "$part"/site/.nojekyll
rm -rf "$site"
mkdir -p "$(dirname "$site")"
mv "$part/site" "$site"
echo "$site/index.html: the site, in $SECONDS s"
