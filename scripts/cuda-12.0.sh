#!/usr/bin/env bash
# Assembles in build/tools/cuda-12.0 a toolkit that compiles against CUDA 12.0, the oldest supported version. Needs no
# root.
#
# PyPI has the headers of 12.0 and its assembler, ptxas, but no nvcc before 13.0, and Debian 13's nvcc is 12.4. So the
# front end is that of 12.4, and all its inputs and all later steps are those of 12.0: whatever 12.0 does not declare,
# or its ptxas does not know, is an error. Exceptions: libcu++ is 12.3's, because 12.0's wheel lacks most of it; and
# programs are linked with libcudart.so.12, because there is no static library.
#
# Exit status 3: the toolkit cannot be assembled; the last line on stderr says why.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/tools/cuda-12.0
[ -d $folder ] && exit

cannot() {
  echo "cuda-12.0.sh: $*" >&2
  exit 3
}

keys=/usr/share/keyrings/debian-archive-keyring.gpg
{ command -v apt-get && [ -e $keys ]; } >/dev/null || cannot "Debian's packages and their keys are not here"
[ "$(dpkg --print-architecture)" = amd64 ] || cannot "the wheels are for x86-64"
python3 -c 'import pip' 2>/dev/null || cannot "pip is missing"
[ "$(c++ -dumpversion)" -le 12 ] 2>/dev/null || cannot "CUDA 12.0 takes g++ 12 and older"

part=$PWD/$folder.part
rm -rf "$part"
mkdir -p "$part"/{apt/lists/partial,apt/archives/partial,bin,lib64,include,nvvm,wheels,libcu++}
log=build/cuda-12.0.log
: >$log

# apt-get gets a separate state, so that the system's stays unchanged.
# shellcheck disable=SC2016 # for apt-get
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' |
  grep -v security | head -n 1)
[ -n "$mirror" ] || cannot "none of apt-get's sources is Debian's"
echo "deb [arch=amd64 signed-by=$keys] $mirror trixie non-free" >"$part/apt/sources.list"
apt() {
  (cd "$part/apt" && apt-get -o Dir::Etc::SourceList="$part/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$part/apt/lists" -o Dir::Cache="$part/apt" "$@") >>$log 2>&1
}
{ apt update && apt download nvidia-cuda-toolkit; } || cannot "Debian's nvcc could not be had (log: $log)"
dpkg-deb -x "$part"/apt/nvidia-cuda-toolkit_*.deb "$part/apt/toolkit"

wheels() { # wheels FOLDER REQUIREMENT...
  PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps \
    --only-binary :all: --target "$part/$1" "${@:2}" >>$log 2>&1
}
{ wheels wheels nvidia-cuda-{nvcc-cu12==12.0.140,runtime-cu12==12.0.146,cccl-cu12==12.0.140} &&
  wheels libcu++ nvidia-cuda-cccl-cu12==12.3.101.post1; } || cannot "PyPI's wheels could not be had (log: $log)"

debian=$part/apt/toolkit/usr pypi=$part/wheels/nvidia
mv "$debian"/lib/nvidia-cuda-toolkit/bin/{nvcc,cicc,crt} "$debian"/bin/{cudafe++,fatbinary,nvlink,__nvcc_device_query} "$part/bin"
cp -r "$pypi"/cuda_{runtime,nvcc,cccl}/include "$part"
rm -r "$part/include/cuda"
mv "$part"/libcu++/nvidia/cuda_cccl/include/{cuda,nv} "$part/include"
mv "$pypi/cuda_nvcc/nvvm/libdevice" "$part/nvvm"
mv "$pypi/cuda_nvcc/bin/ptxas" "$part/bin/ptxas-12.0"
mv "$pypi/cuda_runtime/lib/libcudart.so.12" "$part/lib64"
rm -r "$part"/{apt,wheels,libcu++}

# The names under which nvcc and CMake look for the libraries.
ln -s libcudart.so.12 "$part/lib64/libcudart.so"
echo 'INPUT(libcudart.so.12)' >"$part/lib64/libcudart_static.a"
ar rc "$part/lib64/libcudadevrt.a"

cat >"$part/bin/nvcc.profile" <<'END'
TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(_HERE_):
INCLUDES += "-isystem" "$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
END

# The front end writes PTX 8.4; 12.0 knows 8.0.
cat >"$part/bin/ptxas" <<'END'
#!/usr/bin/env bash
for word; do case $word in *.ptx) sed -i 's/^\.version 8\.4$/.version 8.0/' "$word" ;; esac; done
exec "$(dirname "$0")/ptxas-12.0" "$@"
END
chmod +x "$part/bin/ptxas"
mv "$part" $folder
