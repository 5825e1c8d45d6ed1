# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the scripts in hack/ share. Source it; it runs nothing by itself.
#
#   REPO         the checkout
#   YK_CACHE     what is built once and kept: ${XDG_CACHE_HOME:-$HOME/.cache}/yunikorn
#   YK_BINARY    the release binary

REPO="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
YK_CACHE="${YK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/yunikorn}"
YK_BINARY="${YK_BINARY:-$REPO/build/release/yunikorn}"

# Debian packages. Keep the list in step with the table in docs/design.md, "Dependencies".
# shellcheck disable=SC2034 # used by the scripts that source this file
PACKAGES_BUILD=(build-essential cmake ninja-build ccache pkg-config libcurl4-openssl-dev libjansson-dev
    libyaml-dev libevent-dev libssl-dev libpcre2-dev libldap-dev zlib1g-dev libcmocka-dev)
# What hack/image-libraries.sh needs besides.
# shellcheck disable=SC2034
PACKAGES_LIBRARIES=(dpkg-dev libnghttp2-dev)
# What unit tests run against.
# shellcheck disable=SC2034
PACKAGES_UNIT=(slapd openssl)
# shellcheck disable=SC2034
PACKAGES_COVERAGE=(lcov)
# shellcheck disable=SC2034
PACKAGES_FUZZ=(clang libclang-rt-dev)
# shellcheck disable=SC2034
PACKAGES_CHART=(bats jq python3 python3-yaml)
# shellcheck disable=SC2034
PACKAGES_E2E=(bats jq curl openssl ca-certificates)

# Packages of a cross build besides these: the compiler here, and libraries of the other architecture (cross_packages).
# shellcheck disable=SC2034
PACKAGES_ARM64=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static)

# Any Go from 1.21 on fetches the toolchain a go.mod asks for by itself; an older one gets this.
GO_TOOLCHAIN=go1.26.8

# Progress goes to stderr: stdout belongs to results.
say() { printf '==> %s\n' "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Seconds since the epoch as an integer; shell arithmetic knows nothing finer.
now() { date +%s; }

package_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# need_packages NAME...: installs what is missing, in one go. On a system without dpkg we can only
# hope that the tools are there under other package names.
need_packages() {
    local package missing=()
    has dpkg-query || return 0
    for package in "$@"; do
        package_installed "$package" || missing+=("$package")
    done
    [ "${#missing[@]}" -eq 0 ] && return 0
    [ "$(id -u)" -eq 0 ] ||
        die "these Debian packages are missing: ${missing[*]}
       install them with: sudo apt-get install ${missing[*]}"
    say "installing ${#missing[@]} Debian packages: ${missing[*]}"
    # A package's own server is not wanted, only its program: RUNLEVEL=1 keeps it from being started.
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

own_arch() { dpkg --print-architecture 2>/dev/null || uname -m; }

# build_arch: the processor to build for, as in Debian: YK_ARCH or this one. Only arm64 can be another one.
build_arch() {
    local own
    own="$(own_arch)"
    case "${YK_ARCH:-$own}" in
    "$own" | arm64) echo "${YK_ARCH:-$own}" ;;
    *) die "a build for $YK_ARCH on $own is not supported" ;;
    esac
}

# Whether that is another one than this machine's.
is_cross_build() { [ "$(build_arch)" != "$(own_arch)" ]; }

# cross_packages ARCH NAME...: prints the packages for a build for ARCH: libraries in ARCH, all else as it is.
cross_packages() {
    local package arch="$1"
    for package in "${@:2}"; do
        case "$package" in
        lib*-cross) echo "$package" ;;
        lib* | zlib*) echo "$package:$arch" ;;
        *) echo "$package" ;;
        esac
    done
}

go_is_recent() {
    local version
    version="$(go env GOVERSION 2>/dev/null)" || return 1
    [[ "$version" =~ ^go1\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 21 ]
}

go_arch() {
    case "$(uname -m)" in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) die "no Go toolchain is known for $(uname -m)" ;;
    esac
}

