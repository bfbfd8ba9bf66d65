# shellcheck shell=bash
# The report of test.sh --report: what ran where, as JSON. test.sh sources it.

# A JSON object for each check that ran.
checks_of_report=()
# The commit at the start, since work may go on during the tests. CUDABOOK_COMMIT names it where git cannot.
commit_of_report=${CUDABOOK_COMMIT:-$(git describe --always --dirty --exclude='*' 2>/dev/null || true)}

quoted() { # quoted TEXT: prints a JSON string
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  printf '"%s"' "${text//[[:cntrl:]]/ }"
}

quoted_list() { # quoted_list TEXT...: prints a JSON array of strings
  local text separator=""
  printf '['
  for text; do
    printf '%s%s' "$separator" "$(quoted "$text")"
    separator=", "
  done
  printf ']'
}

# Prints the version of the compiler of a build folder, or nothing.
compiler_of() { # compiler_of PRESET
  local compiler
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "build/$1/CMakeCache.txt" 2>/dev/null)
  [ -z "$compiler" ] || "$compiler" --version | sed -n 1p
}

tests_in() { grep -cE "^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*$1" "$2" || true; } # tests_in RESULT LOG: prints how many tests of ctest's output have this result

# Adds a check to the report. With a preset, the check has run its tests.
report_check() { # report_check NAME SECONDS passed|failed [PRESET]
  local check log
  check=$(printf '{"name": %s, "seconds": %d, "result": "%s"' "$(quoted "$1")" "$2" "$3")
  if [ -n "${4:-}" ]; then
    log=build/$4-tests.log
    check+=$(printf ', "compiler": %s, "passed": %d, "failed": %d, "skipped": %d' "$(quoted "$(compiler_of "$4")")" \
      "$(tests_in '   Passed +[0-9.]+ sec$' "$log")" "$(tests_in '[*][*][*](Failed|Exception|Timeout|Not Run *[^ (])' "$log")" \
      "$(tests_in '[*][*][*](Skipped|Not Run [(]Disabled)' "$log")")
  fi
  checks_of_report+=("$check}")
}

system_here() { # the name of the system, such as Debian GNU/Linux 12 (bookworm)
  local name
  # shellcheck source=/dev/null
  name=$( (. /etc/os-release && echo "$PRETTY_NAME") 2>/dev/null) || name="$(sw_vers -productName 2>/dev/null) $(sw_vers -productVersion 2>/dev/null)" || name=$(uname -sr)
  case $(uname -r) in *[Mm]icrosoft*) name+=" in WSL" ;; esac
  echo "$name"
}

processor_here() { # CUDABOOK_PROCESSOR, or the name of the processor
  local name=${CUDABOOK_PROCESSOR:-}
  [ -n "$name" ] || name=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | sed -n 1p)
  [ -n "$name" ] || name=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | sed -n 1p) # /proc/cpuinfo of ARM64 has no name
  [ -n "$name" ] || name=$(sysctl -n machdep.cpu.brand_string 2>/dev/null) || name="unknown"
  echo "$name"
}

device_here() { # what ran the kernels
  local names
  if [ -n "$nvcc" ] && has_driver && names=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null); then
    sort <<<"$names" | uniq -c | sed 's/^ *1 //; s/^ *\([0-9]*\) /\1 × /' | paste -s -d ',' -
  elif has boost/context/fiber.hpp; then
    echo "emulated GPU"
  else
    echo "CPU"
  fi
}

# Writes the report.
write_report() { # write_report FILE COMMAND NOT_RUN...: NOT_RUN are the things that did not run, each with its reason
  local check separator=""
  {
    printf '{\n  "system": %s,\n  "architecture": %s,\n  "processor": %s,\n' "$(quoted "$(system_here)")" "$(quoted "$(uname -m)")" "$(quoted "$(processor_here)")"
    printf '  "device": %s,\n  "commit": %s,\n' "$(quoted "$(device_here)")" "$(quoted "$commit_of_report")"
    printf '  "date": "%s",\n  "command": %s,\n  "checks": [\n' "$(date +%Y-%m-%d)" "$(quoted "$2")"
    for check in "${checks_of_report[@]}"; do
      printf '%s    %s' "$separator" "$check"
      separator=$',\n'
    done
    printf '\n  ],\n  "not_run": %s\n}\n' "$(quoted_list "${@:3}")"
  } >"$1.part" && mv "$1.part" "$1"
}
