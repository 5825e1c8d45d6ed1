#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a reader finds the tests of a source by its name: the test of DIR/MODULE/FILE.c is
# test/unit/MODULE/test_FILE.c. For sources of LINES_MIN lines and more, tested.list names another test where there is
# none of that name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

LINES_MIN=200
LIST=test/unit/repository/tested.list
failures=0

wrong() {
    echo "$*"
    failures=$((failures + 1))
}

# has_own SOURCE: whether there is a test file of its name.
has_own() {
    local module="${1%/*}"
    [ -e "test/unit/${module##*/}/test_$(basename "$1")" ]
}

declare -A tested
while read -r source test; do
    tested[$source]="$test"
    [ -e "$source" ] || wrong "$LIST: $source is gone"
    [ -e "test/$test" ] || wrong "$LIST: $source: test/$test is gone"
    ! has_own "$source" || wrong "$LIST: $source has a test file of its name; take the row out"
done < <(grep -v '^#' "$LIST")

while read -r source; do
    [ -n "${tested[$source]:-}" ] || has_own "$source" || [ "$(wc -l <"$source")" -lt "$LINES_MIN" ] ||
        wrong "$source has no test file of its name; add one, or a row to $LIST"
done < <(git ls-files 'core/*.c' 'k8s-shim/*.c' 'cmd/*.c')
[ "$failures" -eq 0 ]