# Debian 12's Go 1.19 cannot switch toolchains, but it can download one: it is an ordinary module,
# verified by the checksum database like every other. Modules carry no run bits, hence the chmod.
fetch_go_toolchain() {
    local arch answer root
    arch="$(go_arch)"
    say "fetching $GO_TOOLCHAIN"
    answer="$(go mod download -json "golang.org/toolchain@v0.0.1-$GO_TOOLCHAIN.linux-$arch" || true)"
    root="$(sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p' <<<"$answer")"
    [ -d "$root" ] || die "the Go toolchain $GO_TOOLCHAIN could not be downloaded: $answer"
    find "$root/bin" "$root/pkg/tool" -type f -exec chmod +x {} +
    PATH="$root/bin:$PATH"
    export PATH
}

# Puts a Go that is new enough for the pinned modules into PATH.
need_go() {
    if ! has go; then
        need_packages golang-go ca-certificates
    fi
    go_is_recent || fetch_go_toolchain
    # Modules are content-addressed, so neither a workspace nor stray flags may change what is built.
    # Without cgo no C compiler is needed for them either.
    export GOWORK=off GOFLAGS="" CGO_ENABLED=0
}

# build_preset NAME [ARGS]: configures and builds one CMake preset. YK_WERROR=ON in the environment makes warnings
# errors; without it a build directory keeps its setting, and a new one has OFF.
build_preset() {
    local preset="$1"
    say "building preset '$preset'"
    (cd "$REPO" && cmake --preset "$preset" ${YK_WERROR:+"-DYK_WERROR=$YK_WERROR"} && cmake --build --preset "$preset" "${@:2}") >&2
}

# show_progress LOG: copies what a build prints into LOG, and shows one line of it that changes. Without a terminal it
# shows nothing.
show_progress() {
    local line
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        if [ -t 2 ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            printf '\r    %s of %s steps\033[K' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build_quietly [ARGS]: as build_release, with one line of progress instead of the lines of the compiler. These are in
# build/build.log, and their end is shown when the build fails.
build_quietly() {
    local log="$REPO/build/build.log" begun
    if [ "${YK_SKIP_BUILD:-0}" = 1 ] && [ -x "$YK_BINARY" ]; then
        return 0
    fi
    need_packages "${PACKAGES_BUILD[@]}"
    mkdir -p "$REPO/build"
    : >"$log"
    begun="$(now)"
    if [ -x "$YK_BINARY" ]; then
        say "building what has changed (log: build/build.log)"
    else
        say "building (a few minutes, the first time only; log: build/build.log)"
    fi
    if ! build_preset release "$@" 2>&1 | show_progress "$log"; then
        tail -n 40 "$log" >&2
        die "the build failed; the whole log is $log"
    fi
    say "built in $(($(now) - begun)) s"
}

# build_release [ARGS]: the binary that everything outside the unit tests runs, and the benchmarks; ARGS may
# name targets. YK_SKIP_BUILD=1 takes the one that is there (several test files in a row).
build_release() {
    if [ "${YK_SKIP_BUILD:-0}" = 1 ] && [ -x "$YK_BINARY" ]; then
        return 0
    fi
    need_packages "${PACKAGES_BUILD[@]}"
    build_preset release "$@"
}

# wait_until SECONDS COMMAND...: polls until the command succeeds; 1 after the deadline. What takes longer than 3 seconds is
# asked less often: a kubectl that asks needs as much of the processor as what it waits for.
wait_until() {
    local begun=$EPOCHSECONDS seconds="$1"
    shift
    until "$@" >/dev/null 2>&1; do
        [ $((EPOCHSECONDS - begun)) -lt "$seconds" ] || return 1
        if [ $((EPOCHSECONDS - begun)) -le 3 ]; then sleep 0.1; else sleep 0.4; fi
    done
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A loopback port nobody listens on, below the range the kernel hands to outgoing connections. What runs at the same time
# with YK_PORTS=1 has ports of its own: nobody takes one that is between its choice and its use, or that listens again.
free_port() {
    local port
    while :; do
        port=$((20000 + ${YK_PORTS:-0} * 6000 + RANDOM % 6000))
        if port_is_free "$port"; then
            echo "$port"
            return 0
        fi
    done
}

process_gone() { ! kill -0 "$1" 2>/dev/null; }

# stop_pid PID [SECONDS]: asks, waits, and insists after the time given (10 s). Returns when it is gone.
stop_pid() {
    local pid="$1" patience="${2:-10}"
    kill "$pid" 2>/dev/null || return 0
    wait_until "$patience" process_gone "$pid" && return 0
    kill -9 "$pid" 2>/dev/null || true
    wait_until 5 process_gone "$pid"
}
