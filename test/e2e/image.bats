# SPDX-License-Identifier: Apache-2.0
# The steps of the Dockerfile, run in a clean Debian root in place of a container engine, and the
# result looked at and run as the image would be.

bats_require_minimum_version 1.5.0
load lib/e2e

ROOT="$YK_CACHE/debian-bookworm"

setup_file() {
    can_bootstrap || return 0
    mkdir -p "$YK_CACHE"
    [ -e "$ROOT/.complete" ] || bootstrap
    refresh_sources
}

setup() { can_bootstrap || skip "needs root and debootstrap"; }

can_bootstrap() { [ "$(id -u)" -eq 0 ] && has debootstrap && has unshare; }

# The mirror this machine uses is the one that can be reached.
# shellcheck disable=SC2016 # apt's syntax
mirror() { apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | head -n 1; }

# Once; later runs build in the same root, which by then has the packages.
bootstrap() {
    rm -rf "$ROOT"
    debootstrap --variant=minbase bookworm "$ROOT" "$(mirror)" >"$E2E_DIR/log/debootstrap.log" 2>&1
    touch "$ROOT/.complete"
}

# What `COPY . .` would copy: the files of the checkout, without what was built in it.
refresh_sources() {
    rm -rf "$ROOT/src" "$ROOT/image-root"
    mkdir -p "$ROOT/src"
    tar -C "$REPO" --exclude=./build --exclude=./.git --exclude=./docs --exclude=./deploy --exclude=./test/e2e -cf - . |
        tar -C "$ROOT/src" -xf -
}

# inside COMMAND...: in the root, with name service and /proc, leaving no mounts behind.
inside() {
    cp -L /etc/resolv.conf "$ROOT/etc/resolv.conf" 2>/dev/null || true
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount bash -c 'mount -t proc proc "$0/proc" && cd / && exec chroot "$0" "$@"' "$ROOT" \
        env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"
}

image() { echo "$ROOT/image-root"; }

@test "image: the Dockerfile runs the steps that are tested here" {
    for step in packages build 'root /image-root'; do
        contains "$(cat "$REPO/Dockerfile")" "hack/image-root.sh $step"
    done
    contains "$(cat "$REPO/Dockerfile")" '^USER 4444:4444$'
    contains "$(tail -n 8 "$REPO/Dockerfile")" '^FROM scratch$'
}

@test "image: packages install in a clean Debian root" { inside /src/hack/image-root.sh packages; }

@test "image: the release binary builds there" { inside /src/hack/image-root.sh build; }

@test "image: the root file system is laid out" { inside /src/hack/image-root.sh root /image-root; }

@test "image: the binary runs in it as 4444:4444" {
    run -0 chroot --userspec=4444:4444 "$(image)" /usr/bin/yunikorn version
    [ -n "$output" ]
    chroot --userspec=4444:4444 "$(image)" /usr/bin/yunikorn simulate
}

@test "image: no shell, no package manager, nothing else to run" {
    equal "$(cd "$(image)" && find . -type f -perm /111 ! -name '*.so*' | sort)" ./usr/bin/yunikorn
    equal "$(find "$(image)" -name '*dpkg*' -o -name '*apt*' | head)" ""
    equal "$(find "$(image)" -perm /6000)" ""
    test -s "$(image)/etc/ssl/certs/ca-certificates.crt"
}

@test "image: stays small" {
    size="$(du -sm "$(image)" | cut -f 1)"
    echo "# $size MB" >&3
    [ "$size" -le 60 ]
}
