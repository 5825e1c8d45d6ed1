#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the tables in docs/reference that come from rows in the code are what the code says, or writes them:
#
#   test/unit/docs/tables.sh PRINT_TABLE [--write]
#
# Such a table stands between the lines "<!-- printed: NAME -->" and "<!-- end -->". Build PRINT_TABLE with
# `ninja -C build/quick print_table`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

print_table="$1"
write="${2:-}"
failures=0 tables=0

# with_table PAGE NAME: the page with the table that the program prints.
with_table() {
    awk -v begin="<!-- printed: $2 -->" -v command="'$print_table' $2" '
        $0 == begin { print; while ((command | getline line) > 0) print line; if (close(command) != 0) exit 1; skip = 1 }
        $0 == "<!-- end -->" { skip = 0 }
        !skip' "$1"
}

while IFS=: read -r page name; do
    tables=$((tables + 1))
    text="$(with_table "$page" "$name")"
    [ "$text" = "$(cat "$page")" ] && continue
    if [ "$write" = --write ]; then
        printf '%s\n' "$text" >"$page"
        echo "$page: wrote the table of $name"
        continue
    fi
    diff "$page" - <<<"$text" || true
    echo "$page: the table of $name differs from the code (>); write it with"
    echo "    test/unit/docs/tables.sh build/quick/print_table --write"
    failures=$((failures + 1))
done < <(grep -rHoE '^<!-- printed: [a-z_]+ -->$' docs | sed -E 's/<!-- printed: ([a-z_]+) -->/\1/')

# Pages that explain each policy are written by hand. The names there are those of the code, in the same order.
names_of() { "$print_table" policies | sed -n "s/^$1 //p"; }

# same_names PAGE PLACE KIND FOUND: FOUND has the names of the sorting policies of that kind, one a line.
same_names() {
    local wanted
    wanted="$(names_of "$3")"
    [ "$4" = "$wanted" ] && return
    echo "$1, $2: the $3 sorting policies there are: ${4//$'\n'/, }"
    echo "    those of the code (core/config/sort_policies.h): ${wanted//$'\n'/, }"
    failures=$((failures + 1))
}

# in_row PAGE PROPERTY: the names in the second column of its row. in_line PAGE START: those in the line.
in_row() { grep -F "| \`$2\` |" "$1" | cut -d'|' -f3 | grep -oE '`[a-z_]+`' | tr -d '`'; }
in_line() { grep -F -- "$2" "$1" | grep -oE '`[a-z_]+`' | tr -d '`'; }
in_enum() { sed -n "/^ *$2:/,/enum: /s/.*enum: \[\(.*\)\].*/\1/p" "$1" | head -n 1 | tr -d ' ' | tr , '\n' | grep -vx undefined; }

for page in docs/queues.md docs/reference/queues.md; do
    same_names "$page" 'row nodesortpolicy.type' node "$(in_row "$page" nodesortpolicy.type)"
    same_names "$page" 'row application.sort.policy' application "$(in_row "$page" application.sort.policy | head -n "$(names_of application | wc -l)")"
done
page=docs/reference/queues.md
same_names "$page" 'rule O12' node "$(in_line "$page" '- O12: ')"
page=docs/reference/openapi.yaml
same_names "$page" 'enum of nodeSortingPolicy' node "$(in_enum "$page" nodeSortingPolicy)"
same_names "$page" 'enum of sortingPolicy' application "$(in_enum "$page" sortingPolicy)"

[ "$tables" -ge 2 ] || { echo "no printed tables found in docs"; exit 1; }
[ "$failures" -eq 0 ]
