#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that scenarios drawn at random make the same decisions in each run and in each build:
#
#   test/unit/simulate/same_decisions.sh SEEDS BINARY...
#
# SEEDS is a list such as "1 2 3"; as many at a time as there are processors. Each run draws another secret for its hash
# tables, so the first binary runs twice.
# The decisions are the lines of `yunikorn simulate --decisions`: each binding and eviction, in order, with its time.
set -euo pipefail

seeds="$1"
shift
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

decide() { # decide BINARY SEED FILE
    "$1" simulate --quiet --random "$2" --decisions "$3" >"$3.result"
}

check_seed() { # check_seed SEED BINARY...: fails if one differs, or cannot run
    local seed="$1" own="$work/$1" lines binary status=0
    shift
    decide "$1" "$seed" "$own.first" || return
    for binary in "$@"; do
        decide "$binary" "$seed" "$own.other" || return
        if ! cmp -s "$own.first" "$own.other" || ! cmp -s "$own.first.result" "$own.other.result"; then
            echo "seed $seed: $binary decides otherwise than $1 (>):"
            diff "$own.first" "$own.other" | head -n 10 || true
            status=1
        fi
    done
    lines="$(wc -l <"$own.first")"
    [ "$lines" -gt 0 ] || { echo "seed $seed: no decisions"; status=1; }
    [ "$status" -ne 0 ] || echo "seed $seed: $lines decisions, the same in $# builds"
    return "$status"
}

checks=()
for seed in $seeds; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do sleep 0.1; done
    check_seed "$seed" "$@" &
    checks+=($!)
done
failures=0
for check in "${checks[@]}"; do wait "$check" || failures=$((failures + 1)); done
[ "$failures" -eq 0 ]
