#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks who uses the parts of the core's structs that have an owner (core/base/owner.h). The declarations are the table:
#
#     YK_OWNED_BY(pending) struct yk_app_wait wait; /* Read by: report, web. */
#
# `->wait.FIELD`, for each field of struct yk_app_wait, is for files of core/pending, and of the modules that are named; without
# a comment for core/pending only, with "Read by: all." for all. core/objects makes and frees the structs, and
# scheduler/invariants.c checks them. Also checked: that each field of the structs in `structs` is in a part, and that gcc
# refuses to compile a write in another module.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

headers=(core/objects/*.h core/state/*.h core/limits/*.h)
structs="yk_app yk_group yk_queue yk_partition"
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
        grep -E '^    [a-z_A-Z]' | grep -vE '^    YK_OWNED_BY(\([a-z]+\)|_ALL) struct ' || true)"
    if [ -n "$stray" ]; then
        printf 'these fields of struct %s have no owner (core/base/owner.h):\n%s\n' "$struct" "$stray"
        failed=1
    fi
done

# compiles MODULE: whether a file of that module may write a field that core/pending owns.
compiles() {
    gcc -std=c17 -Wall -Werror -fsyntax-only -Icore -DYK_CHECK_OWNERS "-DYK_MODULE_$1=0," -x c - <<'END' 2>&1
#include "base/owner.h"
struct app {
    YK_OWNED_BY(pending) struct {
        int priority;
    };
};
void set(struct app *app);
void set(struct app *app)
{
    app->priority = 1;
}
END
}
if command -v gcc >/dev/null; then
    compiles pending || { echo "the owner of a field cannot write it" && failed=1; }
    refusal="$(compiles web || true)"
    [[ "$refusal" == *read-only* ]] || { echo "a module can write a field that another one owns" && failed=1; }
fi

exit "$failed"
