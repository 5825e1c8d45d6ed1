#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks who uses the parts of the core's structs that have an owner (core/base/owner.h). The declarations are the table:
#
#     YK_OWNED_BY(pending) struct yk_app_wait wait; /* Read by: report, web. */
#
# `->wait.FIELD`, for each field of struct yk_app_wait, is for files of core/pending, and of the modules that are named; without
# a comment for core/pending only, with "Read by: all." for all. core/objects makes and frees the structs, and
# scheduler/invariants.c checks them. Also checked:
#   - each field of the structs in `structs` is in a part;
#   - the comment of each other struct in these headers has "Written by: MODULE, ...", "its holder" or "the caller", and the
#     type of a part names the owner of the part;
#   - yk_STRUCT.FIELD in a comment is a field of that struct;
#   - gcc refuses to compile a write in another module.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

headers=(core/objects/*.h core/state/*.h core/limits/*.h)
structs="yk_app yk_ask yk_class yk_gang yk_group yk_node yk_partition yk_queue yk_shape yk_task_group"
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

# writers: of each struct in these headers its name, whether it has parts, and the words after "Written by:" in its comment.
writers() {
    awk '
        FNR == 1 { comment = "" }
        /^\/\*/ { comment = "" }
        /^(\/\*| \*)/ { comment = comment " " $0; next }
        /^struct [a-z_0-9]+ {/ {
            name = $2
            words = "-"
            if (match(comment, /Written by: [a-z, ]+/)) words = substr(comment, RSTART + 12, RLENGTH - 12)
            sub(/, except.*/, "", words) # "except where a field says otherwise"
            has_parts = 0
            comment = ""
        }
        name != "" && /YK_OWNED_BY/ { has_parts = 1 }
        name != "" && /^};/ { print name "|" has_parts "|" words; name = "" }
        !/^(\/\*| \*)/ { comment = "" }' "${headers[@]}"
}
owners="$(cat "${headers[@]}" | tr '\n' ' ' | grep -oE 'YK_OWNED_BY\([a-z]+\) struct [a-z_]+ +[a-z_]+;' |
    sed -E 's/YK_OWNED_BY\(([a-z]+)\) struct ([a-z_]+) .*/\2|\1/')"
count=0
while IFS='|' read -r struct has_parts words; do
    count=$((count + 1))
    [ "$has_parts" = 0 ] || continue
    case "$words" in
    'its holder' | 'the caller') continue ;;
    -) echo "the comment of struct $struct does not say \"Written by: MODULE.\"" && failed=1 && continue ;;
    esac
    while read -r module; do
        [ -d "core/${module%% *}" ] || { echo "struct $struct is written by $module, which is no module of core" && failed=1; }
    done < <(tr ',' '\n' <<<"$words" | sed -E 's/^ +//')
    owner="$(sed -n "s/^$struct|//p" <<<"$owners" | sort -u)"
    [ -z "$owner" ] || [ "$owner" = "$words" ] || {
        echo "a part of the type struct $struct is owned by $owner, but its comment says: Written by: $words"
        failed=1
    }
done < <(writers)
[ "$count" -ge 60 ] || { echo "only $count structs were found: correct $0" && failed=1; }

# Fields that comments name.
while IFS=: read -r file line name; do
    struct="${name%%.*}" field="${name#*.}"
    [ "$name" != yk_module.cmake ] || continue
    body="$(git grep -hE -A400 "^struct $struct \{" -- '*.h' | sed -n '1,/^};/p')"
    grep -qE "[ *]$field(\[[^]]*\])?[,;)]" <<<"$body" || {
        echo "$file:$line: there is no field $name"
        failed=1
    }
done < <(git grep -noE '\byk_[a-z0-9_]+\.[a-z_][a-z_0-9]*\b' -- 'core/*.[ch]' 'k8s-shim/*.[ch]' 'cmd/*.[ch]')

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
