#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each function in a header has a comment: in the lines before it, or behind it. Headings
# do not count. Functions called *_free and *_done follow the rule in CONTRIBUTING.md, "Comments of headers". Each header
# with functions says on which thread they run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# shellcheck disable=SC2016 # a program of awk
without_comment() {
    git ls-files 'core/*.h' 'k8s-shim/*.h' 'cmd/*.h' 'test/unit/lib/*.h' | LC_ALL=C sort | xargs awk '
    function begin() { pending = ""; depth = 0 }
    FNR == 1 { begin(); commented = in_comment = macro = 0 }
    macro { macro = /\\$/; next }
    /^#/ { macro = /\\$/; commented = 0; next }
    in_comment { if (/\*\//) { in_comment = 0; commented = 1 } next }
    # A heading is no comment of the function after it: the name of a file, or a line between dashes.
    pending == "" && /^\/\* ([a-z_0-9]+\.c|----.*----)\.? \*\/$/ { commented = 0; next }
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
        if (text ~ /\(/ && text !~ /^ *(typedef|enum [a-z_0-9]* *{|union|_Static_assert|YK_|extern )/ && text !~ /^ *struct [a-z_0-9]+ *{/ &&
            text !~ /^[^(]*=/) {
            name = text
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            if (name != "" && name !~ /_(free|done)$/ && text !~ /^ *enum yk_step [a-z_]*\(struct yk_job \*job, int64_t until_mono_ns\);/ && !was_commented && !behind) print FILENAME " " name
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
[ -z "$found" ] || printf 'functions without a comment in their header:\n%s\n' "$found"

mapfile -t with_functions < <(git ls-files 'core/*.h' 'k8s-shim/*.h' 'cmd/*.h' | xargs grep -lE '^[a-z][^#=]*\byk_[a-z0-9_]+\(')
silent="$(grep -LiE '\bthread' "${with_functions[@]}" || true)"
[ -z "$silent" ] || printf 'headers that do not say on which thread their functions run ("Thread:"):\n%s\n' "$silent"
[ -z "$found$silent" ]
