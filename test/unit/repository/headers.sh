#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each function in a header has a comment: in the lines before it, or behind it.
#
#   test/unit/repository/headers.sh [--write]
#
# headers.allowed lists those that have none yet. The list only becomes shorter: --write takes out what has a comment or is
# gone, and adds nothing. Functions called *_free and *_done follow the rule in CONTRIBUTING.md, "Comments of headers".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
allowed=test/unit/repository/headers.allowed

# shellcheck disable=SC2016 # a program of awk
without_comment() {
    git ls-files 'core/*.h' 'k8s-shim/*.h' 'cmd/*.h' | LC_ALL=C sort | xargs awk '
    function begin() { pending = ""; depth = 0 }
    FNR == 1 { begin(); commented = in_comment = macro = 0 }
    macro { macro = /\\$/; next }
    /^#/ { macro = /\\$/; commented = 0; next }
    in_comment { if (/\*\//) { in_comment = 0; commented = 1 } next }
    pending == "" && /^\/\*/ { if (/\*\//) commented = 1; else in_comment = 1; next }
    pending == "" && /^[ \t]*$/ { commented = 0; next }
    pending == "" && /^YK_DEFINE_FREEP\(/ { commented = 0; next }
    {
        code = $0
        behind = code ~ /;[ \t]*\/\*/
        gsub(/\/\*[^*]*(\*\/|$)/, "", code)
        if (pending == "") was_commented = commented
        pending = pending " " code
        depth += gsub(/{/, "{", code) - gsub(/}/, "}", code)
        if (depth > 0 || code !~ /[;}][ \t]*$/) next
        text = pending
        if (text ~ /\(/ && text !~ /^ *(typedef|enum|union|_Static_assert|YK_|extern )/ && text !~ /^ *struct [a-z_0-9]+ *{/ &&
            text !~ /^[^(]*=/) {
            name = text
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            if (name != "" && name !~ /_(free|done)$/ && !was_commented && !behind) print FILENAME " " name
        }
        if (text ~ /YK_NODISCARD/ && !was_commented && !behind) {
            name = text
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            print FILENAME " " name
        }
        commented = 0
        begin()
    }'
}

found="$(without_comment)"
known="$(grep -v '^#' "$allowed" || true)"
new="$(comm -23 <(LC_ALL=C sort -u <<<"$found") <(LC_ALL=C sort -u <<<"$known"))"
better="$(comm -13 <(LC_ALL=C sort -u <<<"$found") <(LC_ALL=C sort -u <<<"$known"))"
if [ "${1:-}" = --write ] && [ -n "$better" ]; then
    { grep '^#' "$allowed"; comm -12 <(LC_ALL=C sort -u <<<"$found") <(LC_ALL=C sort -u <<<"$known"); } >"$allowed.new"
    mv "$allowed.new" "$allowed"
    better=""
fi
[ -z "$new" ] || printf 'functions without a comment in their header:\n%s\n' "$new"
[ -z "$better" ] || printf 'these have a comment or are gone; run test/unit/repository/headers.sh --write:\n%s\n' "$better"
[ -z "$new$better" ]
