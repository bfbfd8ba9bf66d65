#!/usr/bin/env bash
# test_exercise_verdicts.sh: the verdict of scripts/exercise.sh for the results of a check and its two sanitizers, above
# all if one of them could not run to its end: no library, no place in memory, no time. cudabook-nvcc is a stub.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{scripts,answers,lib/cudabook/nvcc}
touch "$folder/lib/cudabook/nvcc/cudabook_runtime_thread.a"
ln -s "$root/scripts/exercise.sh" "$folder/scripts"
ln -s "$root/exercises" "$folder"
cp "$root"/exercises/[0-9][0-9]_*.cu "$folder/answers"
cat >"$folder/scripts/cudabook-nvcc" <<'X'
#!/usr/bin/env bash
case " $* " in
  *' --check=race '*) eval "$RACE" ;;
  *' --check '*) eval "$ACCESS" ;;
  *)
    eval "$COMPILER"
    printf '#!/bin/sh\n%s\n' "$PLAIN" >"${*: -1}"
    chmod +x "${*: -1}"
    ;;
esac
X
chmod +x "$folder/scripts/cudabook-nvcc"
export EXERCISES=$folder/answers CUDABOOK_BUILD=$folder
failed=0

exercise=1
expect() { # expect STATUS WORDS VARIABLE=COMMAND...: the end of exercise.sh for $exercise if the stub runs these commands
  local status=0 said
  said=$(env COMPILER= PLAIN= ACCESS= RACE= "${@:3}" "$folder/scripts/exercise.sh" $exercise 2>&1) || status=$?
  if [ $status = "$1" ] && [[ $said = *"$2"* ]]; then return; fi
  echo "FAILED: ${*:3}: status $status, not $1 with '$2': $said"
  failed=1
}

no_library='echo "/usr/bin/ld: cannot find -ltsan: No such file or directory" >&2; exit 1'
no_place='echo "FATAL: ThreadSanitizer: unexpected memory mapping 0x5f0a2b1c3000-0x5f0a2b1c4000" >&2; exit 1'
bad='echo "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1"; echo "WRITE of size 4"; echo "01_index.cu:3"; exit 1'

expect 0 'Done.'
expect 1 'Wrong:' PLAIN='exit 91' ACCESS='exit 91' RACE='exit 91'
expect 1 'it can be better' PLAIN='exit 92'
expect 1 'did not end as it should' PLAIN='exit 93' ACCESS='exit 93' RACE='exit 93'
expect 1 'did not end as it should' ACCESS='exit 93' RACE='exit 93'
expect 1 'the program crashed' PLAIN='kill -9 $$'
expect 3 'no device' PLAIN='echo no device; exit 94' ACCESS='exit 94' RACE='exit 94'
expect 1 'does not compile' COMPILER='echo "01_index.cu:1:1: error: what" >&2; exit 1'
expect 1 '01_index.cu:3 writes beyond' ACCESS="$bad"

expect 3 'could not be checked for races' RACE="$no_library"
expect 3 'libtsan' RACE="$no_library"
expect 3 'setarch -R' RACE="$no_place"
expect 3 'setarch -R' RACE="$no_place" PLAIN='exit 91' ACCESS='exit 91' # it may be a race
expect 1 'did not end as it should' RACE="$no_place" PLAIN='exit 93' ACCESS='exit 93'
expect 1 '01_index.cu:3 writes beyond' RACE="$no_place" ACCESS="$bad"
expect 3 'could not be checked for bad accesses' ACCESS='echo "/usr/bin/ld: cannot find -lasan" >&2; exit 1'
expect 3 'it took more than 1 s' RACE='sleep 60' EXERCISE_SECONDS=1
expect 3 'it took more than 1 s' ACCESS='sleep 60' EXERCISE_SECONDS=1
expect 3 'could not be compiled' COMPILER='sleep 60' EXERCISE_SECONDS=1
expect 3 'could not be checked for races' RACE='exit 139'

# An exercise whose goal is a prediction: without a prediction nobody knows whether it is done.
exercise=27
expect 0 'Done.'
# shellcheck disable=SC2016 # expanded there
expect 1 'it can be better' PLAIN='[ -z "$EXERCISE_PREDICT" ] || exit 92'
# shellcheck disable=SC2016
expect 3 'no objdump' PLAIN='[ -z "$EXERCISE_PREDICT" ] || { echo no objdump; exit 3; }'
# shellcheck disable=SC2016
expect 3 'The goal could not be checked' PLAIN='[ -z "$EXERCISE_PREDICT" ] || kill -9 $$'
# shellcheck disable=SC2016
expect 3 'it took more than 1 s' PLAIN='[ -z "$EXERCISE_PREDICT" ] || exec sleep 60' EXERCISE_SECONDS=1
exercise=6 # without a goal, a prediction is only said
# shellcheck disable=SC2016
expect 0 'Done.' PLAIN='[ -z "$EXERCISE_PREDICT" ] || exit 3'
exercise=1

# The list has what was checked, and not what was saved while it was checked.
expect 0 'Done.'
if ! [[ $("$folder/scripts/exercise.sh") = 'done  01_index '* ]]; then echo "FAILED: done, and the list does not say so" && failed=1; fi
# shellcheck disable=SC2016 # expanded there
expect 0 'Done.' RACE='echo >>"$EXERCISES/01_index.cu"'
if [[ $("$folder/scripts/exercise.sh") = 'done  01_index '* ]]; then echo "FAILED: done before it was checked" && failed=1; fi

status=0
said=$(COMPILER='' PLAIN='' ACCESS='' RACE=$no_library "$folder/scripts/exercise.sh" --all) || status=$?
if [ $status != 3 ] || ! grep -q '^01_index *machine$' <<<"$said"; then echo "FAILED: --all: status $status: $said" && failed=1; fi
exit $failed
