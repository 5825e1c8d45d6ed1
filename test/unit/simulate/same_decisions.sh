#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that scenarios drawn at random make the same decisions in each run and in each build:
#
#   test/unit/simulate/same_decisions.sh SEEDS BINARY...
#
# SEEDS is a list such as "1 2 3". Each run draws another secret for its hash tables, so the first binary runs twice.
# The decisions are the lines of `yunikorn simulate --decisions`: each binding and eviction, in order, with its time.
set -euo pipefail

seeds="$1"
shift
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
failures=0

decide() { # decide BINARY SEED FILE
    "$1" simulate --quiet --random "$2" --decisions "$3" >"$3.result"
}

for seed in $seeds; do
    decide "$1" "$seed" "$work/first"
    for binary in "$@"; do
        decide "$binary" "$seed" "$work/other"
        if ! cmp -s "$work/first" "$work/other" || ! cmp -s "$work/first.result" "$work/other.result"; then
            echo "seed $seed: $binary decides otherwise than $1 (>):"
            diff "$work/first" "$work/other" | head -n 10 || true
            failures=$((failures + 1))
        fi
    done
    lines="$(wc -l <"$work/first")"
    [ "$lines" -gt 0 ] || { echo "seed $seed: no decisions"; failures=$((failures + 1)); }
    echo "seed $seed: $lines decisions, the same in $# builds"
done
[ "$failures" -eq 0 ]
