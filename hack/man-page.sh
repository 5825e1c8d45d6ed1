#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the manual page yunikorn(1), made of the help texts of the program. It has those of `yunikorn ctl`, which
# kubectl runs as `kubectl yunikorn`, as well:
#
#   hack/man-page.sh [EMULATOR] BINARY
set -euo pipefail

[ $# -ge 1 ] || {
    echo "usage: man-page.sh [EMULATOR] BINARY" >&2
    exit 2
}
program=("$@")

# roff: a backslash and a dash are escaped, and a line cannot start with a dot or a quote.
escape() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"; }

# verbatim: lines as they are, in the layout of the help text.
verbatim() {
    echo .nf
    escape
    echo .fi
}

commands() { "${program[@]}" --help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p'; }

# A date of the sources and not of the build, so that the same sources make the same page.
version() { "${program[@]}" version | sed -nE 's/^yunikorn ([^ ]+) .*/\1/p'; }

general="$("${program[@]}" --help)"
printf '.TH YUNIKORN 1 "" "yunikorn %s" "User commands"\n' "$(version | escape)"
printf '.SH NAME\nyunikorn \\- %s\n' "$(sed -n 3p <<<"$general" | sed 's/\.$//' | escape)"
printf '.SH SYNOPSIS\n.B yunikorn\nCOMMAND [OPTIONS]\n.SH COMMANDS\n'
sed -nE 's/^  ([a-z][a-z-]*)  +(.*)/.TP\n.B \1\n\2/p' <<<"$general" | sed 's/-/\\-/g'
while read -r command; do
    printf '.SH YUNIKORN %s\n' "$(tr '[:lower:]' '[:upper:]' <<<"$command" | escape)"
    "${program[@]}" help "$command" | verbatim
done < <(commands)
while read -r command; do
    printf '.SH KUBECTL YUNIKORN %s\n' "$(tr '[:lower:]' '[:upper:]' <<<"$command" | escape)"
    # The options that all of them have are shown once, with the first one.
    "${program[@]}" ctl help "$command" | sed 's/yunikorn ctl/kubectl yunikorn/' |
        if [ "$command" = why ]; then cat; else sed '/^ *-n, --namespace/,$d'; fi | verbatim
done < <("${program[@]}" ctl --help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')
printf '.SH EXIT STATUS\n0: done. 1: it could not be done, or something was found wrong. 2: the command line is invalid. 3: kubectl yunikorn got no answer.\n'
printf '.SH SEE ALSO\nThe documentation in the folder docs of the sources.\n'
