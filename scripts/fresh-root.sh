#!/usr/bin/env bash
# Tries scripts/exercise.sh, demo.sh and test.sh as a new user would, in a Debian that has only its shell and its
# package manager. It makes this Debian in build/roots/RELEASE and deletes it at the end.
#
#   scripts/fresh-root.sh RELEASE     bookworm (Debian 12), trixie (Debian 13), ...
#
# Exit status 1: one of the scripts failed; 3: this machine cannot make such a root, and the last line on stderr says
# why.
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: fresh-root.sh RELEASE, such as bookworm}
root=$PWD/build/roots/$release
log=$PWD/build/fresh-root-$release.log

cannot() {
  echo "fresh-root.sh: $*" >&2
  exit 3
}
[ "$(id -u)" = 0 ] || cannot "only root may make a root folder of its own"
for tool in debootstrap unshare git; do command -v $tool >/dev/null || cannot "$tool is missing"; done
unshare --mount true 2>/dev/null || cannot "this machine mounts nothing for its programs"

mkdir -p build/roots/packages
rm -rf "$root"
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase --cache-dir="$PWD/build/roots/packages" "$release" "$root" >"$log" 2>&1 ||
  cannot "debootstrap $release failed ($log)"
mkdir "$root/cudabook"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$root/cudabook" 2>>"$log"
cp /etc/resolv.conf "$root/etc/"

# The mounts exist only for these commands.
# shellcheck disable=SC2016 # $0 is the root, to the inner shell
unshare --mount sh -euc '
  mount -t proc proc "$0/proc"
  mount --rbind /dev "$0/dev"
  for command in "exercise.sh 1" demo.sh test.sh; do
    echo "== $command"
    chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root EXERCISES=/cudabook/exercises/solutions /cudabook/scripts/$command
  done' "$root" 2>&1 | tee -a "$log" | sed -un '/^== [a-z]*[.]sh/p;/^== building/p;/^bootstrap: /p;/^ran: /p;/^not run: /p;/^FAILED: /p' || {
  tail -n 40 "$log" >&2
  exit 1
}
