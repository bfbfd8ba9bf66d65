#!/usr/bin/env bash
# scripts/predictions-compare.py: a prediction and the output of ncu become rows, one for each kernel and size.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/predicted.json" <<'END'
[{"kernel": "sum<float, 4>", "blocks": 6, "threads": 64, "predicted_ms": 0.002, "limited_by": "L2 cache"},
 {"kernel": "sum<float, 4>", "blocks": 7, "threads": 64, "predicted_ms": 0.003, "limited_by": "latency"},
 {"kernel": "copy", "blocks": 1, "threads": 32, "predicted_ms": 0.004, "limited_by": "launch"},
 {"kernel": "print", "blocks": 1, "threads": 32, "predicted_ms": null, "limited_by": null}]
END

print_launches() { # print_launches UNIT-OF-TIME: three launches of sum, and one each of two other kernels
  python3 - "$(python3 scripts/predictions-compare.py --metrics)" "$1" <<'END'
import sys
metrics, unit = sys.argv[1].split(","), sys.argv[2]
def line(cells):
    print(",".join(f'"{cell}"' for cell in cells))
print("==PROF== Connected to process 1")
line(["ID", "Kernel Name", "Block Size", "Grid Size", *metrics])
line(["", "", "", "", unit, *["%"] * (len(metrics) - 1)])
for time in ("9,000", "2,500", "2,000"):
    line(["0", "void cudabook::sum<float, 4>(const T1 *, int)", "(32, 2, 1)", "(3, 2, 1)", time, "20", "30", "70.5", "10"])
line(["3", "copy(int *)", "(32, 1, 1)", "(1, 1, 1)", "5,000", "20", "30", "59.9", "10"])
line(["4", "print()", "(32, 1, 1)", "(1, 1, 1)", "5,000", "20", "30", "59.9", "10"])
END
}

fail() {
  echo "FAILED: $1"
  exit 1
}

print_launches ns >"$folder/ncu.csv"
python3 scripts/predictions-compare.py suite/one "$folder/predicted.json" "$folder/ncu.csv" suite/two "$folder/predicted.json" "$folder/ncu.csv" >"$folder/table"
cat >"$folder/expected" <<'END'
program,kernel,blocks,threads,measured_ms,predicted_ms,limited_by,limited_by_ncu,multiprocessor_percent,L1_percent,L2_percent,device memory_percent
suite/one,sum,6,64,0.0025,0.002,L2 cache,L2,20,30,70.5,10
suite/one,copy,1,32,0.005,0.004,launch,latency,20,30,59.9,10
suite/two,sum,6,64,0.0025,0.002,L2 cache,L2,20,30,70.5,10
suite/two,copy,1,32,0.005,0.004,launch,latency,20,30,59.9,10
END
diff "$folder/expected" "$folder/table" || fail "the table"
print_launches us >"$folder/slow.csv"
python3 scripts/predictions-compare.py one "$folder/predicted.json" "$folder/slow.csv" | grep -q '^one,copy,1,32,5,' || fail "microseconds"

sed 's/,"gpu__time_duration.sum"//; s/,"ns"//; s/,"[259],[05]00"//' "$folder/ncu.csv" >"$folder/throughputs.csv"
python3 scripts/predictions-compare.py one "$folder/predicted.json" "$folder/slow.csv,$folder/throughputs.csv" | grep -q '^one,copy,1,32,5,.*,59.9,10$' ||
  fail "two files"

refused() { # refused MESSAGE ARGUMENT...: the script fails with MESSAGE in its output
  local said
  if said=$(python3 scripts/predictions-compare.py "${@:2}" 2>&1); then fail "it was accepted: $said"; fi
  [[ $said = *"$1"* ]] || fail "$said"
}
sed 's/lts__throughput/other/' "$folder/ncu.csv" >"$folder/other.csv"
refused "without lts__throughput" one "$folder/predicted.json" "$folder/other.csv"
echo "==ERROR== no permission" >"$folder/empty.csv"
refused "no counters" one "$folder/predicted.json" "$folder/empty.csv"
refused "needs a name" one "$folder/predicted.json"
echo "passed"
