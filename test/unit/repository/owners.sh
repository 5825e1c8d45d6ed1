#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks who uses the parts of the core's structs that have an owner (core/base/owner.h). The declarations are the table:
#
#     YK_OWNED_BY(pending) struct yk_app_wait wait; /* Read by: report, web. */
#
# `->wait.FIELD`, for each field of struct yk_app_wait, is for files of core/pending, and of the modules that are named; without
# a comment for core/pending only, with "Read by: all." for all. core/objects makes and frees the structs, and
# scheduler/invariants.c checks them. The compiler checks who writes; here, that it does: that each field of the structs in
# `structs` is in a part.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

headers=(core/objects/*.h core/state/*.h core/limits/*.h)
structs="yk_app yk_group"
failed=0

# fields_of STRUCT: the names of its fields, a line each.
fields_of() {
    sed -n "/^struct $1 {/,/^};/p" "${headers[@]}" | sed -e 1d -e 's:/\*.*\*/::' -e 's:/\*.*::' -e 's:^.*\*/::' |
        grep -oE '[a-z_0-9]+(\[[A-Z_0-9]+\])?[,;]' | sed -e 's/\[.*//' -e 's/[,;]//'
}

# part OWNER STRUCT NAME READERS
part() {
    local owner="$1" name="$3" readers="$4" fields pattern allowed found
    [ -d "core/$owner" ] || { echo "there is no module core/$owner, which shall own struct $2" && failed=1; }
    fields="$(fields_of "$2" | paste -sd '|')"
    [ -n "$fields" ] || { echo "no field of struct $2 was found: correct $0" && failed=1 && return; }
    [ "$readers" != all ] || return 0
    pattern="(->|\\.)$name\\.($fields)\\b"
    allowed="^core/($owner|objects${readers:+|${readers//, /|}})/|^core/scheduler/invariants.c:"
    found="$(grep -rnE "$pattern" core cmd k8s-shim --include='*.[ch]' | grep -vE "$allowed" || true)"
    if [ -n "$found" ]; then
        printf 'core/%s owns these fields; call a function of it, or name the reader where struct %s is declared:\n%s\n' \
            "$owner" "$2" "$found"
        failed=1
    fi
}

parts=0
while IFS='|' read -r owner struct name readers; do
    part "$owner" "$struct" "$name" "$readers"
    parts=$((parts + 1))
done < <(cat "${headers[@]}" | tr '\n' ' ' | grep -oE 'YK_OWNED_BY\([a-z]+\) struct [a-z_]+ +[a-z_]+;( +/\* Read by: [a-z, ]+\.)?' |
    sed -E 's/YK_OWNED_BY\(([a-z]+)\) struct ([a-z_]+) +([a-z_]+);( +\/\* Read by: ([a-z, ]+)\.)?/\1|\2|\3|\5/; s/ +/ /g')
[ "$parts" -ge 5 ] || { echo "only $parts parts were found: correct $0" && failed=1; }

# Every field is in a part: directly in a struct are only lines that begin one, and structs without a name.
for struct in $structs; do
    stray="$(sed -n "/^struct $struct {/,/^};/p" "${headers[@]}" | sed -e 1d -e '$d' -e 's:/\*.*\*/::' |
        grep -E '^    [a-z_A-Z]' | grep -vE '^    YK_OWNED_BY\([a-z]+\) struct ' || true)"
    if [ -n "$stray" ]; then
        printf 'these fields of struct %s have no owner (core/base/owner.h):\n%s\n' "$struct" "$stray"
        failed=1
    fi
done

exit "$failed"
