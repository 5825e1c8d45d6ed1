# SPDX-License-Identifier: Apache-2.0
# Completion for bash. Commands and options come from the help of the program, so they belong to its version.
_yunikorn() {
    local program="${COMP_WORDS[0]}" word="${COMP_WORDS[COMP_CWORD]}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$'help\n'"$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')"
    elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; then
        words="$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')"
    elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = completion ] && [[ $word != -* ]]; then
        words=$'bash\nzsh'
    elif [ "$COMP_CWORD" -ge 2 ] && [ "${COMP_WORDS[1]}" = ctl ]; then # names come from the scheduler
        words="$("$program" ctl __complete "${COMP_WORDS[@]:2:COMP_CWORD-1}" 2>/dev/null | sed -e '/^:/d' -e 's/\t.*//')"
    elif [[ $word == -* ]]; then
        words="$("$program" help "${COMP_WORDS[1]}" 2>/dev/null | sed -nE 's/^  (-.,|   ) (--[a-z0-9-]+).*/\2/p')"
    fi
    [ -n "$words" ] || return 0 # the names of files, by `-o default`
    local line # no `compgen -W`: it would run what a name contains
    while IFS= read -r line; do
        [[ $line == "$word"* ]] && COMPREPLY+=("$line")
    done <<<"$words"
    return 0
}
complete -o default -F _yunikorn yunikorn
