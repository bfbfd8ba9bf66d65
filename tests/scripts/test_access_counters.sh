#!/usr/bin/env bash
# scripts/access-patterns-counters.py: the output of ncu becomes rows of figures for each element.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/report.json" <<'END'
{"results": [{"kernel": "global", "pattern": "rows", "element_bytes": 4, "size_kb": 4},
             {"kernel": "array", "pattern": "random", "element_bytes": 4, "size_kb": 4}]}
END

# Two launches with 1024 elements each. Each metric is 1,024 for the first launch and 2,048 for the second.
print_launches() { # print_launches NAME-OF-SECOND-KERNEL UNIT-OF-MEMORY
  python3 - "$(python3 scripts/access-patterns-counters.py --metrics)" "$@" <<'END'
import sys
metrics, second, unit = sys.argv[1].split(","), *sys.argv[2:]
units = {"gpu__time_duration.sum": "ns", "dram__bytes_read.sum": unit}
def line(cells):
    print(",".join(f'"{cell}"' for cell in cells))
print("==PROF== Connected to process 1\nkernel   memory   checksum")
line(["ID", "Kernel Name", *metrics])
line(["", "", *(units.get(metric, "") for metric in metrics)])
line(["0", "void global_kernel<unsigned int, Fields>(unsigned int *)", *["1,024"] * len(metrics)])
line(["1", f"void {second}<unsigned int, Mixed>(unsigned int *)", *["2,048"] * len(metrics)])
END
}

fail() {
  echo "FAILED: $1"
  exit 1
}

print_launches texture2d_kernel byte >"$folder/ncu.csv"
python3 scripts/access-patterns-counters.py "$folder/report.json" "$folder/ncu.csv" >"$folder/table"
[ "$(wc -l <"$folder/table")" = 3 ] || fail "$(cat "$folder/table")"
[ "$(head -1 "$folder/table" | cut -d, -f1-10)" = \
  kernel,pattern,element_bytes,us,memory_bytes,l2_read_bytes,arrived_bytes,instructions_of_warp,sectors_per_request,hit_percent ] ||
  fail "$(head -1 "$folder/table")"
[ "$(sed -n 2p "$folder/table" | cut -d, -f1-10)" = global,rows,4,1.024,1,32,32,32,1,100 ] || fail "$(sed -n 2p "$folder/table")"
[ "$(sed -n 3p "$folder/table" | cut -d, -f1-10)" = array,random,4,2.048,2,64,64,64,1,100 ] || fail "$(sed -n 3p "$folder/table")"

print_launches texture2d_kernel Kbyte >"$folder/ncu.csv"
python3 scripts/access-patterns-counters.py "$folder/report.json" "$folder/ncu.csv" >"$folder/table"
[ "$(sed -n 2p "$folder/table" | cut -d, -f5)" = 1000 ] || fail "$(sed -n 2p "$folder/table")"

refused() { # refused MESSAGE ARGUMENT...: the script fails with MESSAGE in its output
  local said
  if said=$(python3 scripts/access-patterns-counters.py "${@:2}" 2>&1); then fail "it was accepted: $said"; fi
  [[ $said = *"$1"* ]] || fail "$said"
}
print_launches linear_kernel byte >"$folder/ncu.csv"
refused "is not array's" "$folder/report.json" "$folder/ncu.csv"
head -5 "$folder/ncu.csv" >"$folder/one.csv"
refused "2 results, but 1 launches" "$folder/report.json" "$folder/one.csv"
sed 's/dram__bytes_read/other/' "$folder/ncu.csv" >"$folder/other.csv"
refused "without dram__bytes_read.sum" "$folder/report.json" "$folder/other.csv"
echo "==ERROR== no permission" >"$folder/empty.csv"
refused "no counters" "$folder/report.json" "$folder/empty.csv"
refused "needs pairs" "$folder/report.json"
echo "passed"
