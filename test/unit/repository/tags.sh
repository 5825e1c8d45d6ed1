#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a tag names one struct, union or enum only, in whatever module it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

found="$(git ls-files 'core/*.[ch]' 'k8s-shim/*.[ch]' 'cmd/*.[ch]' | xargs grep -shoE '^(struct|union|enum) yk_[a-z0-9_]+ \{' |
    cut -d' ' -f2 | LC_ALL=C sort | uniq -d)"
[ -z "$found" ] || printf 'tags of more than one struct, union or enum:\n%s\n' "$found"
[ -z "$found" ]
