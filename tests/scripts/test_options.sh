#!/usr/bin/env bash
# test_options.sh BIN: docs/options.md has the options that the programs in the folder BIN print with --help, and no
# others.
set -euo pipefail
bin=$(realpath "$1")
cd "$(dirname "$0")/../.."
failed=0

options() { grep -oE -e '--[a-z][a-z-]*' | sort -u; }
of_section() { # of_section HEADING: the options of this section of the page
  awk -v heading="## $1" '/^## / { inside = $0 == heading } inside' docs/options.md | options
}
compare() { # compare HEADING PROGRAM: HEADING's section and the section of every program have PROGRAM's options
  local page help
  page=$({ of_section "In every program" && of_section "$1"; } | sort -u)
  help=$("$bin/$2" --help | sed -n '/^Options/,/^$/{s/Excludes:.*//;p}' | grep -oE '^ +(-h,)?--[a-z-]+(,--[a-z-]+)*' | options)
  [ "$page" = "$help" ] && return
  echo "FAILED: docs/options.md, $1 (<), and $2 --help (>):" && diff <(echo "$page") <(echo "$help")
  failed=1
}
for program in heat heat_notexture; do compare "heat and heat_notexture" $program; done
for program in tex1dfetch_big tex1dfetch_int2float matmul texture_unit access_patterns occupancy; do compare $program $program; done
exit $failed
