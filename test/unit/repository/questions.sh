#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that functions that look like questions change no state. A function of a header whose name contains one of the words
# below takes pointers to const, results (ret_*) apart. questions.allowed names the exceptions, each with its reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

words='is|has|have|can|may|might|fits|find|would|could|are|was|were|needs|wants|should|must|contains|matches|exists|allows|admits|passes|suits|reaches|refuses|never|lacks|without|knows|differs|equal'

# declarations: a line for each function that a header declares or defines, without comments.
declarations() {
    git ls-files 'core/*.h' 'k8s-shim/*.h' | LC_ALL=C sort | xargs cat | awk '
        /^[ \t]*#/ || macro { macro = /\\$/; next }
        {
            code = ""
            for (rest = $0; rest != "";) {
                at = index(rest, in_comment ? "*/" : "/*")
                if (at == 0) { if (!in_comment) code = code rest; break }
                if (!in_comment) code = code substr(rest, 1, at - 1)
                rest = substr(rest, at + 2)
                in_comment = !in_comment
            }
            $0 = code
        }
        { text = text " " $0; if (/[;{}][ \t]*$/) { print text; text = "" } }' | grep -E '[ *]yk_[a-z0-9_]+\([^*()]' || true
}

# open_pointers: of each question with a pointer by which it could change something, the name and these parameters.
open_pointers() {
    declarations | awk -v words="$words" '{
        name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        if (name !~ "_(" words ")(_|$)") next
        list = $0; sub(/[^(]*\(/, "", list); sub(/\).*/, "", list)
        found = ""
        count = split(list, parameter, ",")
        for (i = 1; i <= count; i++)
            if (parameter[i] ~ /\*/ && parameter[i] !~ /const|[ *]ret_/) found = found parameter[i] ";"
        if (found != "") print name " " found
    }' | LC_ALL=C sort -u
}

allowed=test/unit/repository/questions.allowed
failed=0
found="$(open_pointers)"
while read -r name parameters; do
    [ -n "$name" ] || continue
    if ! grep -q "^$name: ." "$allowed"; then
        echo "$name() looks like a question, but takes a pointer that is not const: $parameters"
        failed=1
    fi
done <<<"$found"
while IFS=: read -r name reason; do
    [[ -n $name && $name != \#* ]] || continue
    if [ -z "$reason" ] || ! grep -q "^$name " <<<"$found"; then
        echo "$allowed: $name needs no exception; remove the line"
        failed=1
    fi
done <"$allowed"
[ "$(declarations | wc -l)" -ge 500 ] || { echo "hardly a function was found: correct $0" && failed=1; }
exit "$failed"
