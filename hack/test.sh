#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests and ends with how long each part took, and one line of totals: "N passed, N failed[, N skipped]".
#
#   hack/test.sh [unit|chart|e2e|image|fuzz|whatif|quick [PRESET...]|debian13 [PRESET...]|compilers [NAME...]|arm64|same [full]|
#                 steady|coverage|all]   (all)
#
#   unit   the unit tests twice: with address and undefined-behaviour sanitizers; with the thread sanitizer and with
#          columns for 5 resource types instead of 14, so that most types take the path of rare ones
#   chart  what the Helm chart renders, and the manifests that come from it; needs Helm and kubectl, and no cluster
#   e2e    bats against a real control plane, in two groups of files at the same time, each with a control plane of its own;
#          with KUBECONFIG set, against that cluster, where it touches nothing but namespaces of its own
#   image  the steps of the Dockerfile in a Debian 12 root, and what they make. The root is kept in
#          $YK_CACHE/debian-bookworm. Skipped as debian13
#   fuzz   every fuzz target for FUZZ_SECONDS (5) on top of its corpus, with the inputs of FUZZ_SEED (1), so that two
#          runs of the same sources try the same; FUZZ_SEED=0 tries others each time, for long runs
#   whatif   1,000 random what-if questions, each followed by the real thing: the answer and what happens are the same. YK_SEED
#          (5001) is the first seed
#   quick [PRESET...]   builds a preset and runs the example and the unit tests of a few modules, about two minutes. The
#          presets are quick (the default), release (gcc) and release-clang
#   same [full]   random scenarios decide the same in each build that is there: dev, tsan and release of gcc, fuzz of clang.
#          With `full`, and if there are none: also gcc and clang with -O0 and -O2, and more seeds
#   steady   the scenarios of test/bench/steady, most of them an hour of simulated time, reach their goals
#   coverage   lines and branches per module that the unit tests run, as a table, and line by line as HTML in
#          build/coverage/html; not part of `all`
#   debian13 [PRESET...]   `quick release` in a Debian 13 root, with gcc and with clang unless PRESETs are named. The root is kept in
#          $YK_CACHE/debian-trixie. Skipped where debootstrap cannot work: not root, no mirror
#   all    unit, e2e, debian13 with gcc, image, chart, fuzz, same, steady. What only builds or prints runs beside the end-to-end
#          tests, which wait most of the time, on what they leave of the processors; its output is in build/beside
#
# Warnings are errors (YK_WERROR=ON) unless the environment says YK_WERROR=OFF.
# E2E_FILTER=REGEX runs only the end-to-end tests whose name matches, in one group. The tests run beside the admission controller of the chart;
# E2E_ADMISSION=0 runs them without it. YK_NIGHTLY=1 also builds the image twice, and upgrades the chart 20 times instead of 5.
# Fails when a test failed, when something could not be built, and when nothing ran.
set -euo pipefail

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=hack/control-plane.sh
source "$REPO/hack/control-plane.sh"
# shellcheck source=hack/debian-root.sh
source "$REPO/hack/debian-root.sh"
# shellcheck source=hack/test-builds.sh
source "$REPO/hack/test-builds.sh"

export YK_WERROR="${YK_WERROR:-ON}"
FUZZ_SECONDS="${FUZZ_SECONDS:-5}"
FUZZ_SECONDS_MAX=240
FUZZ_SEED="${FUZZ_SEED:-1}"
PASSED=0 FAILED=0 SKIPPED=0
TIMES=()

# took NAME BEGUN: notes how long that took, for the end; BEGUN as of now.
took() { TIMES+=("$(printf '%-12s %5d s' "$1" $(($(now) - $2)))"); }

count() { PASSED=$((PASSED + $1)) FAILED=$((FAILED + $2)) SKIPPED=$((SKIPPED + $3)); }

# What cannot even be built counts as one failure, and the other parts still run.
part_failed() {
    warn "$1"
    count 0 1 0
}

part_skipped() {
    warn "$1"
    count 0 0 1
}

# in_parallel COMMAND ARGUMENT...: the command with each argument, as many at a time as there are processors.
in_parallel() {
    local command="$1" argument
    shift
    for argument in "$@"; do
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        "$command" "$argument" &
    done
    wait
}

