#!/usr/bin/env bash
# Writes the GPU's counters for matmul's kernels at 4096x4096x4096 to results/matmul-counters-DEVICE.csv. Needs ncu
# (Nsight Compute) and a driver that permits counting. The clocks stay as they are. The program is
# build/default/bin/matmul, or $1.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/default/bin/matmul}

metrics=(
  gpu__time_duration.sum
  sm__cycles_elapsed.avg.per_second
  sm__warps_active.avg.pct_of_peak_sustained_active
  smsp__issue_active.avg.pct_of_peak_sustained_active
  smsp__inst_executed.sum
  sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
  sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed
  l1tex__t_sector_hit_rate.pct
  l1tex__t_bytes.sum
  l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed
  l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed
  l1tex__texin_requests.avg.pct_of_peak_sustained_elapsed
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum
  lts__t_sector_hit_rate.pct
  lts__t_bytes.sum
  dram__bytes.sum
  smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio
  smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio
  smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio
  smsp__average_warps_issue_stalled_tex_throttle_per_issue_active.ratio
  smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
  smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio
)
list=$(IFS=,; echo "${metrics[*]}")
device=$(nvidia-smi --query-gpu=name --format=csv,noheader -i 0 | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9]\+/-/g')
file=results/matmul-counters-$device.csv

# Each kernel is launched twice, to be checked and to be timed; the counters are those of the second launch.
ncu --clock-control none --csv --page raw --kernel-name regex:'naive|texture|tiled|registers|vectorized|pipelined|transpos|small_tiles|tf32|warpgroups|maxima|pack' \
  --metrics "$list" "$program" --size 4096 --kernel all --quiet 2>/dev/null | grep '^"' |
  python3 -c '
import csv, re, sys
rows = list(csv.reader(sys.stdin))
names, units = rows[0], rows[1]
wanted = ["Kernel Name"] + sys.argv[1].split(",")
columns = [names.index(name) for name in wanted]
last = {row[names.index("Kernel Name")]: row for row in rows[2:]}
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["kernel" if names[i] == "Kernel Name" else f"{names[i]} {units[i]}".strip() for i in columns])
for row in last.values():
    out.writerow([re.sub(r"^void |\w+::", "", row[i].split("(")[0]) if names[i] == "Kernel Name" else row[i].replace(",", "") for i in columns])
' "$list" >"$file"
echo "wrote $file"
