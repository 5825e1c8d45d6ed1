# SPDX-License-Identifier: Apache-2.0
# The steps of the Dockerfile, run in a clean Debian root in place of a container engine, and the
# result looked at and run as the image would be.

bats_require_minimum_version 1.5.0
load lib/e2e

# shellcheck source=hack/debian-root.sh
source "$REPO/hack/debian-root.sh"

SUITE=bookworm
ROOT="$(debian_root_dir "$SUITE")"

setup_file() {
    debian_root_possible || return 0
    debian_root_make "$SUITE" "$E2E_DIR/log/debootstrap.log"
    rm -rf "$ROOT/image-root"
    # What `COPY . .` would copy.
    debian_root_sources "$SUITE" docs deploy test/e2e
}

setup() { debian_root_possible || skip "needs root and debootstrap"; }

inside() { debian_root_run "$SUITE" "$@"; }

image() { echo "$ROOT/image-root"; }

@test "image: the Dockerfile runs the steps that are tested here" {
    for step in packages build 'root /image-root'; do
        contains "$(cat "$REPO/Dockerfile")" "hack/image-root.sh $step"
    done
    contains "$(cat "$REPO/Dockerfile")" '^USER 4444:4444$'
    contains "$(tail -n 8 "$REPO/Dockerfile")" '^FROM scratch$'
}

@test "image: packages install in a clean Debian root" { inside /src/hack/image-root.sh packages; }

@test "image: the release binary builds there" {
    inside env YK_WERROR=ON /src/hack/image-root.sh build
}

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