# count_lines REPORT WHAT: its lines "ok" and "not ok"; WHAT ran, or that has failed.
count_lines() {
    local passed failed
    passed="$(grep -c '^ok ' "$1" || true)" failed="$(grep -c '^not ok ' "$1" || true)"
    if [ $((passed + failed)) -eq 0 ]; then
        part_failed "no $2 ran"
        return
    fi
    count "$passed" "$failed" 0
}

# --- process groups --------------------------------------------------------------------------

# begin_group COMMAND...: in a process group of its own, GROUP, which ends with this script.
begin_group() {
    setsid "$@" </dev/null &
    GROUP=$!
    GROUPS_RUN[GROUP]=1
}

# end_group GROUP: waits for it.
end_group() {
    wait "$1" || true
    unset "GROUPS_RUN[$1]"
}

GROUPS_RUN=()
CLUSTERS=() # control planes that end with this script, as folders; they are in sessions of their own

end_all() {
    local group cluster
    for group in "${!GROUPS_RUN[@]}"; do kill -- "-$group" 2>/dev/null || true; done
    for cluster in "${CLUSTERS[@]}"; do "$REPO/hack/control-plane.sh" down "$cluster" || true; done
}
trap end_all EXIT

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
    local preset="$1" report="$REPO/build/$1/ctest.xml" begun
    begun="$(now)"
    build_preset "$preset" || {
        part_failed "preset '$preset' does not build"
        return
    }
    took "$preset build" "$begun"
    begun="$(now)"
    rm -f "$report"
    # The result is read from the report.
    (cd "$REPO" && ctest --preset "$preset" --output-junit "$report") || true
    took "$preset run" "$begun"
    count_ctest "$report"
}

run_unit() {
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_UNIT[@]}"
    unit_preset dev
    unit_preset tsan
}

# --- quick -----------------------------------------------------------------------------------

# The modules whose unit tests `quick` runs.
QUICK_MODULES='base|resources|config|api|predicates|volumes'

# quick_tests PRESET: the names of the test programs of these modules.
quick_tests() {
    ninja -C "$REPO/build/$1" -t targets all | sed -nE "s/^(test_($QUICK_MODULES)_[a-z0-9_]+): .*/\\1/p"
}

quick_preset() {
    local preset="$1" build="$REPO/build/$1" report="$REPO/build/$1/ctest.xml" programs
    rm -f "$report"
    build_preset "$preset" --target yunikorn || {
        part_failed "preset '$preset' does not build"
        return
    }
    mapfile -t programs < <(quick_tests "$preset")
    if [ "${#programs[@]}" -eq 0 ] || ! cmake --build "$build" --target "${programs[@]}" >&2; then
        part_failed "the unit tests of preset '$preset' do not build"
        return
    fi
    if "$build/yunikorn" simulate >"$build/simulate.txt"; then count 1 0 0; else part_failed "the example fails"; fi
    # The result is read from the report.
    ctest --test-dir "$build" -R "^($QUICK_MODULES)/" --output-on-failure -j "$(nproc)" --output-junit "$report" >&2 || true
    count_ctest "$report"
}

run_quick() {
    local preset
    need_packages "${PACKAGES_BUILD[@]}"
    [[ " $* " != *clang* ]] || need_packages clang
    for preset in "${@:-quick}"; do quick_preset "$preset"; done
}

# --- e2e -------------------------------------------------------------------------------------

# count_tap FILE: what bats promised and did not report has failed, too.
count_tap() {
    local file="$1" planned passed failed skipped lost
    [ -e "$file" ] || : >"$file"
    planned="$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$file" | head -n 1)"
    skipped="$(grep -c '^ok .*# skip' "$file" || true)"
    passed=$(($(grep -c '^ok ' "$file" || true) - skipped))
    failed="$(grep -c '^not ok ' "$file" || true)"
    if [ "${planned:-0}" -eq 0 ]; then
        part_failed "no tests ran: $file"
        return
    fi
    lost=$((planned - passed - failed - skipped))
    count "$passed" $((failed + (lost > 0 ? lost : 0))) "$skipped"
}

# Helm and kubectl of the user's, if there are any.
chart_tools() {
    local tool
    mkdir -p "$REPO/build/chart/bin"
    for tool in helm kubectl; do
        has "$tool" || cp_build_client "$tool" "$REPO/build/chart/bin"
    done
    export PATH="$PATH:$REPO/build/chart/bin"
}

