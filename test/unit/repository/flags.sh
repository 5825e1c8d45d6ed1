#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that each source is compiled with the flags of cmake/flags.cmake: warnings, sanitizers, hardening.
#
#   test/unit/repository/flags.sh BUILD
set -euo pipefail

commands="$1/compile_commands.json"
count="$(grep -c '"command":' "$commands")"
[ "$count" -ge 100 ] || { echo "$commands: only $count commands"; exit 1; }
without="$(grep '"command":' "$commands" | grep -v -- ' -Wshadow ' || true)"
[ -z "$without" ] || { echo "compiled without yk_flags:"; echo "$without"; exit 1; }
