#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the built web page that is checked in (web/dist): it was built from the sources beside it, it is complete and
# small, and it loads nothing from elsewhere. Where node and the packages of web/ are there, it is built again and
# compared.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../../web"

failures=0
wrong() {
    echo "$*"
    failures=$((failures + 1))
}

parts=(index.html app.js app.css icon.svg licenses.txt)
files="$(find dist -type f -printf '%f\n' | LC_ALL=C sort)"
[ "$files" = "$(printf '%s.gz\n' "${parts[@]}" sources.sha256 | sed 's/sources.sha256.gz/sources.sha256/' | LC_ALL=C sort)" ] ||
    wrong "web/dist has these files:"$'\n'"$files"
[ "$(tools/sources-hash.sh)" = "$(cat dist/sources.sha256)" ] ||
    wrong "web/dist was built from other sources; run: cd web && npm ci && npm run build"
bytes="$(cat dist/*.gz | wc -c)"
[ "$bytes" -le 150000 ] || wrong "web/dist has $bytes bytes, more than 150000"
for part in "${parts[@]}"; do
    gzip -t "dist/$part.gz" || wrong "web/dist/$part.gz is damaged"
done

# The page itself refers to its own files only. Addresses in the script are names of XML formats and texts in licences.
page="$(gzip -dc dist/index.html.gz)"
! grep -qE 'https?:|//[a-z]|<style|style=|<script>| on[a-z]+=' <<<"$page" || wrong "web/dist/index.html loads from elsewhere, or has scripts or styles in it"
! gzip -dc dist/app.css.gz | grep -qE '@import|url\((.?)https?:' || wrong "web/dist/app.css loads from elsewhere"
for library in preact @preact/signals uplot; do
    gzip -dc dist/licenses.txt.gz | grep -q "^$library [0-9]" || wrong "web/dist/licenses.txt lacks $library"
done
! grep -qE '"resolved"' package-lock.json || wrong "web/package-lock.json names hosts of packages"
! grep -E '^ +"[^"]+": "[~^>]' package.json | grep -v '"node"' || wrong "web/package.json has versions that are not exact"

# The names of the packages are in the lock file; a node that is too old for vite does not build.
if command -v node >/dev/null && [ -d node_modules/vite ] && node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)'; then
    node tools/compare.mjs || wrong "web/dist differs from what is built"
else
    echo "web/dist is not built again: node 20 or web/node_modules is missing"
fi
[ "$failures" -eq 0 ]
