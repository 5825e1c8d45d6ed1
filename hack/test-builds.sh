# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Parts of hack/test.sh that build in Debian roots: debian13, compilers, arm64. Source it after hack/debian-root.sh. It calls
# count, count_totals, took, part_failed and part_skipped of hack/test.sh.

# builds_root ROOT LOG: makes the root unless it is there, and copies the checkout into it. 1: not possible, and counted
# as skipped.
builds_root() {
    if [ "$(id -u)" -eq 0 ] && ! has debootstrap; then need_packages debootstrap || true; fi
    debian_root_possible || {
        part_skipped "$1 skipped: it needs root, debootstrap and unshare"
        return 1
    }
    say "making the root $1 unless there is one"
    debian_root_make "$1" "$2/debootstrap.log" || {
        part_skipped "$1 skipped: debootstrap fails: $(tail -n 1 "$2/debootstrap.log" 2>/dev/null)"
        return 1
    }
    debian_root_sources "$1"
}

# Whether the mirror answers in the root: without one, packages that are missing are no fault of ours.
builds_online() { debian_root_run "$1" apt-get update -qq --error-on=any >/dev/null 2>&1; }

# builds_step ROOT LOG NAME COMMAND...: one test; its output is in LOG/NAME.log.
builds_step() {
    local root="$1" log="$2/$3.log" name="$3"
    if debian_root_run "$root" env YK_WERROR="$YK_WERROR" "${@:4}" >"$log" 2>&1; then
        say "ok: $name"
        count 1 0 0
    else
        tail -n 40 "$log" >&2
        part_failed "$name fails in the root $root"
        return 1
    fi
}

# --- debian13 --------------------------------------------------------------------------------

DEBIAN13=trixie

# run_debian13 PRESET...: the totals of the run in the root are added to ours.
run_debian13() {
    local log="$REPO/build/debian13" begun
    begun="$(now)"
    mkdir -p "$log"
    builds_root "$DEBIAN13" "$log" || return 0
    say "building and testing in Debian 13: $*; log in build/debian13/log"
    debian_root_run "$DEBIAN13" env YK_WERROR="$YK_WERROR" /src/hack/test.sh quick "$@" >"$log/totals" 2>"$log/log" || true
    if count_totals "$log/totals" debian13; then
        grep -q ' 0 failed' "$log/totals" || tail -n 60 "$log/log" >&2
    elif builds_online "$DEBIAN13"; then
        tail -n 60 "$log/log" >&2
        part_failed "debian13 ended without a result"
    else
        part_skipped "debian13 skipped: its packages are missing and the mirror does not answer"
    fi
    took debian13 "$begun"
}

# --- compilers -------------------------------------------------------------------------------

# Names and versions are apart so that no script names a package of one release.
COMPILERS_BOOKWORM=("gcc 12" "clang 14" "clang 15" "clang 16")
COMPILERS_TRIXIE=("gcc 13" "gcc 14" "clang 17" "clang 18" "clang 19")

# compilers_of ROOT WANTED COMPILER...: WANTED is "" or a list of names between spaces.
compilers_of() {
    local root="$1" wanted="$2" log="$REPO/build/compilers" compiler names=()
    for compiler in "${@:3}"; do
        compiler="${compiler/ /-}"
        [ -n "$wanted" ] && [[ "$wanted" != *" $compiler "* ]] || names+=("$compiler")
    done
    [ "${#names[@]}" -gt 0 ] || return 0
    builds_root "$root" "$log" || return 0
    # shellcheck disable=SC2016 # for the shell in the root
    builds_step "$root" "$log" "packages-$root" bash -c 'cd /src && . hack/lib.sh &&
        need_packages "${PACKAGES_BUILD[@]}" "$@"' packages "${names[@]}" || return 0
    for compiler in "${names[@]}"; do
        # shellcheck disable=SC2016 # for the shell in the root
        builds_step "$root" "$log" "$compiler" env CC="$compiler" bash -c 'cd /src && build="build/$CC" &&
            cmake --preset release -B "$build" -DYK_WERROR="$YK_WERROR" && cmake --build "$build" --target yunikorn &&
            "$build/yunikorn" version && "$build/yunikorn" simulate' || true
    done
}

run_compilers() {
    local wanted="${*:+ $* }"
    mkdir -p "$REPO/build/compilers"
    compilers_of bookworm "$wanted" "${COMPILERS_BOOKWORM[@]}"
    compilers_of "$DEBIAN13" "$wanted" "${COMPILERS_TRIXIE[@]}"
}

# --- arm64 -----------------------------------------------------------------------------------

ARM64=bookworm-arm64

run_arm64() {
    local log="$REPO/build/arm64-log"
    mkdir -p "$log"
    builds_root "$ARM64" "$log" || return 0
    arm64_step() { builds_step "$ARM64" "$log" "$1" env YK_ARCH=arm64 "${@:2}"; }
    arm64_step packages /src/hack/image-root.sh packages || return 0
    arm64_step libraries /src/hack/image-root.sh libraries || return 0
    arm64_step build /src/hack/image-root.sh build || return 0
    arm64_step root bash -c 'rm -rf /image-root && exec /src/hack/image-root.sh root /image-root' || return 0
    arm64_step hardening /src/test/unit/repository/hardening.sh /src/build/arm64/yunikorn || true
    # The image with nothing but the emulator besides.
    # shellcheck disable=SC2016 # for the shell in the root
    arm64_step run bash -c 'rm -rf /image-run && cp -a /image-root /image-run && cp "$(command -v qemu-aarch64-static)" /image-run/qemu &&
        file="$(od -A n -t x1 -j 18 -N 1 /image-run/usr/bin/yunikorn)" && [ "$file" = " b7" ] &&
        chroot --userspec=4444:4444 /image-run /qemu /usr/bin/yunikorn version &&
        chroot --userspec=4444:4444 /image-run /qemu /usr/bin/yunikorn simulate' || true
    # shellcheck disable=SC2016 # for the shell in the root
    arm64_step unit bash -c 'cd /src && mapfile -t programs < <(ninja -C build/arm64 -t targets all |
        sed -nE "s/^(test_($0)_[a-z0-9_]+): .*/\1/p") && cmake --build build/arm64 --target "${programs[@]}" &&
        ctest --test-dir build/arm64 -R "^($0)/" --no-tests=error --output-on-failure --timeout 600' "$QUICK_MODULES" || true
}
