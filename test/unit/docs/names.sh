#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that names in docs/design.md and CONTRIBUTING.md are names of the sources: functions are defined, files exist, and
# in a table the functions of a row are in the files of the row.
# shellcheck disable=SC2016 # patterns for grep
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

PAGES=(docs/design.md CONTRIBUTING.md)
failed=0
wrong() {
    echo "$*"
    failed=1
}

# Names in backquotes that end in `()`, without the parentheses. Names in capitals stand for others: `yk_cmd_NAME()`.
functions_in() { grep -oE '`[a-z_0-9]+\(\)`' | tr -d '`()' | sort -u; }

# Paths in backquotes with a folder and the suffix of a source, a script or a page.
files_in() { grep -oE '`[a-z_0-9-]+(/[a-z_0-9.-]+)+\.(c|h|md|sh|py|cmake)`' | tr -d '`' | sort -u; }

# defines NAME FILE...: whether a file defines the function, or declares it for a library that is not ours.
defines() {
    local name="$1"
    shift
    grep -qE "^[a-zA-Z][a-zA-Z_0-9 *]*[ *]$name\(" "$@"
}

# exists FILE: pages name headers as an include does ("base/clock.h") or from the top.
exists() { [ -e "$1" ] || [ -e "core/$1" ] || [ -e "k8s-shim/$1" ]; }

for page in "${PAGES[@]}"; do
    while read -r file; do
        exists "$file" || wrong "$page: there is no file $file"
    done < <(files_in <"$page")
    while read -r name; do
        # Not functions of C and of libraries, and not the example `yk_x_new()`.
        [[ $name == yk_* && $name != yk_x_* ]] || continue
        git grep -qE "^[a-zA-Z][a-zA-Z_0-9 *]*[ *]$name\(" -- 'core/*.[ch]' 'k8s-shim/*.[ch]' 'cmd/*.[ch]' 2>/dev/null ||
            grep -rqE "^[a-zA-Z][a-zA-Z_0-9 *]*[ *]$name\(" core k8s-shim cmd --include='*.[ch]' ||
            wrong "$page: no function is called $name()"
    done < <(functions_in <"$page")
    rows=0
    while read -r row; do
        mapfile -t files < <(files_in <<<"$row" | grep '\.[ch]$')
        [ "${#files[@]}" -gt 0 ] || continue
        while read -r name; do
            defines "$name" "${files[@]}" || wrong "$page: $name() is in none of: ${files[*]}"
            rows=$((rows + 1))
        done < <(functions_in <<<"$row")
    done < <(sed -n '/^| step | function | file |/,/^$/p' "$page")
    [ "$page" != docs/design.md ] || [ "$rows" -ge 8 ] || wrong "$page: only $rows functions with a file were found"
done
exit $failed
