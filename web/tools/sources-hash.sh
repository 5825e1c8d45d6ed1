#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints one hash of everything that the web page is made of. web/dist/sources.sha256 holds the hash of the sources
# that web/dist was built from.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find index.html package.json package-lock.json tsconfig.json vite.config.ts public src tools -type f |
    sort | while read -r file; do sha256sum "$file"; done | sha256sum | cut -d ' ' -f 1
