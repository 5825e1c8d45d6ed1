#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each function in a header of core, k8s-shim and cmd is used outside of tests and benchmarks. used.list has the
# exceptions: a function, and why only tests call it. An exception that is not needed fails, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
list=test/unit/repository/used.list

# Prints "declared NAME HEADER" for each function in a header, and "used NAME" for each use. Outside of braces a name before
# "(" is a declaration or a definition, unless it is in a macro.
# shellcheck disable=SC2016 # a program of awk
names() {
    git ls-files --cached --others --exclude-standard --deduplicate 'core/*.[ch]' 'k8s-shim/*.[ch]' 'cmd/*.[ch]' |
        while read -r file; do [ ! -e "$file" ] || echo "$file"; done | LC_ALL=C sort | xargs awk '
    FNR == 1 { depth = 0; in_comment = macro = 0 }
    {
        line = $0
        gsub(/"([^"\\]|\\.)*"/, "", line)
        gsub(/\047(\\.|[^\047\\])\047/, "", line)
        if (in_comment) {
            if (!match(line, /\*\//)) next
            line = substr(line, RSTART + 2)
            in_comment = 0
        }
        gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
        if (match(line, /\/\*/)) { line = substr(line, 1, RSTART - 1); in_comment = 1 }
        in_macro = macro || line ~ /^[ \t]*#/
        macro = in_macro && line ~ /\\$/
        while (match(line, /[{}]|yk_[a-z0-9_]+/)) {
            token = substr(line, RSTART, RLENGTH)
            before = RSTART > 1 ? substr(line, RSTART - 1, 1) : ""
            line = substr(line, RSTART + RLENGTH)
            if (token == "{") { if (!in_macro) depth++ }
            else if (token == "}") { if (!in_macro) depth-- }
            else if (before ~ /[A-Za-z0-9_]/) continue
            else if (depth == 0 && !in_macro && line ~ /^\(/) { if (FILENAME ~ /\.h$/) print "declared", token, FILENAME }
            else print "used", token
        }
    }'
}

found="$(names | LC_ALL=C sort -u | awk -v list="$list" '
    BEGIN {
        while ((getline line < list) > 0) {
            if (line ~ /^#/ || line == "") continue
            name = line
            sub(/:.*/, "", name)
            allowed[name] = 1
            if (line !~ /^yk_[a-z0-9_]+: ./) print list ": an exception without a reason: " line
        }
    }
    $1 == "declared" { header[$2] = $3 }
    $1 == "used" { used[$2] = 1 }
    END {
        for (name in header)
            if (!used[name] && !allowed[name]) print header[name] ": only tests call " name "()"
        for (name in allowed)
            if (used[name] || !header[name]) print list ": " name " needs no exception"
    }' | LC_ALL=C sort)"
[ -z "$found" ] || printf 'functions that the program does not use:\n%s\n' "$found"
[ -z "$found" ]
