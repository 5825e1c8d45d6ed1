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

[ "$tables" -ge 2 ] || { echo "no printed tables found in docs"; exit 1; }
[ "$failures" -eq 0 ]
