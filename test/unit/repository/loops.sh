#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# loops.sh BUILD: checks that no more files of a module call each other in a loop than max_of() says. A file calls another one
# when its object needs a symbol that the other defines; a loop is a set of files of which each reaches each. Prints the
# largest loop of each module that has one.
set -euo pipefail

build="$1"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
failed=0
libraries=0

# max_of MODULE: how many files may call each other in a loop. Lower it after a loop has become smaller.
max_of() {
    case "$1" in
    app) echo 5 ;;
    pending | partition | predicates) echo 4 ;;
    *) echo 3 ;;
    esac
}

# objects_of DIR: the objects below DIR whose sources are still there.
objects_of() {
    local object source
    find "$1" -name '*.c.o' | while read -r object; do
        source="${object#"$1"/}"
        [ ! -f "$root/${source%.o}" ] || echo "$object"
    done
}

# symbols_of DIR: a line "d FILE SYMBOL" for each definition in the objects below DIR, and "u FILE SYMBOL" for each use.
symbols_of() {
    local objects
    mapfile -t objects < <(objects_of "$1")
    [ "${#objects[@]}" -eq 0 ] || nm -A -g "${objects[@]}" | sed -E 's:^.*/([^/:]+)\.c\.o\:[0-9a-f]* *:\1 :' |
        awk '$2 == "U" { print "u", $1, $3 } $2 ~ /^[TDBRC]$/ { print "d", $1, $3 }'
}

# loops: reads the lines of symbols_of; prints each loop of two files or more, a line each, with its size first.
loops() {
    awk '
        $1 == "d" { definer[$3] = $2; files[$2] = 1 }
        $1 == "u" { use[++uses] = $2 SUBSEP $3; files[$2] = 1 }
        END {
            for (i = 1; i <= uses; i++) {
                split(use[i], part, SUBSEP)
                if (part[2] in definer && definer[part[2]] != part[1]) reach[part[1], definer[part[2]]] = 1
            }
            for (via in files) for (from in files) if ((from, via) in reach)
                for (to in files) if ((via, to) in reach) reach[from, to] = 1
            for (one in files) if ((one, one) in reach && !(one in seen)) {
                size = 0; names = ""
                for (other in files) if ((one, other) in reach && (other, one) in reach) {
                    seen[other] = 1; size++; names = names " " other
                }
                print size names
            }
        }' | sort -rn
}

for library in "$build"/CMakeFiles/yk_*.dir; do
    module="$(basename "$library" .dir)"
    module="${module#yk_}"
    largest="$(symbols_of "$library" | loops | head -n 1)"
    [ -n "$largest" ] || continue
    echo "$module: $largest"
    if [ "${largest%% *}" -gt "$(max_of "$module")" ]; then
        echo "The loop of $module may have $(max_of "$module") files: pass what is needed from above, or move it to a file that both may call."
        failed=1
    fi
    libraries=$((libraries + 1))
done
[ "$libraries" -gt 0 ] || { echo "no loop was found at all: correct $0" && failed=1; }
exit "$failed"
