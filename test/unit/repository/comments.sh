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
# Prints "comment NAME" for each function that a comment names, as yk_x(), and "code NAME" for each name outside of comments.
# shellcheck disable=SC2016 # a program of awk
names() {
    awk '
    function each(kind, text, pattern) {
        while (match(text, pattern)) {
            print kind " " substr(text, RSTART, kind == "comment" ? RLENGTH - 2 : RLENGTH)
            text = substr(text, RSTART + RLENGTH)
        }
    }
    FNR == 1 { inside = 0 }
    {
        rest = $0
        gsub(/"([^"\\]|\\.)*"/, "", rest)
        while (rest != "") {
            at = index(rest, inside ? "*/" : "/*")
            part = at ? substr(rest, 1, at - 1) : rest
            if (inside) each("comment", part, "yk_[a-z0-9_]+\\(\\)")
            else each("code", part, "yk_[a-z0-9_]+")
            rest = at ? substr(rest, at + 2) : ""
            if (at) inside = !inside
        }
    }' "${sources[@]}" | LC_ALL=C sort -u
}
all="$(names)"
report "comments name these functions, which do not exist:" \
    "$(LC_ALL=C comm -23 <(sed -n 's/^comment //p' <<<"$all") <(sed -n 's/^code //p' <<<"$all") | grep -v '_$' || true)"
# The core knows asks, allocations, applications and nodes. Words of Kubernetes stand where users read them.
# shellcheck disable=SC2016 # a program of sed
report "these comments of the core have words of Kubernetes (docs/design.md, \"Modules\"):" \
    "$(for dir in si.h objects state limits placement policies preemption gangs pending reservation partition scheduler security; do
        find "core/$dir" -name '*.[ch]' -print0
    done | xargs -0 awk '
        { text = $0; gsub(/"([^"\\]|\\.)*"/, "", text) }
        /^\/\*|^ \*|\/\*/ && tolower(text) ~ /(^|[^a-z_.])(pods?|kubelets?|daemon ?sets?|configmaps?|kubectl|api server)([^a-z_]|$)/ { print FILENAME ":" FNR ": " $0 }')"
exit "$failed"
