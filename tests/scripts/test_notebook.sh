#!/usr/bin/env bash
# test_notebook.sh: the whole notebook docs/course/cudabook.ipynb runs, with the programs of CUDABOOK_BUILD, in a Python
# environment of its own in that folder. Status 77 means that the environment cannot be made here; the last line says
# why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${CUDABOOK_BUILD:?the build folder}")
environment=$build/notebook-environment
export CUDABOOK_BUILD=$build PYTHONDONTWRITEBYTECODE=1

skip() {
  echo "Skipped: $1"
  exit 77
}
if [ ! -e "$environment/ready" ]; then
  rm -rf "$environment"
  "${PYTHON:-python3}" -m venv "$environment" >/dev/null 2>&1 || skip "python3 has no venv (Debian: apt-get install python3-venv)"
  log=$environment/pip.log
  if ! "$environment/bin/pip" install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 15 \
    nbclient ipykernel matplotlib >"$log" 2>&1; then
    skip "nbclient, ipykernel and matplotlib cannot be had from PyPI: $(grep -m 1 ERROR "$log" || tail -n 1 "$log")"
  fi
  touch "$environment/ready"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export IPYTHONDIR=$folder/ipython JUPYTER_CONFIG_DIR=$folder/jupyter MPLCONFIGDIR=$folder/matplotlib
CUDABOOK_NOTEBOOK=$folder/work "$environment/bin/python" "$here/notebook.py" run "$build/notebook-run.ipynb"
echo "passed; with its outputs: $build/notebook-run.ipynb"