# promtool of Debian's package, without its service. Not fatal: the test that needs it is skipped.
fetch_promtool() {
    local dir="$REPO/build/chart/promtool"
    has promtool && return 0
    if [ ! -x "$dir/usr/bin/promtool" ]; then
        mkdir -p "$dir"
        (cd "$dir" && apt-get download prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar xf - ./usr/bin/promtool &&
            rm -f prometheus_*.deb) >"$dir/log" 2>&1 || echo "promtool cannot be fetched; see $dir/log"
    fi
    export PATH="$PATH:$dir/usr/bin"
}

run_chart() {
    local report="$REPO/build/chart/report.tap" begun
    begun="$(now)"
    need_packages "${PACKAGES_CHART[@]}"
    chart_tools
    fetch_promtool
    bats --tap "$REPO/test/chart" | tee "$report" || true
    took chart "$begun"
    count_tap "$report"
}

E2E_REPORTS="${E2E_DIR:-$REPO/build/e2e}"

# e2e_group first|second|all: these files against a control plane of their own; report and logs are in build/e2e/GROUP.
e2e_group() {
    local dir="$E2E_REPORTS/$1" files filter=()
    case "$1" in
    first) files=("$REPO"/test/e2e/[!m-z]*.bats) ;;
    second) files=("$REPO"/test/e2e/[m-z]*.bats) ;;
    all) files=("$REPO"/test/e2e/*.bats) ;;
    esac
    [ -z "${E2E_FILTER:-}" ] || filter=(--filter "$E2E_FILTER")
    mkdir -p "$dir"
    CLUSTERS+=("$dir/cluster")
    E2E_DIR="$dir" bats --tap --timing --print-output-on-failure "${filter[@]}" "${files[@]}" | tee "$dir/report.tap" || true
    # A suite that failed to start has not cleaned up after itself.
    "$REPO/hack/control-plane.sh" down "$dir/cluster"
}

# Both groups at the same time, as they wait most of it. The lines of the second one come after those of the first.
e2e_groups() {
    local log="$E2E_REPORTS/second.log"
    mkdir -p "$E2E_REPORTS"
    YK_PORTS=1 begin_group "$REPO/hack/test.sh" e2e-group second >"$log" 2>&1
    e2e_group first
    end_group "$GROUP"
    cat "$log"
    count_tap "$E2E_REPORTS/first/report.tap"
    count_tap "$E2E_REPORTS/second/report.tap"
}

run_e2e() {
    local begun
    begun="$(now)"
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_E2E[@]}"
    build_release --target yunikorn print_object || {
        part_failed "the release binary does not build"
        return
    }
    "$REPO/hack/control-plane.sh" build || {
        part_failed "the control plane does not build"
        return
    }
    took "e2e build" "$begun"
    begun="$(now)"
    rm -rf "$E2E_REPORTS"/*/report.tap
    # A few tests are not worth two control planes, and a cluster of others has one scheduler of a name.
    if [ -n "${E2E_FILTER:-}${KUBECONFIG:-}" ]; then
        e2e_group all
        count_tap "$E2E_REPORTS/all/report.tap"
    else
        e2e_groups
    fi
    took "e2e run" "$begun"
}

# --- image -----------------------------------------------------------------------------------

run_image() {
    local report="$REPO/build/image/report.tap" begun
    begun="$(now)"
    need_packages bats
    [ "$(id -u)" -ne 0 ] || need_packages debootstrap
    mkdir -p "$REPO/build/image"
    bats --tap --timing --print-output-on-failure "$REPO/test/image" | tee "$report" || true
    took image "$begun"
    count_tap "$report"
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
    [ "$FUZZ_SEED" = 0 ] || rm -rf "$work/new" # what an earlier run left would change the inputs
    mkdir -p "$work/new" "$work/found"
    log="$work/log"
    [ -d "$corpus" ] || corpus="$work/new"
    if [ -f "$REPO/test/fuzz/$name.runs" ]; then
        wanted="$(<"$REPO/test/fuzz/$name.runs")"
        length=("-runs=$wanted" "-max_total_time=$FUZZ_SECONDS_MAX")
    fi
    "$binary" "${length[@]}" -seed="$FUZZ_SEED" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
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

fuzz_all() {
    local binary binaries=()
    for binary in "$REPO"/build/fuzz/test/fuzz/fuzz_*; do
        # Not a file: the pattern itself, when nothing matched.
        if [ -f "$binary" ] && [ -x "$binary" ]; then binaries+=("$binary"); fi
    done
    in_parallel fuzz_one "${binaries[@]}"
}

run_fuzz() {
    local report begun
    begun="$(now)"
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_FUZZ[@]}"
    build_preset fuzz || {
        part_failed "preset 'fuzz' does not build"
        return
    }
    took "fuzz build" "$begun"
    begun="$(now)"
    say "fuzzing, $FUZZ_SECONDS s per target"
    report="$REPO/build/fuzz/report.tap"
    fuzz_all | tee "$report"
    took "fuzz run" "$begun"
    count_lines "$report" "fuzz targets"
}

