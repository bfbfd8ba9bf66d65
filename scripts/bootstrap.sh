#!/usr/bin/env bash
# Installs what cudabook needs and this machine lacks (packages.sh), and chooses nvcc and the GPUs to compile for.
# The other scripts source it; it also runs alone:
#
#   scripts/bootstrap.sh build|test|checks|release|benchmark|slides
#
# If nothing is missing, it only checks. Exit status 3: it cannot install something that is missing; stderr names it.
#
#   CUDABOOK_CUDA=auto  (default) with an NVIDIA driver, the CUDA toolkit of this machine or, if it has none, PyPI's;
#                       without, none, except for checks and release, which compile for GPUs that this machine lacks
#   CUDABOOK_CUDA=on    the toolkit of this machine, with or without a driver
#   CUDABOOK_CUDA=pypi  PyPI's toolkit, even if this machine has one
#   CUDABOOK_CUDA=none  no CUDA
#
# It sets for the script that sources it: PATH, CUDACXX, $nvcc, $preset (the CMake preset to build) and build().
set -eo pipefail
[ "${BASH_VERSINFO[0]}" -lt 5 ] || set -u # macOS's bash, 3.2, takes an empty array for an unset variable
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${CUDABOOK_CUDA:=auto} in
  auto | on | pypi | none) ;;
  *)
    echo "bootstrap.sh: CUDABOOK_CUDA=$CUDABOOK_CUDA: use auto, on, pypi or none" >&2
    exit 2
    ;;
esac

# shellcheck source=scripts/packages.sh
. scripts/packages.sh "${1:-}"
if [ "$1" = slides ]; then # nothing is built
  if [ "$0" = "${BASH_SOURCE[0]}" ]; then exit; fi
  return
fi

has_driver() {
  command -v nvidia-smi >/dev/null || [ -e /dev/nvidiactl ] || [ -e /proc/driver/nvidia/version ] ||
    [ -e /usr/lib/wsl/lib/libcuda.so.1 ]
}

