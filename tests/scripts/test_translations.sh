#!/usr/bin/env bash
# scripts/translations.py: the pages in Chinese pass --check, and faults are refused with their line.
set -euo pipefail
trap 'echo "FAILED: line $LINENO"' ERR
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
python3 scripts/translations.py --check
[[ $(python3 scripts/translations.py) = *' README.zh.md'* ]]
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
english=$folder/page.md
chinese=$folder/page.zh.md

# expect TEXT LINE...: a page in Chinese with TEXT is refused with the lines, or passes if there are none.
expect() {
  local text=$1 said expected="" status=0
  shift
  (($# == 0)) || expected=$(printf '%s\n' "${@/#/$chinese:}")
  printf '# 页\n\n%s\n' "$text" >"$chinese"
  python3 scripts/translations.py --stamp "$chinese" >/dev/null
  said=$(python3 scripts/translations.py --check "$chinese" 2>&1) || status=$?
  if [ "$said" != "$expected" ] || ((status != ($# > 0))); then
    echo "FAILED: $text: status $status: $said"
    exit 1
  fi
}

refuses() {
  if "$@" >/dev/null 2>&1; then
    echo "FAILED: passes: $*"
    exit 1
  fi
}

cat >"$english" <<'PAGE'
# A page

[中文](page.zh.md)

## Some words

It takes 4.41 ms, not 12 ms, for 8192² [cells](#some-words).
PAGE
expect '8192² 个单元用 4.41 ms。'
expect '用 4.42 ms，或 13 ms。' '5: 4.42 does not stand on page.md'
printf '# Alone\n\n## Some words\n' >"$folder/alone.md"
expect "[词](alone.md#some-words)，[文](nowhere.md)，[锚](#nowhere)，\`[码](nowhere.md)\`" \
  '5: #nowhere: the page has no such anchor' '5: nowhere.md does not exist'
expect '一行
又一行，
and a third
四' '5: a line break between Chinese characters is shown as a space: write a paragraph on one line'
expect '![图](nowhere.png)' '5: nowhere.png does not exist'
expect '<a id="words"></a>
[词](#words)，[页](#页)'

# The commands must be the commands of the English page. A page that is older may lack some.
before=$(cat "$english")
cat >>"$english" <<'PAGE'

```
heat --headless    # no window
```

<!-- commands
minutes: heat --headless
-->
PAGE
expect '```
heat --headless    # 没有窗口
```'
expect '没有命令。' "1: it lacks the English page's command heat --headless"
expect "运行 \`heat --headless\` 和 \`heat --quiet\`。" '5: the English page has no command heat --quiet'
sed -i 's/Some words/More words/; s/#some-words/#more-words/' "$english"
printf '[English](page.md) <!-- translation of page.md, 00000000 -->\n\n# 页\n' >"$chinese"
[ "$(python3 scripts/translations.py --check "$chinese")" = "$chinese is older than page.md" ]
printf '%s\n' "$before" >"$english"

# An older page passes, and is named.
expect '用 4.41 ms。'
sed -i 's/not 12 ms/not 11 ms/' "$english"
[ "$(python3 scripts/translations.py --check "$chinese")" = "$chinese is older than page.md" ]
[ "$(python3 scripts/translations.py "$chinese")" = "older           $chinese" ]
python3 scripts/translations.py --stamp "$chinese" >/dev/null
[ "$(python3 scripts/translations.py "$chinese")" = "up to date      $chinese" ]

# A stale figure, a missing stamp, a missing link.
sed -i 's/4.41/4.43/' "$english"
refuses python3 scripts/translations.py --check "$chinese"
sed -i 's/4.43/4.41/' "$english"
python3 scripts/translations.py --check "$chinese" >/dev/null
sed -i 's/<!--.*-->//' "$chinese"
refuses python3 scripts/translations.py --check "$chinese"
python3 scripts/translations.py --stamp "$chinese" >/dev/null
sed -i '/中文/d' "$english"
[[ $(python3 scripts/translations.py --check "$chinese" 2>&1) = "$chinese:1: page.md has no link to it"* ]]
sed -i '2a [中文](page.zh.md)' "$english"

# Links between pages in Chinese.
printf '# Other\n' | tee "$folder/other.md" >"$folder/another.zh.md"
expect '[另](other.md#other) [页](page.zh.md)'
[ -z "$(python3 scripts/translations.py --link "$chinese")" ]
mv "$folder/another.zh.md" "$folder/other.zh.md"
[ "$(python3 scripts/translations.py --check "$chinese")" = "$chinese links to English pages that have a translation: run scripts/translations.py --link" ]
python3 scripts/translations.py --link "$chinese" >/dev/null
grep -qF '[另](other.zh.md#other) [页](page.zh.md)' "$chinese"
grep -qF '[English](page.md)' "$chinese"

# Generated tables.
sed -n '/<!-- table: heat_shown/,/<!-- end -->/p' docs/notebook/heat.md >"$folder/table"
[ -s "$folder/table" ]
cat "$folder/table" >>"$english"
expect '没有表。' "1: it lacks the English page's table <!-- table: heat_shown cuda -->"
expect "$(cat "$folder/table")"
python3 scripts/tables.py "$chinese" >/dev/null
grep -qF '| 温度网格 |' "$chinese"
python3 scripts/tables.py --check "$chinese"
python3 scripts/translations.py --check "$chinese"
# Other figures in a table make no page older: scripts/tables.py writes them into both.
sed -i '0,/^| 1024² | [0-9]/s//| 1024² | 7/' "$english"
[ "$(python3 scripts/translations.py "$chinese")" = "up to date      $chinese" ]
refuses python3 scripts/translations.py --check "$chinese"
python3 scripts/tables.py "$english" >/dev/null
python3 scripts/translations.py --check "$chinese"
sed -i '0,/^| 1024² | [0-9]/s//| 1024² | 7/' "$chinese"
refuses python3 scripts/tables.py --check "$chinese"
refuses python3 scripts/translations.py --check "$chinese"

# The words of every table become Chinese words, and its numbers stay.
PYTHONPATH=scripts python3 - <<'PYTHON'
import chinese
import tables
import translations

for page in tables.pages():
    if tables.is_chinese(page):
        continue
    for table in tables.MARKER.finditer(page.read_text(encoding="utf-8")):
        made = chinese.table(table[4], page.parent)
        assert sorted(translations.NUMBER.findall(made)) == sorted(translations.NUMBER.findall(table[4])), table[1]
        assert made.count("|") == table[4].count("|") and made.count("\n") == table[4].count("\n"), table[1]
assert chinese.line("| `a` |  | 5 to 7 |  |") == "| `a` |  | 5 到 7 |  |"
assert chinese.text("a copy in its memory, measured in the same run: 4212 GB/s; with a linear filter: 7 Gfetches/s") == \
    "同一次运行中测得的内存复制：4212 GB/s；线性过滤：7 Gfetches/s"
PYTHON
echo "passed"