# --- what-if ---------------------------------------------------------------------------------

run_whatif() {
    local begun
    begun="$(now)"
    need_packages "${PACKAGES_BUILD[@]}"
    build_preset release --target test_whatif_same_as_real || {
        part_failed "preset 'release' does not build"
        return
    }
    took "release build" "$begun"
    begun="$(now)"
    if YK_SEED="${YK_SEED:-5001}" YK_WHATIF_RUNS=1000 "$REPO/build/release/test_whatif_same_as_real"; then
        count 1 0 0
    else
        count 0 1 0
    fi
    took "what-if" "$begun"
}

# --- same decisions --------------------------------------------------------------------------

# same_build COMPILER FLAG: prints the binary; nothing but the compiler and its optimization differs.
same_build() {
    local dir="$REPO/build/same/$1$2"
    cmake -S "$REPO" -B "$dir" -G Ninja -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$2" \
        -DYK_WERROR="$YK_WERROR" >&2 && cmake --build "$dir" --target yunikorn >&2 && echo "$dir/yunikorn"
}

run_same() {
    local binaries=() seeds="1 2 3 5 9" variants=() variant preset binary begun
    begun="$(now)"
    need_packages "${PACKAGES_BUILD[@]}" clang
    for preset in release dev tsan fuzz; do # the first one runs twice, and is the fastest
        [ ! -x "$REPO/build/$preset/yunikorn" ] || binaries+=("$REPO/build/$preset/yunikorn")
    done
    [ "${#binaries[@]}" -ge 2 ] || variants=("clang -O0" "gcc -O2")
    if [ "${1:-}" = full ]; then
        variants=("clang -O0" "clang -O2" "gcc -O0" "gcc -O2")
        seeds="$(seq -s ' ' 1 48)"
    fi
    for variant in "${variants[@]}"; do
        # shellcheck disable=SC2086 # compiler and flag
        binary="$(same_build $variant)" || {
            part_failed "'$variant' does not build"
            return
        }
        binaries+=("$binary")
    done
    if "$REPO/test/unit/simulate/same_decisions.sh" "$seeds" "${binaries[@]}"; then count 1 0 0; else part_failed "decisions differ"; fi
    took same "$begun"
}

# --- steady state ----------------------------------------------------------------------------

# steady_one FILE: a line that says whether the scenario reaches its goals.
steady_one() {
    local name
    name="$(basename "$1" .yaml)"
    if "$REPO/build/release/yunikorn" simulate --quiet --goals "$1" >"$REPO/build/steady/$name.txt" 2>&1; then
        echo "ok steady $name"
    else
        echo "not ok steady $name (build/steady/$name.txt)"
    fi
}

