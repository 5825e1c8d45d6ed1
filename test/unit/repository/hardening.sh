#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a release binary has the hardening of cmake/hardening.cmake:
#
#   test/unit/repository/hardening.sh BINARY
set -euo pipefail

binary="$1"
failures=0

# expect WHAT COMMAND...: counts and names a property that is missing.
expect() {
    local what="$1"
    shift
    if ! "$@" >/dev/null; then
        echo "$binary: missing: $what"
        failures=$((failures + 1))
    fi
}

header="$(readelf -hW "$binary")" segments="$(readelf -lW "$binary")" dynamic="$(readelf -dW "$binary")"
notes="$(readelf -nW "$binary")" symbols="$(readelf -W --dyn-syms "$binary")"

# A program without an interpreter would be a shared library. Linking with -static-pie is not supported.
expect "PIE: -fPIE and -pie" grep -Eq 'Type: +DYN' <<<"$header"
expect "an interpreter" grep -q INTERP <<<"$segments"
expect "-z relro" grep -q GNU_RELRO <<<"$segments"
expect "-z now" grep -Eq 'FLAGS.*(BIND_NOW|NOW)' <<<"$dynamic"
expect "-z noexecstack" grep -Eq 'GNU_STACK .* RW +0x' <<<"$segments"
expect "no segment that is writable and executable" test -z "$(grep -E 'LOAD .* RWE ' <<<"$segments")"
expect "no text relocations" test -z "$(grep TEXTREL <<<"$dynamic")"
expect "no search path for libraries" test -z "$(grep -E 'RPATH|RUNPATH' <<<"$dynamic")"
expect "-fstack-protector-strong" grep -q __stack_chk_fail <<<"$symbols"
expect "-D_FORTIFY_SOURCE" grep -Eq '__[a-z]+_chk(@|$)' <<<"$symbols"
expect "--build-id" grep -q 'Build ID' <<<"$notes"

# -ffile-prefix-map. `strings` reads the debug information as well.
checkout="$(cd "$(dirname "$0")/../../.." && pwd)"
expect "no path of the checkout" test -z "$(strings -a "$binary" | grep -m 1 "^$checkout/")"

# Debian's static libraries lack the property of control flow protection, so the linker drops it from the binary. The
# instructions are counted instead: a binary without the flag has at most a few, from the C run-time.
objdump=objdump machine="$(sed -n 's/^ *Machine: *//p' <<<"$header")"
[[ $machine != AArch64 ]] || ! command -v aarch64-linux-gnu-objdump >/dev/null || objdump=aarch64-linux-gnu-objdump
instructions() { "$objdump" -d --no-show-raw-insn "$binary" | grep -Ec "$1" || true; }
case "$machine" in
*X86-64)
    expect "-fcf-protection" test "$(instructions '[[:space:]]endbr64')" -gt 500
    # Each page of a large stack frame is touched by an `or` of zero.
    # shellcheck disable=SC2016 # a pattern
    expect "-fstack-clash-protection" test "$(instructions 'or[ql]? +\$0x0,(0x[0-9a-f]+)?\(%rsp')" -gt 0
    ;;
AArch64) expect "-mbranch-protection=standard" test "$(instructions '[[:space:]](paciasp|bti)')" -gt 500 ;;
esac
[ "$failures" -eq 0 ]
