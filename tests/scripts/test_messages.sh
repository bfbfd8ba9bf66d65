#!/usr/bin/env bash
# scripts/messages.py: all messages of the programs have a Chinese translation; a message without a row, a row without a
# message and a wrong row are named.
set -euo pipefail
trap 'echo "FAILED: line $LINENO"' ERR
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
python3 scripts/messages.py --check

# A suite of one program, whose library is in common/.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,common/program,emulator,heat/kernels}
cp scripts/messages.py "$folder/scripts"
touch "$folder/heat/main.cpp"
cat >"$folder/heat/program.cpp" <<'SOURCE'
// throw UsageError("in a comment");
void run() {
    throw UsageError("--size: must not be 0");
    throw MachineError(fmt::format("{} needs {:.1f} GiB"
                                   " of {:>{}}", what(1, "a name"), gib, width, ok ? "this" : "of that"));
    throw MachineError("cannot write '" + name + "': " + std::string(why) + std::to_string(1));
    line.option("--size", size, "The size").in_range(1, 2).that([](int n) { return n > 0; }, "that is positive");
    print("a report's text");
    fail(no_such);
}
const char* const no_such = "there is none";
std::string reason() { return in_mib(free) + " of " + in_mib(total) + " are free"; }
SOURCE
cp "$folder/heat/program.cpp" "$folder/emulator/not_here.cpp"
sed -i 's/The size/Not here/' "$folder/emulator/not_here.cpp"
cp "$folder/emulator/not_here.cpp" "$folder/heat/kernels"

# expect ROWS LINE...: if the table has ROWS, --check prints the lines.
expect() {
  local said status=0 expected
  printf 'constexpr Translation translations[] = {\n%s\n    // ----- what libraries and the system say\n    {"Usage",\n     "用法"},\n};\n' \
    "$1" >"$folder/common/program/chinese.cpp"
  shift
  expected=$(printf '%s\n' "$@")
  said=$(python3 "$folder/scripts/messages.py" --check) || status=$?
  if [ "$said" != "$expected" ] || [[ $status = 0 && $said = *:* ]]; then
    echo "FAILED: status $status: $said"
    exit 1
  fi
}

rows='    {"--size: must not be 0",
     "--size：不能为 0"},
    {"{} needs {} GiB of {}",
     "{}需要 {} GiB，{}"},
    {"of that",
     "那个"},
    {"this",
     "这个"},
    {"cannot write '"'{}': {}{}"'",
     "无法写入 '"'{}'：{}{}"'"},
    {"The size",
     "大小"},
    {"that is positive",
     "为正"},'
own='    {"there is none",
     "没有"},
    {"{} of {} are free",
     "{1} 中的 {0} 空闲"},
    {"a name",
     "名字"},'
table=$folder/common/program/chinese.cpp
expect "$rows
$own" "11 rows, 7 of them found where they are said"
expect "$(tail -n +3 <<<"$rows")" "heat/program.cpp:3: no Chinese in chinese.cpp for \"--size: must not be 0\""
expect "$(head -n -2 <<<"$rows")" "heat/program.cpp:7: no Chinese in chinese.cpp for \"that is positive\""
expect "$rows
    {\"in a comment\",
     \"注释\"}," 'chinese.cpp:16: "in a comment" is in no source'
expect "$rows
    {\"Not here\",
     \"不在这里\"}," 'chinese.cpp:16: "Not here" is in no source'
expect "$rows
$(tail -n +13 <<<"$rows")" 'chinese.cpp:16: "that is positive" is there twice'
expect "${rows/'{}需要 {} GiB，{}'/'{}需要 {} GiB'}" 'chinese.cpp:4: "{} needs {} GiB of {}" is inserted otherwise in "{}需要 {} GiB"'
expect "${rows/大小/网格的大小}" "chinese.cpp:12: \"The size\": docs/glossary.zh.md has another word for \"网格\""
expect "${rows/大小/温度网格的大小}" "8 rows, 7 of them found where they are said"

# Without an option, the script prints the missing rows.
[ "$(python3 "$folder/scripts/messages.py")" = "" ]
sed -i '/The size/,+1d' "$table"
[ "$(python3 "$folder/scripts/messages.py")" = "    // heat/program.cpp:7
    {\"The size\",
     \"\"}," ]
echo "passed"
