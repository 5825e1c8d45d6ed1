# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Debian's Chromium, and the packages of web/ that drive it, for the files that look at the page.

WEB="$REPO/web"

has_browser() { [ -e "$WEB/node_modules/playwright-core/package.json" ] && has chromium; }

# For setup_file: fetches what is missing; the log is browser-packages.log. 1: it cannot be had.
need_browser() { fetch_browser >"$E2E_DIR/log/browser-packages.log" 2>&1; }

fetch_browser() {
    has node || (need_packages nodejs) || return 1
    has npm || (need_packages npm) || return 1
    has chromium || (need_packages chromium) || return 1
    [ -e "$WEB/node_modules/playwright-core/package.json" ] || npm ci --prefix "$WEB" --ignore-scripts --no-audit --no-fund
}
