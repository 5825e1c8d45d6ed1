#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the form of comments in C sources: each of "Owns:", "Thread:", "Invariant:", "Source:" and "Borrows:" begins a
# line, and no comment ends with a line of its own that its first line does not have, too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

LABELS='(Owns|Threads?|Invariants?|Source|Borrows):'
failed=0

report() {
    [ -z "$2" ] || {
        echo "$1"
        echo "$2"
        failed=1
    }
}

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' 2>/dev/null || find . -name '*.[ch]' -not -path './build/*')

report "these lines hold more than one part of a comment's head:" \
    "$(grep -nE "^ \*.*[.);,[:alnum:]] +$LABELS( |\$)" "${sources[@]}" || true)"
report "these comments end with a dangling */:" \
    "$(awk '
        FNR == 1 { open = 0 }
        /^ *\/\* [^ ]/ && !/\*\// { open = 1; begin = FILENAME ":" FNR ": " $0; next }
        open && /^ *\*\/$/ { print begin }
        /\*\// { open = 0 }' "${sources[@]}")"
exit "$failed"
