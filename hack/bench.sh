#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs one benchmark of the release build; every measurement is one JSON line on stdout.
#
#   hack/bench.sh core [ARGS]      decisions per second, without any Kubernetes
#   hack/bench.sh decode [ARGS]    reading pods from the wire
#   hack/bench.sh limit [ARGS]     what the API server can bind without a scheduler
#   hack/bench.sh drain [ARGS]     waiting pods when the scheduler starts
#   hack/bench.sh latency [ARGS]   from creation to binding
#
# The last three run against a control plane of their own with BENCH_NODES (5000) nodes. ARGS go to
# the benchmark's program; see its --help.
set -euo pipefail

# shellcheck source=hack/control-plane.sh
source "$(dirname "${BASH_SOURCE[0]}")/control-plane.sh"

BENCH_DIR="$REPO/build/release/test/bench"
BENCH_NODES="${BENCH_NODES:-5000}"

bench_binary() {
    local binary="$BENCH_DIR/bench_$1"
    [ -x "$binary" ] || die "$binary has not been built"
    echo "$binary"
}

# bench_nodes COUNT: node objects as JSON, one per line. Ready from the start, for nobody else says so.
bench_nodes() {
    jq -cn --argjson count "$1" 'range($count) | tostring | ("0" * (5 - length) + .) as $number | {
        apiVersion: "v1", kind: "Node",
        metadata: {name: "node-\($number)", labels: {
            "kubernetes.io/hostname": "node-\($number)", "kubernetes.io/arch": "amd64",
            "kubernetes.io/os": "linux"}},
        status: {
            capacity: {cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "100Gi"},
            allocatable: {cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "100Gi"},
            conditions: [{type: "Ready", status: "True", reason: "KubeletReady"}]}}'
}

bench_cluster() {
    local directory status=0
    directory="$(mktemp -d "${TMPDIR:-/tmp}/yunikorn-bench-XXXXXX")"
    # shellcheck disable=SC2064 # the directory of now
    trap "cp_down '$directory'" EXIT
    cp_up --bench "$directory"
    cp_load "$directory"
    say "creating $BENCH_NODES nodes"
    bench_nodes "$BENCH_NODES" | cp_create /api/v1/nodes
    "$(bench_binary cluster)" "$@" || status=$?
    return "$status"
}

main() {
    local name="${1:-}"
    case "$name" in
    core | decode | limit | drain | latency) shift ;;
    -h | --help)
        sed -n '4,/^set -e/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
        return 0
        ;;
    *) die "usage: hack/bench.sh core|decode|limit|drain|latency [ARGS]" ;;
    esac
    build_release
    case "$name" in
    core | decode) "$(bench_binary "$name")" "$@" ;;
    *) bench_cluster "$name" "$@" ;;
    esac
}

main "$@"