# Prints the newest CUDA version that the NVIDIA driver runs, as "13 0". Prints nothing if there is no driver.
driver_version() {
  python3 -c '
import ctypes
for name in "libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1":
    try:
        library = ctypes.CDLL(name)
    except OSError:
        continue
    version = ctypes.c_int()
    if library.cuDriverGetVersion(ctypes.byref(version)) == 0:
        print(version.value // 1000, version.value % 1000 // 10)
        break
else:
    raise SystemExit(1)
' 2>/dev/null || nvidia-smi 2>/dev/null | sed -n 's/.*CUDA[A-Z ]*Version: *\([0-9]*\)\.\([0-9]*\).*/\1 \2/p' || true
}

# Prints the compute capabilities of this machine's GPUs, one per line.
gpus() { nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sort -u; }

# The architectures for which the suite can be compiled. cmake/cuda.cmake reads the list too.
known_architectures=$(cat cmake/architectures.txt)
if grep -qvx '[0-9][0-9]*a\{0,1\}' <<<"$known_architectures"; then
  say "cmake/architectures.txt: each line must be an architecture such as 75 or 90a"
  exit 3
fi

# architecture_of GPU: prints the architecture of the list whose machine code the GPU runs: its own compute capability,
# or the next older one of the same generation. Status 1 if there is none.
architecture_of() {
  local one number found=
  for one in $known_architectures; do
    number=${one%a}
    if [ "${1%.*}" = "${number%?}" ] && [ "${1#*.}" -ge "${number: -1}" ]; then found=$one; fi
  done
  [ -n "$found" ] && echo "$found"
}

# Whether the list has such an architecture for each GPU of this machine.
has_machine_code() {
  local all gpu
  all=$(gpus) && [ -n "$all" ] || return 1
  for gpu in $all; do architecture_of "$gpu" >/dev/null || return 1; done
}

# Prints CMAKE_CUDA_ARCHITECTURES for this machine's GPUs. For a GPU that this nvcc does not know it is the newest PTX,
# which the driver compiles. Without a GPU it is the first architecture of the list, with its PTX for all others.
architectures_here() {
  local known gpu one newest=75 list=()
  known=$("$nvcc" --list-gpu-code)
  for one in $known_architectures; do if grep -qx "sm_${one%a}" <<<"$known"; then newest=${one%a}; fi; done
  for gpu in $(gpus); do
    if one=$(architecture_of "$gpu") && grep -qx "sm_${one%a}" <<<"$known"; then
      list+=("$one-real")
    else
      list+=("$newest-virtual")
    fi
  done
  if [ ${#list[@]} = 0 ]; then read -r one <<<"$known_architectures" && list=("$one"); fi
  printf '%s\n' "${list[@]}" | sort -u | paste -s -d ';' -
}

version_of() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p'; } # version_of NVCC

# Whether this machine runs the output of NVCC: all of it if the driver is as new; only machine code within a major
# version; nothing across major versions. Without a driver nothing runs, so every NVCC suits.
suits_driver() { # suits_driver NVCC
  local driver version
  driver=$(driver_version)
  driver=${driver/ /.} version=$(version_of "$1")
  if [ -z "$driver" ] || at_least "$driver" "$version"; then return; fi
  if [ "${driver%.*}" != "${version%.*}" ]; then
    say "$1 is left out: this driver runs CUDA $driver and nothing of $version"
    return 1
  fi
  if ! has_machine_code; then
    say "$1 is left out: of CUDA $version this driver for $driver runs machine code alone, and there is none for this GPU"
    return 1
  fi
}

# Finds the first nvcc of this machine that is new enough, and not too new for the driver. Debian 12's nvcc is 11.8.
find_nvcc() {
  local nvcc version seen=" "
  for nvcc in "${CUDACXX:-}" nvcc "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" "${CUDA_PATH:+$CUDA_PATH/bin/nvcc}" \
    /usr/local/cuda/bin/nvcc $(compgen -G '/usr/local/cuda-*/bin/nvcc' | sort -rV); do
    nvcc=$(command -v "$nvcc") || continue
    case $seen in *" $(readlink -f "$nvcc") "*) continue ;; esac
    seen+="$(readlink -f "$nvcc") "
    version=$(version_of "$nvcc")
    if ! at_least "$version" 12.0; then
      say "$nvcc is too old${version:+ ($version)}: CUDA 12.0 is the oldest that will do"
    elif suits_driver "$nvcc"; then
      echo "$nvcc"
      return
    fi
  done
  return 1
}

# Gets the newest toolkit of PyPI that is not newer than the driver. 13.0, the first with nvcc on PyPI (the 12.x wheels
# have only ptxas), serves for cross-building: it runs on every 13.x driver.
toolkit_from_pypi() {
  local major=13 minor=0 below=14
  local cuda=$PWD/build/tools/cuda/nvidia/cu13
  if [ ! -d build/tools/cuda ]; then
    if has_driver; then
      need=(python3 pip.py) want=()
      provide
      read -r major minor < <(driver_version) || { [ "$CUDABOOK_CUDA" = pypi ] || return 1; }
    fi
    if [ "${major:=13}" -lt 13 ]; then
      say "this driver runs CUDA $major.$minor and PyPI's nvcc begins at 13.0: install CUDA $major's toolkit or driver 580"
      [ "$CUDABOOK_CUDA" = pypi ] || return 1
      below=13.1
    elif [ "$major" = 13 ]; then
      below=13.$((minor + 1))
    fi
    from_pypi cuda "cuda-toolkit[nvcc,cudart,cccl]>=13.0,<$below" || return 1
  fi
  # The names under which CMake looks for the libraries.
  ln -sfn lib "$cuda/lib64"
  ln -sfn libcudart.so.13 "$cuda/lib/libcudart.so"
  nvcc=$cuda/bin/nvcc
}

preset=default
nvcc=
case $CUDABOOK_CUDA in
  none) preset=cpu ;;
  on)
    if ! nvcc=$(find_nvcc); then
      say "CUDABOOK_CUDA=on: no nvcc of CUDA 12.0 or newer is here; CUDABOOK_CUDA=pypi gets PyPI's"
      exit 3
    fi
    ;;
  auto)
    if has_driver || [[ $1 = checks || $1 = release ]]; then
      if ! nvcc=$(find_nvcc) && has_driver && toolkit_from_pypi && ! suits_driver "$nvcc"; then nvcc=; fi
    fi
    ;;
  pypi)
    if ! toolkit_from_pypi; then
      say "PyPI's CUDA toolkit could not be had"
      exit 3
    fi
    ;;