run_steady() {
    local report="$REPO/build/steady/report.tap" begun
    begun="$(now)"
    need_packages "${PACKAGES_BUILD[@]}"
    build_preset release --target yunikorn || {
        part_failed "preset 'release' does not build"
        return
    }
    took "release build" "$begun"
    begun="$(now)"
    mkdir -p "$REPO/build/steady"
    in_parallel steady_one "$REPO"/test/bench/steady/*.yaml | tee "$report"
    took steady "$begun"
    count_lines "$report" scenarios
}

# --- coverage --------------------------------------------------------------------------------

run_coverage() {
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_UNIT[@]}" "${PACKAGES_COVERAGE[@]}"
    # Counts of an earlier run would be added to.
    find "$REPO/build/coverage" -name '*.gcda' -delete 2>/dev/null || true
    unit_preset coverage
    "$REPO/test/unit/coverage.sh" "$REPO/build/coverage" || part_failed "there is no coverage"
}

# --- all -------------------------------------------------------------------------------------

# count_totals FILE NAME: adds up what another run of this script wrote, with its times. 1: it wrote no totals.
count_totals() {
    local line
    line="$(tail -n 1 "$1" 2>/dev/null)"
    [[ "$line" =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]] || return 1
    count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]:-0}"
    mapfile -t -O "${#TIMES[@]}" TIMES < <(sed -n "s/^[a-z0-9 ]* [0-9]* s$/& ($2)/p" "$1")
}

# idle COMMAND...: on processors that have nothing else to do.
idle() {
    if has chrt && chrt --idle 0 true 2>/dev/null; then chrt --idle 0 "$@"; else nice -n 19 "$@"; fi
}

BESIDE="$REPO/build/beside"

# The parts that only build or print, each in a process of its own. Fuzz targets are built and do not run: an input has 10 s.
run_beside() {
    rm -rf "$BESIDE"
    mkdir -p "$BESIDE"
    idle "$REPO/hack/test.sh" debian13 release >"$BESIDE/debian13" 2>"$BESIDE/debian13.log" || true
    idle "$REPO/hack/test.sh" image >"$BESIDE/image" 2>"$BESIDE/image.log" || true
    idle cmake --preset fuzz -S "$REPO" "-DYK_WERROR=$YK_WERROR" >"$BESIDE/fuzz.log" 2>&1 &&
        idle cmake --build "$REPO/build/fuzz" >>"$BESIDE/fuzz.log" 2>&1 || true # run_fuzz says what fails
    # Last, when kubectl and Helm have been built for the end-to-end tests.
    idle "$REPO/hack/test.sh" chart >"$BESIDE/chart" 2>"$BESIDE/chart.log" || true
}

begin_beside() {
    say "beside the end-to-end tests: debian13, image, the build of fuzz, chart; output in build/beside"
    begin_group "$REPO/hack/test.sh" beside
    BESIDE_GROUP="$GROUP"
}

end_beside() {
    local part begun
    begun="$(now)"
    end_group "$BESIDE_GROUP"
    took "wait beside" "$begun"
    for part in debian13 image chart; do
        if ! count_totals "$BESIDE/$part" beside; then
            part_failed "$part ended without a result"
        elif ! grep -q ' 0 failed' "$BESIDE/$part"; then
            tail -n 60 "$BESIDE/$part.log" "$BESIDE/$part" >&2
        fi
    done
}

run_all() {
    # Of the parts that run at the same time, one alone may install packages here: the end-to-end tests.
    need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_UNIT[@]}" "${PACKAGES_CHART[@]}" "${PACKAGES_E2E[@]}" "${PACKAGES_FUZZ[@]}"
    [ "$(id -u)" -ne 0 ] || need_packages debootstrap
    run_unit
    begin_beside
    run_e2e
    end_beside
    run_fuzz
    run_same # with the builds of the other parts
    run_steady
}

# --- totals ----------------------------------------------------------------------------------

totals() {
    local line="$PASSED passed, $FAILED failed"
    [ "${#TIMES[@]}" -eq 0 ] || printf '%s\n' "${TIMES[@]}"
    [ "$SKIPPED" -eq 0 ] || line="$line, $SKIPPED skipped"
    echo "$line"
    [ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
}

case "${1:-all}" in
unit) run_unit ;;
chart) run_chart ;;
e2e) run_e2e ;;
image) run_image ;;
fuzz) run_fuzz ;;
whatif) run_whatif ;;
beside) # of `all`
    run_beside
    exit 0
    ;;
e2e-group) # of `e2e`
    e2e_group "$2"
    exit 0
    ;;
quick) run_quick "${@:2}" ;;
debian13) if [ $# -gt 1 ]; then run_debian13 "${@:2}"; else run_debian13 release release-clang; fi ;;
same) run_same "${@:2}" ;;
steady) run_steady ;;
coverage) run_coverage ;;
compilers) run_compilers "${@:2}" ;;
arm64) run_arm64 ;;
all) run_all ;;
-h | --help)
    sed -n '4,/^set -e/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
*) die "usage: hack/test.sh [unit|chart|e2e|image|fuzz|quick|debian13|compilers|arm64|same|coverage|all]" ;;
esac
totals
