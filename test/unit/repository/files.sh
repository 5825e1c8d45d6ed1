#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks files that no compiler reads: links between pages lead to a file and a heading, shell scripts and YAML parse,
# sources have a licence line, and packages are named without their versions.
# shellcheck disable=SC2016 # patterns for sed and grep
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../../..}"

failures=0
wrong() {
    echo "$*"
    failures=$((failures + 1))
}

# The files of the checkout, without what was built. An unpacked archive has no .git.
files() {
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@"
    else
        local pattern
        for pattern in "$@"; do find . -path ./build -prune -o -type f -name "${pattern##*/}" -print | sed 's|^\./||'; done
    fi | sort -u | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

# anchors PAGE: the names that a web front end gives to the headings.
anchors() {
    sed -nE '/^```/,/^```/d; s/^#+ +(.*)/\1/p' "$1" | tr '[:upper:]' '[:lower:]' |
        sed -E 's/\]\([^)]*\)//g; s/[^a-z0-9 _-]//g; s/ /-/g' |
        awk '{ print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "") }'
}

check_links() {
    local page target file anchor
    while read -r page; do
        while read -r target; do
            file="${target%%#*}" anchor=""
            [[ $target != *#* ]] || anchor="${target#*#}"
            [ -z "$file" ] || file="$(dirname "$page")/$file"
            [ -n "$file" ] || file="$page"
            if [ ! -e "$file" ]; then
                wrong "$page: the link $target leads nowhere"
            elif [ -n "$anchor" ] && [[ $file == *.md ]] && ! grep -qxF -- "$anchor" < <(anchors "$file"); then
                wrong "$page: the link $target names no heading"
            fi
        done < <(sed '/^ *```/,/^ *```/d' "$page" | sed -E 's/`[^`]*`//g' | grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\((.*)\)$/\1/' |
            grep -vE '^(https?|mailto):' || true)
    done < <(files '*.md')
}

check_scripts() {
    local script
    while read -r script; do
        bash -n "$script" || wrong "$script does not parse"
    done < <(files '*.sh' '*.bash' .ci/run)
}

# Templates of the chart are no YAML; the tests of the chart render them. Inputs of the fuzz targets may be broken.
yaml_files() { files '*.yaml' '*.yml' | grep -vE '^(.*/templates/|test/fuzz/|test/unit/.*/broken)'; }

check_yaml() {
    if ! python3 -c 'import yaml' 2>/dev/null; then
        echo "YAML is not checked: python3-yaml is not installed"
        return 0
    fi
    mapfile -t documents < <(yaml_files)
    python3 - "${documents[@]}" <<'PYTHON' || wrong "YAML does not parse"
import sys, yaml
bad = 0
for name in sys.argv[1:]:
    try:
        for _ in yaml.parse(open(name, encoding="utf-8")):
            pass
    except yaml.YAMLError as error:
        bad = 1
        print(f"{name}: {error}")
sys.exit(bad)
PYTHON
}

check_licences() {
    local found
    found="$(files '*.c' '*.h' '*.sh' '*.bash' '*.zsh' '*.bats' '*.cmake' CMakeLists.txt Dockerfile .ci/run '.github/*.yml' |
        grep -v '^test/fuzz/corpus/' | xargs -d '\n' grep -L 'SPDX-License-Identifier: Apache-2.0' || true)"
    [ -z "$found" ] || wrong "without the line SPDX-License-Identifier:"$'\n'"$found"
}

# clang-14 or libssl3 exist in one release of a distribution only. libpcre2-dev and the like are names of interfaces.
check_packages() {
    local found
    found="$(grep -nE '\b(gcc|g\+\+|clang|llvm|lld)-[0-9]+\b|\blib(ssl[0-9]|curl4|event-[0-9]|jansson4|yaml-0)\b($|[^-])' \
        hack/*.sh Dockerfile .ci/run || true)"
    [ -z "$found" ] || wrong "package names with versions:"$'\n'"$found"
    if ! grep -q '^option(YK_WERROR .* OFF)' CMakeLists.txt; then wrong "YK_WERROR is not off by default"; fi
    if ! grep -q 'YK_WERROR="${YK_WERROR:-ON}"' hack/test.sh; then wrong "hack/test.sh does not turn YK_WERROR on"; fi
}

check_links
check_scripts
check_yaml
check_licences
check_packages
[ "$failures" -eq 0 ]
