# SPDX-License-Identifier: Apache-2.0
# Completion for bash. Commands and options come from the help of the program, so they belong to its version.
_yunikorn() {
    local program="${COMP_WORDS[0]}" words="" line i count=0 cut=""
    local -a typed=()
    COMPREPLY=()
    # bash splits "--output=json" into three words, and replaces only the one after the "=".
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if [ "$count" -gt 0 ] && [[ ${typed[count - 1]} == --* ]] &&
            { [ "${COMP_WORDS[i]}" = "=" ] || [ "${COMP_WORDS[i - 1]}" = "=" ]; }; then
            typed[count - 1]+="${COMP_WORDS[i]}"
        else
            typed[count++]="${COMP_WORDS[i]}"
        fi
    done
    local word="${typed[count - 1]}"
    [ "$word" = "${COMP_WORDS[COMP_CWORD]}" ] || cut="${word%%=*}="
    if [ "$count" -eq 2 ]; then
        words=$'help\n'"$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')"
    elif [ "$count" -eq 3 ] && [ "${typed[1]}" = help ]; then
        words="$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')"
    elif [ "$count" -eq 3 ] && [ "${typed[1]}" = completion ] && [[ $word != -* ]]; then
        words=$'bash\nzsh'
    elif [ "$count" -ge 3 ] && [ "${typed[1]}" = ctl ]; then # names come from the scheduler
        words="$("$program" ctl __complete "${typed[@]:2}" 2>/dev/null | sed -e '/^:/d' -e 's/\t.*//')"
    elif [[ $word == -* ]]; then
        words="$("$program" help "${typed[1]}" 2>/dev/null | sed -nE 's/^  (-.,|   ) (--[a-z0-9-]+).*/\2/p')"
    fi
    [ -n "$words" ] || return 0 # `-o default` then completes names of files
    # `compgen -W` is not used, because it would execute command substitutions in a name.
    while IFS= read -r line; do
        [[ $line == "$word"* ]] && COMPREPLY+=("${line#"$cut"}")
    done <<<"$words"
    return 0
}
complete -o default -F _yunikorn yunikorn
