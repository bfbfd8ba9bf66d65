#!/usr/bin/env bash
# test_page.sh: the pages of scripts/lessons.sh in a headless Chromium, see test_page.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$here/../../../scripts/lessons.sh" "$folder"

failed=0
for page in *.html; do
  status=0
  "${PYTHON:-python3}" "$here/test_page.py" "$page" || status=$?
  [ $status != 77 ] || exit 77
  [ $status = 0 ] || { echo "FAILED: $page" && failed=1; }
done
exit $failed
