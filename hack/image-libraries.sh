#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds libcurl and libldap as static libraries, from Debian's sources with Debian's fixes:
#
#   hack/image-libraries.sh DIR     installs them in DIR, for cmake -DYK_LIBRARIES=DIR
#
# Debian's own libcurl serves 20 protocols and its libldap uses GnuTLS; together they load 25 further libraries. These
# have HTTP, HTTPS and LDAP over OpenSSL and load none. Needs root, for apt-get. YK_ARCH=arm64 on another processor builds
# them for arm64, with the packages of `hack/image-root.sh packages`.
set -euo pipefail

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -eq 1 ] || die "usage: image-libraries.sh DIR"
mkdir -p "$1"
PREFIX="$(cd "$1" && pwd)"
WORK="$(mktemp -d)"
trap 'rm -rf "$WORK"' EXIT

build_arch >/dev/null
TARGET="$(uname -m)" CMAKE_CROSS=() CONFIGURE_CROSS=()
if is_cross_build; then
    TARGET=aarch64
    CMAKE_CROSS=(--toolchain "$REPO/cmake/arm64.cmake")
    # What `configure` would find by running programs.
    CONFIGURE_CROSS=(--host=aarch64-linux-gnu CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar --with-yielding_select=yes ac_cv_func_memcmp_working=yes)
fi

# The same flags as in cmake/hardening.cmake, and no trace of the folder in which they were built.
CFLAGS="-O2 -fPIC -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
CFLAGS="$CFLAGS -ffile-prefix-map=$WORK=."
[ "$TARGET" != x86_64 ] || CFLAGS="$CFLAGS -fcf-protection"
[ "$TARGET" != aarch64 ] || CFLAGS="$CFLAGS -mbranch-protection=standard"
export CFLAGS
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-0}"

# The sources are on the mirrors that the packages come from, and the same keys sign their lists.
fetch_sources() {
    local apt=(-o "Dir::Etc::sourcelist=$WORK/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$WORK/lists" -o APT::Sandbox::User=root)
    mkdir -p "$WORK/lists/partial"
    # shellcheck disable=SC2016 # the syntax of apt
    apt-get indextargets --format '$(CREATED_BY) $(REPO_URI) $(RELEASE) $(COMPONENT)' |
        awk '$1 == "Packages" { print "deb-src", $2, $3, $4 }' | sort -u >"$WORK/sources.list"
    apt-get "${apt[@]}" update -qq >&2
    (cd "$WORK" && apt-get "${apt[@]}" source -qq curl openldap) >&2
}

build_curl() {
    cmake -S "$WORK"/curl-*/ -B "$WORK/curl" -G Ninja "${CMAKE_CROSS[@]}" -DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX="$PREFIX" \
        -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF \
        -DBUILD_LIBCURL_DOCS=OFF -DBUILD_MISC_DOCS=OFF -DENABLE_CURL_MANUAL=OFF -DHTTP_ONLY=ON -DCURL_USE_OPENSSL=ON \
        -DUSE_NGHTTP2=ON -DCURL_ZLIB=ON -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF \
        -DUSE_LIBIDN2=OFF -DUSE_LIBRTMP=OFF -DCURL_USE_GSSAPI=OFF -DCURL_DISABLE_LDAP=ON -DCURL_DISABLE_LDAPS=ON \
        -DCURL_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt -DCURL_CA_PATH=none
    ninja -C "$WORK/curl" install
}

# Its makefiles build one library after the other. The folders are those of Debian's libldap: it reads /etc/ldap/ldap.conf.
# Headers are those of libldap-dev, the same version.
build_ldap() {
    local part
    cd "$WORK"/openldap-*/
    ./configure "${CONFIGURE_CROSS[@]}" --prefix=/usr --sysconfdir=/etc --localstatedir=/var --with-subdir=ldap --disable-shared --enable-static --disable-slapd \
        --disable-debug --without-systemd --without-cyrus-sasl --with-tls=openssl
    make -C include
    for part in liblutil liblber libldap; do make -C libraries/$part; done
    install -D -m 0644 -t "$PREFIX/lib" libraries/liblber/.libs/liblber.a libraries/libldap/.libs/libldap.a
}

[ "${#CMAKE_CROSS[@]}" -gt 0 ] || need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_LIBRARIES[@]}" ca-certificates
say "fetching the sources of libcurl and libldap"
fetch_sources
say "building libcurl"
build_curl >"$WORK/log" 2>&1 || { tail -n 30 "$WORK/log" >&2 && die "libcurl does not build"; }
say "building libldap"
(build_ldap) >"$WORK/log" 2>&1 || { tail -n 30 "$WORK/log" >&2 && die "libldap does not build"; }
