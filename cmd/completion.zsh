#compdef yunikorn
# SPDX-License-Identifier: Apache-2.0
# Completion for zsh. Commands and options come from the help of the program, so they belong to its version.
_yunikorn() {
    local program="${words[1]}"
    local -a choices
    if ((CURRENT == 2)) || { ((CURRENT == 3)) && [[ ${words[2]} == help ]]; }; then
        choices=(${(f)"$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*)  +(.*)/\1:\2/p')"})
        _describe command choices
    elif ((CURRENT == 3)) && [[ ${words[2]} == completion && ${words[CURRENT]} != -* ]]; then
        choices=(bash zsh)
        _describe shell choices
    elif ((CURRENT >= 3)) && [[ ${words[2]} == ctl ]]; then # names come from the scheduler
        choices=(${(f)"$("$program" ctl __complete "${(@)words[3,CURRENT]}" 2>/dev/null |
            sed -E -e '/^:4$/d' -e 's/:/\\:/g' -e 's/\t/:/')"})
        if [[ ${choices[-1]} == '\:0' ]]; then
            _files
        else
            _describe word choices
        fi
    elif [[ ${words[CURRENT]} == -* ]]; then
        choices=(${(f)"$("$program" help "${words[2]}" 2>/dev/null |
            sed -nE 's/^  (-.,|   ) (--[a-z0-9-]+)[^ ]*( [^ ]+)?  +(.*)/\2:\4/p')"})
        _describe option choices
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _yunikorn ]]; then
    _yunikorn "$@"
else
    compdef _yunikorn yunikorn
fi
