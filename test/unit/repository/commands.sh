#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that manual page and completion know every subcommand and option of a binary:
#
#   test/unit/repository/commands.sh BINARY
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

binary="$1"
failures=0

# expect WHAT WANTED GOT
expect() {
    [ "$2" = "$3" ] && return 0
    printf '%s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}

commands="$(sed -nE 's/^ROW\([a-z_]+, "([a-z-]+)", .*/\1/p' cmd/command_rows.h | sort)"
[ "$(wc -l <<<"$commands")" -ge 5 ] || { echo "cmd/command_rows.h: no rows found"; exit 1; }

page="$(hack/man-page.sh "$binary")"
expect "commands in the manual page" "$commands" \
    "$(sed -nE '/^\.SH COMMANDS/,/^\.SH YUNI/s/^\.B ([a-z].*)/\1/p' <<<"$page" | sed 's/\\-/-/g' | sort)"
expect "two manual pages of the same binary" "$page" "$(hack/man-page.sh "$binary")"

# shellcheck source=cmd/completion.bash
source <("$binary" completion bash)

# completed WORD...: what bash offers for the last word.
completed() {
    COMP_WORDS=("$binary" "$@")
    COMP_CWORD=$#
    _yunikorn
    printf '%s\n' "${COMPREPLY[@]}" | sort
}

expect "completion of commands" "$(printf '%s\nhelp\n' "$commands" | sort)" "$(completed "")"
expect "completion of part of a command" validate "$(completed va)"
expect "completion of shells" $'bash\nzsh' "$(completed completion "")"
while read -r command; do
    help="$("$binary" help "$command")"
    options="$(sed -n '/^options:/,$p' <<<"$help" | grep -oE '^  (-., |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort)"
    [ -n "$options" ] || { echo "$command: its help lists no options"; failures=$((failures + 1)); }
    [ "$command" = ctl ] || # flags may stand in front of its commands; see below
        expect "completion of the options of $command" "$options" "$(completed "$command" --)"
    while read -r option; do
        grep -qF -- "${option//-/\\-}" <<<"$page" || { echo "the manual page lacks $command $option"; failures=$((failures + 1)); }
    done <<<"$options"
done <<<"$commands"

ctl_commands="$(sed -nE 's/^ROW\(([a-z_]+), "[^"]*", ".*/\1/p' cmd/kubectl_rows.h | sort)"
[ "$(wc -l <<<"$ctl_commands")" -ge 10 ] || { echo "cmd/kubectl_rows.h: no rows found"; exit 1; }
expect "completion of commands of ctl" "$(printf '%s\nhelp\n' "$ctl_commands" | sort)" "$(completed ctl "")"
while read -r command; do
    options="$("$binary" ctl help "$command" | sed -n '/^options:/,$p' | grep -oE '^  (-., |    )--[a-z0-9-]+' |
        grep -oE -- '--[a-z0-9-]+' | sort)"
    expect "completion of the options of ctl $command" "$options" "$(completed ctl "$command" --)"
    grep -qx ".SH KUBECTL YUNIKORN $(tr '[:lower:]' '[:upper:]' <<<"$command")" <<<"$page" ||
        { echo "the manual page lacks ctl $command"; failures=$((failures + 1)); }
    grep -qF "\`$command" docs/kubectl.md || { echo "docs/kubectl.md lacks $command"; failures=$((failures + 1)); }
done <<<"$ctl_commands"

expect "completion of the value behind =" json "$(completed ctl queues --output = j)"
expect "completion of all values behind =" $'json\nwide\nyaml' "$(completed ctl queues --output =)"
expect "completion of a value that is the next word" $'json\nwide\nyaml' "$(completed ctl queues --output "")"
expect "completion where = is no word of its own" --output=json "$(completed ctl queues --output=j)"
expect "completion behind a value with =" $'json\nwide\nyaml' "$(completed ctl apps --state = active -o "")"

# What a scheduler that is reached sends is never run: here a program that answers with hostile names.
hostile="$(mktemp -d)"
trap 'rm -rf "$hostile"' EXIT
# shellcheck disable=SC2016 # the names are not to be expanded
printf '%s\n' '#!/bin/sh' 'printf "%s\n" '"'"'$(touch '"$hostile"'/run)'"'"' '"'"'`touch '"$hostile"'/run`'"'"' "a b" ":4"' >"$hostile/program"
chmod +x "$hostile/program"
COMP_WORDS=("$hostile/program" ctl why "") COMP_CWORD=3
_yunikorn
[ "${#COMPREPLY[@]}" = 3 ] || { echo "hostile names: ${COMPREPLY[*]}"; failures=$((failures + 1)); }
[ ! -e "$hostile/run" ] || { echo "completion ran a name"; failures=$((failures + 1)); }

# hack/bench.sh: the cases of its help are those that main() accepts.
bench_help="$(hack/bench.sh --help | grep -oE 'hack/bench\.sh [a-z0-9-]+|\], [a-z0-9-]+ \[ARGS\]' | tr -d '],[' | sed -E 's/hack.bench.sh//; s/ARGS//' |
    tr -d ' ' | grep -v '^core-$' | sort -u)"
bench_main="$(sed -nE '/^main\(\)/,/^}/s/^ *(admission \|.*)\) shift ;;$/\1/p' hack/bench.sh | tr -d ' *' | tr '|' '\n' | sed 's/^core-$/core-all/' | sort -u)"
expect "cases of hack/bench.sh" "$bench_main" "$bench_help"

expect "the script for zsh" "$(cat cmd/completion.zsh)" "$("$binary" completion zsh)"
"$binary" completion fish 2>/dev/null && { echo "completion fish does not fail"; failures=$((failures + 1)); }
if command -v zsh >/dev/null; then zsh -n cmd/completion.zsh; fi
if command -v mandoc >/dev/null; then mandoc -Tlint -Werror <<<"$page"; fi
[ "$failures" -eq 0 ]
