#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The steps of the image, one by one, so that the Dockerfile and the test that runs them in a
# clean Debian root cannot differ.
#
#   hack/image-root.sh packages     install what the build needs
#   hack/image-root.sh libraries    build static libcurl and libldap in build/libraries (hack/image-libraries.sh)
#   hack/image-root.sh build        build the release binary, and only that
#   hack/image-root.sh root DIR     lay out the image's root file system in DIR: the binary, the
#                                   shared libraries it loads, certificates, a user. No shell.
#
# The same sources and packages make the same files with the same times (SOURCE_DATE_EPOCH, 0 if it is not set).
# YK_ARCH=arm64 on another processor builds for arm64 with a cross compiler.
set -euo pipefail

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

IMAGE_USER=4444
LIBRARIES="$REPO/build/libraries"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-0}"
PRESET=release PREFIX="" SEARCH=()
build_arch >/dev/null
if is_cross_build; then
    PRESET=arm64 PREFIX=aarch64-linux-gnu-
    SEARCH=(/lib /lib/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu)
fi

image_packages() {
    if [ "$PRESET" = arm64 ]; then
        dpkg --add-architecture arm64
        apt-get update -qq >&2
        mapfile -t PACKAGES_BUILD < <(cross_packages arm64 "${PACKAGES_BUILD[@]}" "${PACKAGES_ARM64[@]}")
        mapfile -t PACKAGES_LIBRARIES < <(cross_packages arm64 "${PACKAGES_LIBRARIES[@]}")
    fi
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_LIBRARIES[@]}" ca-certificates
}

image_libraries() {
    "$REPO/hack/image-libraries.sh" "$LIBRARIES"
}

image_build() {
    [ -f "$LIBRARIES/lib/libldap.a" ] || die "build/libraries has not been built"
    say "building the release binary"
    (cd "$REPO" && cmake --preset "$PRESET" ${YK_WERROR:+"-DYK_WERROR=$YK_WERROR"} -DYK_LIBRARIES="$LIBRARIES" &&
        cmake --build --preset "$PRESET" --target yunikorn) >&2
}

# The libraries that a program of another processor names, and those that these name.
foreign_libraries_of() {
    local name directory
    while read -r name; do
        for directory in "${SEARCH[@]}"; do
            [ ! -e "$directory/$name" ] || break
        done
        [ -e "$directory/$name" ] || {
            echo "$name not found"
            continue
        }
        echo "$directory/$name"
        foreign_libraries_of "$directory/$name"
    done < <("${PREFIX}objdump" -p "$1" | awk '$1 == "NEEDED" { print $2 }')
}

# Every file the loader maps for a program, itself included.
libraries_of() {
    if [ "$PRESET" = arm64 ]; then
        foreign_libraries_of "$1" | sort -u
        return
    fi
    ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' | sort -u
}

copy_libraries() {
    local library root="$2"
    if libraries_of "$1" | grep -q 'not found'; then
        die "$1 lacks a library"
    fi
    while read -r library; do
        # Under the name the loader asks for; the versioned file behind a link is an accident.
        install -D -m 0755 "$(readlink -f "$library")" "$root$library"
    done < <(libraries_of "$1")
}

# Names and addresses: glibc reads these when it looks up the API server.
write_etc() {
    local etc="$1/etc"
    mkdir -p "$etc/ssl/certs"
    echo "yunikorn:x:$IMAGE_USER:$IMAGE_USER:yunikorn:/:/nonexistent" >"$etc/passwd"
    echo "yunikorn:x:$IMAGE_USER:" >"$etc/group"
    echo "hosts: files dns" >"$etc/nsswitch.conf"
    cp -L /etc/ssl/certs/ca-certificates.crt "$etc/ssl/certs/ca-certificates.crt"
}

image_root() {
    local root="${1:-}" binary="$REPO/build/$PRESET/yunikorn"
    [ -n "$root" ] || die "usage: image-root.sh root DIR"
    [ -x "$binary" ] || die "$binary has not been built"
    mkdir -p "$root"
    install -D -m 0755 "$binary" "$root/usr/bin/yunikorn"
    "${PREFIX}strip" --strip-debug "$root/usr/bin/yunikorn"
    copy_libraries "$binary" "$root"
    write_etc "$root"
    install -D -m 0644 -t "$root/usr/share/doc/yunikorn" "$REPO/LICENSE" "$REPO/NOTICE"
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    say "image root: $(libraries_of "$binary" | wc -l) shared libraries, $(find "$root" -type f | wc -l) files, $(du -sm "$root" | cut -f 1) MB"
}

case "${1:-}" in
packages) image_packages ;;
libraries) image_libraries ;;
build) image_build ;;
root) image_root "${2:-}" ;;
*) die "usage: image-root.sh packages | libraries | build | root DIR" ;;
esac
