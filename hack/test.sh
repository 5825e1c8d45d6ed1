#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests and ends with one line of totals: "N passed, N failed[, N skipped]".
#
#   hack/test.sh [unit|e2e|fuzz|all]      (all)
#
#   unit   the unit tests twice: with address and undefined-behaviour sanitizers, with the thread sanitizer
#   e2e    bats against a real control plane; with KUBECONFIG set, against that cluster, where it
#          touches nothing but namespaces of its own
#   fuzz   every fuzz target for FUZZ_SECONDS (20) on top of its corpus
#
# E2E_FILTER=REGEX runs only the end-to-end tests whose name matches.
# Fails when a test failed, when something could not be built, and when nothing ran.
set -euo pipefail

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

FUZZ_SECONDS="${FUZZ_SECONDS:-20}"
FUZZ_SECONDS_MAX=240
PASSED=0 FAILED=0 SKIPPED=0

count() { PASSED=$((PASSED + $1)) FAILED=$((FAILED + $2)) SKIPPED=$((SKIPPED + $3)); }

# What cannot even be built counts as one failure, and the other parts still run.
part_failed() {
    warn "$1"
    count 0 1 0
}

# --- unit ------------------------------------------------------------------------------------

# junit HEADER NAME: a number out of the attributes of a <testsuite> tag; 0 if it is not there.
junit() {
    local value
    value="$(sed -n "s/^$2=\"\([0-9]*\)\".*/\1/p" <<<"$1" | head -n 1)"
    echo "${value:-0}"
}

# count_ctest FILE: adds up what ctest wrote; a file without tests is a failure.
count_ctest() {
    local header="" tests failures skipped
    # The attributes of the opening tag, one per line, whatever the line breaks in the file.
    [ ! -r "$1" ] || header="$(sed -n '/<testsuite/,/>/p' "$1" | tr -s '[:space:]' '\n')"
    tests="$(junit "$header" tests)" failures="$(junit "$header" failures)"
    skipped=$(($(junit "$header" skipped) + $(junit "$header" disabled)))
    if [ "$tests" -eq 0 ]; then
        part_failed "no unit tests ran"
        return
    fi
    count $((tests - failures - skipped)) "$failures" "$skipped"
}

unit_preset() {
    local preset="$1" report="$REPO/build/$1/ctest.xml"
    build_preset "$preset" || {
        part_failed "preset '$preset' does not build"
        return
    }
    rm -f "$report"
    # The result is read from the report.
    (cd "$REPO" && ctest --preset "$preset" --output-junit "$report") || true
    count_ctest "$report"
}

run_unit() {
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_UNIT[@]}"
    unit_preset dev
    unit_preset tsan
}

# --- e2e -------------------------------------------------------------------------------------

# count_tap FILE: what bats promised and did not report has failed, too.
count_tap() {
    local file="$1" planned passed failed skipped lost
    planned="$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$file" | head -n 1)"
    skipped="$(grep -c '^ok .*# skip' "$file" || true)"
    passed=$(($(grep -c '^ok ' "$file" || true) - skipped))
    failed="$(grep -c '^not ok ' "$file" || true)"
    if [ "${planned:-0}" -eq 0 ]; then
        part_failed "no end-to-end tests ran"
        return
    fi
    lost=$((planned - passed - failed - skipped))
    count "$passed" $((failed + (lost > 0 ? lost : 0))) "$skipped"
}

run_e2e() {
    local report filter=()
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_E2E[@]}"
    # For the test of the image's build, which needs root as well.
    [ "$(id -u)" -ne 0 ] || need_packages debootstrap
    build_release || {
        part_failed "the release binary does not build"
        return
    }
    "$REPO/hack/control-plane.sh" build || {
        part_failed "the control plane does not build"
        return
    }
    [ -z "${E2E_FILTER:-}" ] || filter=(--filter "$E2E_FILTER")
    mkdir -p "$REPO/build/e2e"
    report="$REPO/build/e2e/report.tap"
    bats --tap --timing "${filter[@]}" "$REPO/test/e2e" | tee "$report" || true
    count_tap "$report"
    # A suite that failed to start has not cleaned up after itself.
    "$REPO/hack/control-plane.sh" down "${E2E_DIR:-$REPO/build/e2e}/cluster"
}

# --- fuzz ------------------------------------------------------------------------------------

# fuzz_one BINARY: new inputs go to the build directory, so that a run leaves the corpus as it is. Where
# test/fuzz/NAME.runs says how many inputs there must be, they decide and not the time, up to FUZZ_SECONDS_MAX.
fuzz_one() {
    local binary="$1" name work corpus log wanted=0 ran status=0
    local -a length=("-max_total_time=$FUZZ_SECONDS")
    name="$(basename "$binary")"
    name="${name#fuzz_}"
    work="$REPO/build/fuzz/run/$name" corpus="$REPO/test/fuzz/corpus/$name"
    mkdir -p "$work/new" "$work/found"
    log="$work/log"
    [ -d "$corpus" ] || corpus="$work/new"
    if [ -f "$REPO/test/fuzz/$name.runs" ]; then
        wanted="$(<"$REPO/test/fuzz/$name.runs")"
        length=("-runs=$wanted" "-max_total_time=$FUZZ_SECONDS_MAX")
    fi
    "$binary" "${length[@]}" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$work/found/" "$work/new" "$corpus" >"$log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        tail -n 40 "$log"
        echo "not ok fuzz $name (input kept in ${work#"$REPO"/}/found)"
        return 0
    fi
    ran="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    if [ "$ran" -lt "$wanted" ]; then
        echo "not ok fuzz $name, $ran inputs of $wanted in $FUZZ_SECONDS_MAX s"
    else
        echo "ok fuzz $name, $ran inputs"
    fi
}

# As many targets at a time as there are processors.
fuzz_all() {
    local binary
    for binary in "$REPO"/build/fuzz/test/fuzz/fuzz_*; do
        # Not a file: the pattern itself, when nothing matched.
        if [ ! -f "$binary" ] || [ ! -x "$binary" ]; then continue; fi
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        fuzz_one "$binary" &
    done
    wait
}

run_fuzz() {
    local report passed failed
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_FUZZ[@]}"
    build_preset fuzz || {
        part_failed "preset 'fuzz' does not build"
        return
    }
    say "fuzzing, $FUZZ_SECONDS s per target"
    report="$REPO/build/fuzz/report.tap"
    fuzz_all | tee "$report"
    passed="$(grep -c '^ok ' "$report" || true)" failed="$(grep -c '^not ok ' "$report" || true)"
    if [ $((passed + failed)) -eq 0 ]; then
        part_failed "no fuzz targets ran"
        return
    fi
    count "$passed" "$failed" 0
}

# --- totals ----------------------------------------------------------------------------------

totals() {
    local line="$PASSED passed, $FAILED failed"
    [ "$SKIPPED" -eq 0 ] || line="$line, $SKIPPED skipped"
    echo "$line"
    [ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}

case "${1:-all}" in
unit) run_unit ;;
e2e) run_e2e ;;
fuzz) run_fuzz ;;
all)
    run_unit
    run_fuzz
    run_e2e
    ;;
-h | --help)
    sed -n '4,/^set -e/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
*) die "usage: hack/test.sh [unit|e2e|fuzz|all]" ;;
esac
totals
