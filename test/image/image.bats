# SPDX-License-Identifier: Apache-2.0
# The steps of the Dockerfile, run in a clean Debian root in place of a container engine, and the
# result looked at and run as the image would be.

bats_require_minimum_version 1.5.0

# shellcheck source=hack/lib.sh
source "$BATS_TEST_DIRNAME/../../hack/lib.sh"
# shellcheck source=hack/debian-root.sh
source "$REPO/hack/debian-root.sh"
# shellcheck source=test/e2e/lib/check.bash
source "$REPO/test/e2e/lib/check.bash"

SUITE=bookworm
ROOT="$(debian_root_dir "$SUITE")"

setup_file() {
    debian_root_possible || return 0
    debian_root_make "$SUITE" "$REPO/build/image/debootstrap.log"
    rm -rf "$ROOT/image-root"
    # What `COPY . .` would copy.
    debian_root_sources "$SUITE" 'docs/[!r]*' 'docs/reference/[!o]*' deploy/kustomize deploy/manifests 'deploy/helm/yunikorn/[!v]*' \
        deploy/helm/yunikorn/values.yaml test/e2e
}

setup() { debian_root_possible || skip "needs root and debootstrap"; }

inside() { debian_root_run "$SUITE" "$@"; }

image() { echo "$ROOT/image-root"; }

@test "image: the Dockerfile runs the steps that are tested here" {
    for step in packages libraries build 'root /image-root'; do
        contains "$(cat "$REPO/Dockerfile")" "hack/image-root.sh $step"
    done
    contains "$(cat "$REPO/Dockerfile")" '^USER 4444:4444$'
    contains "$(cat "$REPO/Dockerfile")" '^FROM scratch$'
    # shellcheck disable=SC2016 # the text of the Dockerfile
    contains "$(cat "$REPO/Dockerfile")" 'org.opencontainers.image.revision="\${REVISION}"'
    # shellcheck disable=SC2016 # the text of the Dockerfile
    contains "$(cat "$REPO/Dockerfile")" 'org.opencontainers.image.base.name="\${BASE}"'
    # A release pins the base by its digest.
    # shellcheck disable=SC2016 # the text of the workflow
    contains "$(cat "$REPO/.github/workflows/release.yml")" 'base=\$base@\$\(docker buildx imagetools inspect'
    contains "$(cat "$REPO/.github/workflows/release.yml")" 'BASE=\$\{\{ steps.source.outputs.base \}\}'
    # The last stage runs nothing: it has no shell.
    equal "$(sed -n '/^FROM scratch/,$p' "$REPO/Dockerfile" | grep -c '^RUN')" 0
}

@test "image: packages install in a clean Debian root" { inside /src/hack/image-root.sh packages; }

@test "image: libcurl and libldap build there" { inside /src/hack/image-root.sh libraries; }

@test "image: the release binary builds there" {
    inside env YK_WERROR=ON YK_SOURCE_REVISION=0123abc /src/hack/image-root.sh build
}

@test "image: the root file system is laid out" { inside /src/hack/image-root.sh root /image-root; }

@test "image: the binary runs in it as 4444:4444" {
    run -0 chroot --userspec=4444:4444 "$(image)" /usr/bin/yunikorn version
    contains "$output" 'revision 0123abc'
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
    [ "$size" -le 24 ]
}

@test "image: the binary loads few libraries, and one TLS stack" {
    libraries="$(inside ldd /image-root/usr/bin/yunikorn | awk '{ print $1 }' | grep -v vdso)"
    echo "# $(wc -l <<<"$libraries") libraries" >&3
    [ "$(wc -l <<<"$libraries")" -le 9 ]
    contains "$libraries" '^libssl'
    [[ "$libraries" != *gnutls* ]]
    [[ "$libraries" != *libcurl* ]]
}

@test "image: the binary is hardened" { inside /src/test/unit/repository/hardening.sh /src/build/release/yunikorn; }

# The second build is in another folder and takes nothing from the compiler cache.
@test "image: two builds are the same byte by byte" {
    [ -n "${YK_NIGHTLY:-}" ] || skip "a second build takes long; YK_NIGHTLY=1 runs it, as the nightly workflow does"
    fingerprint() { tar -C "$1" --sort=name --numeric-owner -cf - . | sha256sum; }
    inside sh -c 'rm -rf /src-again /image-root-again && cp -a /src /src-again && rm -rf /src-again/build'
    inside /src-again/hack/image-root.sh libraries
    inside env CCACHE_DISABLE=1 YK_WERROR=ON YK_SOURCE_REVISION=0123abc /src-again/hack/image-root.sh build
    inside /src-again/hack/image-root.sh root /image-root-again
    diff -r "$(image)" "$ROOT/image-root-again"
    equal "$(fingerprint "$ROOT/image-root-again")" "$(fingerprint "$(image)")"
    rm -rf "$ROOT/src-again" "$ROOT/image-root-again"
}
