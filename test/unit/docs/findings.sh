#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that docs/reference/migrate.md has the table of findings that a binary prints:
#
#   test/unit/docs/findings.sh BINARY
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

diff <(sed -n '/^| finding /,$p' docs/reference/migrate.md) <("$1" migrate list) || {
    echo "docs/reference/migrate.md differs from yunikorn migrate list (>)"
    exit 1
}
