#!/usr/bin/env bash
# web.sh [FOLDER]: compiles samples to WebAssembly, with the emulated GPU, and writes the pages on which they run to
# FOLDER (default: build/web/site). Any web server will do; the pages load nothing from another host. site.sh copies
# build/web/site into the website.
#
# The compiler is Emscripten 3.1.69 or newer: this machine's emcc or, where root can make one, that of a Debian 13 in
# build/roots/web (2 GB, kept for the next time).
#
# Exit status 1: something did not compile; 2: wrong usage; 3: the compiler or a library could not be had. Lines on
# stderr say why.
set -euo pipefail
cannot() {
  echo "web.sh: $2" >&2
  exit "$1"
}
inside=${CUDABOOK_WEB_ROOT:-} # set in the Debian 13 of this script
build=build/web/emscripten
if [ -n "$inside" ]; then build=build/web/debian-13; fi
if [ $# -gt 1 ] || [[ ${1:-} = -* ]]; then cannot 2 "usage: web.sh [FOLDER]"; fi
repository=$(cd "$(dirname "$0")/.." && pwd)
site=$(realpath -m "${1:-$repository/build/web/site}")
cd "$repository"

is_new_enough() { # is_new_enough EMCC
  local version
  version=$("$1" --version 2>/dev/null | sed -n '1s/.* \([0-9]*[.][0-9]*[.][0-9]*\) .*/\1/p')
  [ -n "$version" ] && [ "$(printf '3.1.69\n%s\n' "$version" | sort -V | head -n 1)" = 3.1.69 ]
}

# Gathers the headers of {fmt}, nlohmann-json, CLI11, Highway and Boost, which every build takes from the package manager.
# The folder has nothing else, because headers of this machine's C library must not be found. In the Debian 13 it has
# the sources of zlib and libpng too; elsewhere Emscripten gets these.
gather_libraries() {
  local library header folder
  rm -rf build/web/libraries
  mkdir -p build/web/libraries
  for library in fmt/format.h nlohmann/json.hpp CLI/CLI.hpp hwy/highway.h boost/context/stack_context.hpp; do
    header=
    for folder in /usr/include /usr/local/include; do
      if [ -z "$header" ] && [ -e "$folder/$library" ]; then header=$folder/${library%%/*}; fi
    done
    [ -n "$header" ] || cannot 3 "$library is missing: install {fmt}, nlohmann-json, CLI11, Highway and Boost (scripts/bootstrap.sh build does)"
    ln -s "$header" build/web/libraries/
  done
  if [ -n "$inside" ]; then ln -s /usr/local/src/zlib /usr/local/src/libpng build/web/libraries/; fi
}

compile() {
  gather_libraries
  emcmake cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCUDABOOK_WEB_LIBRARIES="$repository/build/web/libraries" >build/web/configure.log 2>&1 ||
    cannot 1 "configuring failed (build/web/configure.log)"
  ninja -k 0 -C "$build" >build/web/build.log 2>&1 || {
    grep -E 'error|FAILED' build/web/build.log | head -n 20 >&2
    cannot 1 "compiling failed (build/web/build.log)"
  }
}

# Makes a Debian 13 with Emscripten in build/roots/web. A root that has been made before is used again.
make_root() {
  local root=$repository/build/roots/web log=$repository/build/roots/web.log
  local packages='emscripten cmake ninja-build python3 libfmt-dev nlohmann-json3-dev libcli11-dev libhwy-dev libboost-dev'
  if [ "$(cat "$root/made" 2>/dev/null)" = "$packages" ]; then return; fi
  echo "web: getting Emscripten with a Debian 13 (log: build/roots/web.log)" >&2
  rm -rf "$root"
  mkdir -p build/roots/packages
  debootstrap --variant=minbase --cache-dir="$repository/build/roots/packages" trixie "$root" >"$log" 2>&1 ||
    cannot 3 "debootstrap trixie failed ($log)"
  cp /etc/resolv.conf "$root/etc/"
  # zlib and libpng are compiled from their sources. Debian's patches are not needed.
  # shellcheck disable=SC2016 # $0 is the packages, to the inner shell
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive bash -euc '
    sed "s/^deb /deb-src /" /etc/apt/sources.list >/etc/apt/sources.list.d/sources.list
    apt-get update
    apt-get install -y --no-install-recommends $0
    cd /usr/local/src
    apt-get source --tar-only zlib libpng1.6
    for archive in *.orig.tar.*; do tar xf "$archive"; done
    mv zlib-*/ zlib
    mv libpng-*/ libpng' "$packages" >>"$log" 2>&1 || cannot 3 "Emscripten could not be installed ($log)"
  echo "$packages" >"$root/made"
}

compile_in_root() {
  [ "$(id -u)" = 0 ] || cannot 3 "Emscripten 3.1.69 or newer is missing (emcc): get it from https://emscripten.org, or run this as root"
  for tool in debootstrap unshare; do
    command -v $tool >/dev/null || cannot 3 "Emscripten 3.1.69 or newer is missing (emcc), and so is $tool, which would get it"
  done
  unshare --mount true 2>/dev/null || cannot 3 "Emscripten 3.1.69 or newer is missing (emcc), and this machine mounts nothing for its programs"
  make_root
  mkdir -p build/roots/web/cudabook
  # The mounts exist only for these commands.
  # shellcheck disable=SC2016 # $0 and $1 are the inner shell's
  unshare --mount sh -euc '
    mount -t proc proc "$0/proc"
    mount --bind "$1" "$0/cudabook"
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CUDABOOK_WEB_ROOT=yes /cudabook/scripts/web.sh' \
    build/roots/web "$repository"
}

if [ -z "$inside" ] && [ -e "$site" ] && [ ! -e "$site/module/heat.wasm" ] &&
  { [ ! -d "$site" ] || [ -n "$(ls -A "$site")" ]; }; then
  cannot 2 "$site exists and is not a folder of this script: name an empty or a new folder"
fi
mkdir -p build/web
[ -w build/web ] || cannot 3 "build/web cannot be written"
if is_new_enough emcc; then compile; else
  [ -z "$inside" ] || cannot 3 "the emcc of Debian 13 is too old"
  build=build/web/debian-13
  compile_in_root
fi
if [ -n "$inside" ]; then exit; fi

part=$(mktemp -d build/web/part.XXXXXX)
trap 'rm -rf "$part"' EXIT
chmod 755 "$part"
cp web/pages/* "$part/"
mkdir "$part/module"
cp "$build"/bin/*.js "$build"/bin/*.wasm "$part/module/"
rm -rf "$site"
mkdir -p "$(dirname "$site")"
mv "$part" "$site"
echo "$site/index.html: the pages, in $SECONDS s"
