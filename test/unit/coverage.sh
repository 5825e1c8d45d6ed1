#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints which lines and branches of each module the tests of a build with the preset `coverage` ran, and writes it line
# by line to BUILD/html:
#
#   test/unit/coverage.sh BUILD
#
# The goal is 90 % of the lines and 80 % of the branches of core and k8s-shim together. Fails if it is missed. Branches of
# assertions are left out: they are taken only if there is a bug.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

build="$(cd "$1" && pwd)"
options=(--quiet --rc lcov_branch_coverage=1 --rc 'lcov_excl_br_line=YK_ASSERT|YK_INVARIANT')

rm -rf "$build/lcov" "$build/html"
mkdir -p "$build/lcov/objects"
# The objects of modules, without those of test programs.
for module in "$build"/CMakeFiles/yk_*.dir; do ln -s "$module" "$build/lcov/objects/"; done
for module in "$build"/lcov/objects/*; do
    [ -n "$(find -L "$module" -name '*.gcda' -print -quit)" ] || continue
    lcov "${options[@]}" --capture --directory "$module/" --output-file "$build/lcov/$(basename "$module").info" &
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
done
wait
parts=()
for part in "$build"/lcov/*.info; do parts+=(--add-tracefile "$part"); done
lcov "${options[@]}" "${parts[@]}" --output-file "$build/lcov/all"
lcov "${options[@]}" --extract "$build/lcov/all" "$PWD/core/*" "$PWD/k8s-shim/*" "$PWD/cmd/*" --output-file "$build/lcov/modules"
genhtml --quiet --branch-coverage --prefix "$PWD" --output-directory "$build/html" "$build/lcov/modules"

awk -v root="$PWD/" '
    function part(hit, all) { return all > 0 ? 100 * hit / all : 100 }
    function add(name) { lf[name] += l; lh[name] += h; bf[name] += b; bh[name] += t }
    /^SF:/ { file = substr($0, 4 + length(root)); l = h = b = t = 0 }
    /^LF:/ { l = substr($0, 4) } /^LH:/ { h = substr($0, 4) }
    /^BRF:/ { b = substr($0, 5) } /^BRH:/ { t = substr($0, 5) }
    /^end_of_record/ {
        module = file; sub("/[^/]*$", "", module); top = file; sub("/.*", "", top)
        add(module); add(top != "cmd" ? "core and k8s-shim" : "cmd, whole")
    }
    function line(name) {
        printf "%-24s %6d %7.1f %% %9d %7.1f %%\n", name, lf[name], part(lh[name], lf[name]), bf[name], part(bh[name], bf[name])
    }
    END {
        printf "%-24s %6s %9s %9s %9s\n", "module", "lines", "run", "branches", "taken"
        count = 0
        for (name in lf) if (name ~ "/" ) names[++count] = name
        for (i = 1; i <= count; i++) for (j = i + 1; j <= count; j++)
            if (names[j] < names[i]) { swap = names[i]; names[i] = names[j]; names[j] = swap }
        for (i = 1; i <= count; i++) line(names[i])
        line("cmd, whole")
        all = "core and k8s-shim"; line(all)
        exit part(lh[all], lf[all]) < 90 || part(bh[all], bf[all]) < 80
    }' "$build/lcov/modules" || { echo "below the goal of 90 % of lines and 80 % of branches"; exit 1; }
