# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A Debian root file system of a given release, in which things are built as on that release. Source it after
# hack/lib.sh; it runs nothing by itself.
#
#   debian_root_possible            0 if this machine can make and enter one: root, debootstrap, unshare
#   debian_root_make SUITE LOG      makes $YK_CACHE/debian-SUITE unless a complete one is there; output goes to LOG
#   debian_root_dir SUITE           prints its path
#   debian_root_sources SUITE [EXCLUDE...]   copies the checkout to /src in it, without what was built
#   debian_root_run SUITE COMMAND...         runs a command in it
#
# SUITE may have a suffix, such as bookworm-arm64, for another root of that release.
#
# A root is kept with the packages and the compiler cache that earlier runs left in it. Remove the folder to start
# again.

debian_root_dir() { echo "$YK_CACHE/debian-$1"; }

debian_root_possible() { [ "$(id -u)" -eq 0 ] && has debootstrap && has unshare; }

# The mirror of this machine's own apt configuration: it can be reached.
# shellcheck disable=SC2016 # apt's syntax
debian_root_mirror() { apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | head -n 1; }

# `.complete` marks a root that debootstrap finished.
debian_root_make() {
    local suite="$1" log="$2" root mirror
    root="$(debian_root_dir "$suite")"
    [ ! -e "$root/.complete" ] || return 0
    mirror="$(debian_root_mirror)"
    [ -n "$mirror" ] || return 1
    mkdir -p "$YK_CACHE" "$(dirname "$log")"
    rm -rf "$root"
    debootstrap --variant=minbase "${suite%%-*}" "$root" "$mirror" >"$log" 2>&1 || return 1
    touch "$root/.complete"
}

debian_root_sources() {
    local root exclude=(--exclude=./build --exclude=./.git)
    root="$(debian_root_dir "$1")"
    shift
    while [ $# -gt 0 ]; do
        exclude+=("--exclude=./$1")
        shift
    done
    rm -rf "$root/src"
    mkdir -p "$root/src"
    tar -C "$REPO" "${exclude[@]}" -cf - . | tar -C "$root/src" -xf -
}

# With name service and /proc. The mounts end with the command.
debian_root_run() {
    local root
    root="$(debian_root_dir "$1")"
    shift
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount bash -c 'mount -t proc proc "$0/proc" && cd / && exec chroot "$0" "$@"' "$root" \
        env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"
}
