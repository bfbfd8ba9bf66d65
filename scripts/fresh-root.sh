#!/usr/bin/env bash
# Tries scripts/exercise.sh, demo.sh and test.sh as a new user would, in a Debian that has only its shell and its
# package manager. It makes this Debian in build/roots/RELEASE-ARCHITECTURE and deletes it at the end. test.sh's report
# is build/reports/RELEASE-ARCHITECTURE.json.
#
#   scripts/fresh-root.sh RELEASE [ARCHITECTURE]     bookworm (Debian 12), trixie (Debian 13), ...; arm64
#
# If ARCHITECTURE is not this machine's, QEMU runs the programs, and Debian's cross compiler compiles C++: g++ and binutils
# are installed first, and the compiler of C++, the assembler and the linker are replaced by programs for this machine, of
# the same versions. It takes hours. A command of a page may take ten times as long as elsewhere.
#
# Exit status 1: one of the scripts failed; 3: this machine cannot make such a root, and the last line on stderr says
# why.
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: fresh-root.sh RELEASE [ARCHITECTURE], such as bookworm arm64}
case $(uname -m) in x86_64) here=amd64 ;; aarch64) here=arm64 ;; *) here=$(dpkg --print-architecture) ;; esac
architecture=${2:-$here}
name=$release-$architecture
root=$PWD/build/roots/$name
log=$PWD/build/fresh-root-$name.log
report=build/reports/$name.json

cannot() {
  echo "fresh-root.sh: $*" >&2
  exit 3
}
[ "$(id -u)" = 0 ] || cannot "only root may make a root folder of its own"
for tool in debootstrap unshare git; do command -v $tool >/dev/null || cannot "$tool is missing"; done
unshare --mount true 2>/dev/null || cannot "this machine mounts nothing for its programs"

# Lets the kernel start programs for ARM64 by QEMU, also in a root (flag F), until this script ends.
binfmt=/proc/sys/fs/binfmt_misc
registered=""
run_by_qemu() {
  local settings=/usr/lib/binfmt.d/qemu-aarch64.conf
  [ "$architecture $here" = "arm64 amd64" ] || cannot "it makes roots for this machine's architecture ($here), and on amd64 for arm64 too"
  [ -e $settings ] || cannot "qemu-user-static is missing"
  if [ ! -e $binfmt/register ]; then mount -t binfmt_misc binfmt_misc $binfmt || cannot "this machine has no binfmt_misc"; fi
  if [ ! -e $binfmt/qemu-aarch64 ]; then
    cat $settings >$binfmt/register || cannot "the kernel did not accept QEMU for ARM64 programs (binfmt_misc)"
    registered=yes
  fi
  grep -q '^flags:.*F' $binfmt/qemu-aarch64 || cannot "QEMU for ARM64 programs is registered without flag F (binfmt_misc)"
}

# shellcheck disable=SC2317 # the trap calls it
clean_up() {
  rm -rf --one-file-system "$root"
  [ -z "$registered" ] || echo -1 >"$binfmt/qemu-aarch64"
}

in_root() { # in_root COMMAND...: the mounts exist only for this command
  # shellcheck disable=SC2016 # $0 is the root, to the inner shell
  unshare --mount sh -euc '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"' "$root" "$@"
}

# Installs the compiler in the root, and replaces its parts that take long by the cross compiler's.
install_cross_compiler() {
  in_root dpkg --add-architecture "$here"
  in_root apt-get update
  in_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ binutils
  local version native cross
  version=$(in_root g++ -dumpversion)
  native=$root/usr/lib/gcc/aarch64-linux-gnu/$version
  if [ ! -e "$native/cc1plus" ]; then native=$root/usr/libexec/gcc/aarch64-linux-gnu/$version; fi # since GCC 13
  # shellcheck disable=SC2016 # for the root's shell
  in_root sh -euc 'mkdir -p /opt/cross && cd /opt/cross
    apt-get download "g++-$0-aarch64-linux-gnu:$1" "gcc-$0-aarch64-linux-gnu:$1" "binutils-aarch64-linux-gnu:$1"
    for package in *.deb; do dpkg-deb -x "$package" . && dpkg-deb -f "$package" Depends; done >depends
    tr "," "\n" <depends | sed -n "s/^ *\(lib[a-z0-9.+-]*\).*/\1/p" | grep -vE "cross|-dev|libgcc-s1|^libc6$" | sort -u | sed "s/\$/:$1/" |
      DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends "libc6:$1" "zlib1g:$1"' "$version" "$here"
  cross=$(dirname "$(find "$root/opt/cross/usr" -name cc1plus)")
  cp -a "$root"/opt/cross/usr/lib/x86_64-linux-gnu/*.so* "$root/usr/lib/x86_64-linux-gnu/"
  cp "$cross"/{cc1plus,liblto_plugin.so} "$native/"
  for tool in as ld.bfd; do cp "$root/opt/cross/usr/bin/aarch64-linux-gnu-$tool" "$root/usr/bin/"; done
  # The folders in which the cross compiler looks for headers.
  mkdir -p "$root/usr/aarch64-linux-gnu" "$root/usr/lib/gcc-cross/aarch64-linux-gnu"
  ln -s /usr/include "$root/usr/aarch64-linux-gnu/include"
  ln -s "/usr/lib/gcc/aarch64-linux-gnu/$version" "$root/usr/lib/gcc-cross/aarch64-linux-gnu/$version"
  ln -s "/usr/include/aarch64-linux-gnu/c++/$version" "$root/usr/include/c++/$version/aarch64-linux-gnu"
  rm -r "$root/opt/cross"
}

trap clean_up EXIT
if [ "$architecture" != "$here" ]; then run_by_qemu; fi
mkdir -p build/roots/packages build/reports
rm -rf "$root" "$report"
unshare --mount debootstrap --arch="$architecture" --variant=minbase --cache-dir="$PWD/build/roots/packages" "$release" "$root" >"$log" 2>&1 ||
  cannot "debootstrap $release for $architecture failed ($log)"
mkdir "$root/cudabook"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$root/cudabook" 2>>"$log"
cp /etc/resolv.conf "$root/etc/"
settings=("CUDABOOK_COMMIT=$(git describe --always --dirty --exclude='*')")
if [ "$architecture" != "$here" ]; then
  set +e # a function after `||` would not end at its first error
  (set -e && install_cross_compiler) >>"$log" 2>&1
  installed=$?
  set -e
  [ $installed = 0 ] || cannot "the cross compiler cannot be had ($log)"
  settings+=(CUDABOOK_PATIENCE=10 "CUDABOOK_PROCESSOR=QEMU on $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sed -n 1p)")
fi

status=0
for command in "exercise.sh 1" demo.sh "test.sh --report /cudabook/$report"; do
  echo "== $command"
  # shellcheck disable=SC2086 # a script and its arguments
  in_root env "${settings[@]}" EXERCISES=/cudabook/exercises/solutions /cudabook/scripts/$command || exit 1
done 2>&1 | tee -a "$log" | sed -un '/^== [a-z]*[.]sh/p;/^== building/p;/^bootstrap: /p;/^ran: /p;/^not run: /p;/^FAILED: /p' || status=1
if [ -e "$root/cudabook/$report" ]; then cp "$root/cudabook/$report" "$report"; fi
[ $status = 0 ] || tail -n 40 "$log" >&2
exit $status