esac
if [ -n "$nvcc" ]; then
  export CUDACXX=$nvcc
  case $1 in
    checks) architectures=$({ echo 75-real 90a-real; [ -z "$(gpus)" ] || architectures_here; } | tr -s ' ;' '[\n*]' | sort -u | paste -s -d ';' -) ;;
    release) architectures= ;; # CMake's own list
    *) architectures=$(architectures_here) ;;
  esac
  if [ "$1" = release ]; then
    say "CUDA by $nvcc, for every GPU"
  elif [ "$1" = checks ]; then
    say "CUDA by $nvcc, for the oldest and the newest architecture that matter ($architectures)"
  elif [ -n "$(gpus)" ]; then
    say "CUDA by $nvcc, for the GPUs of this machine ($architectures)"
  else
    say "CUDA by $nvcc; no GPU is here: for $architectures, with PTX for newer ones"
  fi
else
  unset CUDACXX
  if [ "$CUDABOOK_CUDA" = auto ] && ! has_driver; then
    say "no GPU is here: building for the CPU (CUDABOOK_CUDA=on compiles the CUDA code too)"
  else
    say "no CUDA: building for the CPU alone"
  fi
fi
export PATH

cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# Shows how far a long work is: on a terminal in one line, elsewhere with a line each minute.
show_progress() { # show_progress LINE
  if [ -t 1 ]; then
    printf '\r\033[K%.79s' "$1"
  elif [ $((SECONDS - progress_shown)) -ge 60 ]; then
    progress_shown=$SECONDS
    printf '%s\n' "$1"
  fi
}

# Appends its input to LOG, and shows ninja's progress.
ninja_progress() { # ninja_progress LOG
  local line progress_shown=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    if [[ $line == \[* ]]; then show_progress "$line"; fi
  done 3>>"$1"
  if [ -t 1 ]; then printf '\r\033[K'; fi
}

# build PRESET [TARGET...]: builds quietly, unless it fails. The presets default and dev compile for $architectures, the
# others for the architectures that they name.
build() {
  local preset=$1 log=build/$1.log compiler=build/$1/compilers settings=() start=$SECONDS
  shift
  mkdir -p "build/$preset"
  # Without --fresh CMake would keep the compilers, or the lack of one, of its first run.
  [ "$(cat "$compiler" 2>/dev/null)" = "${CUDACXX:-none} ${CXX:-}" ] || settings=(--fresh)
  echo "== building $preset (log: $log)"
  case $preset in
    default | dev)
      if [ -z "$nvcc" ]; then
        settings+=(-DCUDABOOK_CUDA=OFF)
      elif [ -n "$architectures" ]; then
        settings+=("-DCMAKE_CUDA_ARCHITECTURES=$architectures")
      else
        settings+=(-U CMAKE_CUDA_ARCHITECTURES)
      fi
      ;;
  esac
  if ! { cmake --preset "$preset" "${settings[@]}" && echo "${CUDACXX:-none} ${CXX:-}" >"$compiler"; } >"$log" 2>&1 </dev/null ||
    ! cmake --build "build/$preset" ${1:+--target "$@"} 2>&1 </dev/null | ninja_progress "$log"; then
    tail -n 40 "$log" >&2
    return 1
  fi
  echo "built in $((SECONDS - start)) s"
}
