# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Assertions. Each says what it wanted; a test that failed also shows the end of the scheduler's log.

# How long something may take that normally takes well below a second.
PATIENCE="${E2E_PATIENCE:-30}"

fail() {
    printf 'FAILED: %.2000s\n' "$*" >&2
    return 1
}

# eventually COMMAND...: the command succeeds within PATIENCE seconds.
eventually() { within "$PATIENCE" "$@"; }

# within SECONDS COMMAND...
within() { wait_until "$@" || fail "not within $1 s: ${*:2}"; }

equal() { [ "$1" = "$2" ] || fail "wanted '$2', got '$1'${3:+ ($3)}"; }

# equals WANTED COMMAND...: for `eventually`, where `[ ... ]` would be expanded too early.
equals() { [ "$("${@:2}")" = "$1" ]; }

# contains TEXT REGEX
contains() { grep -Eqi -- "$2" <<<"$1" || fail "nothing matches '$2' in: $1"; }

# Most tests need nodes that they may create, or an API server that they may stop.
own_cluster_only() { [ "$E2E_EXTERNAL" = 0 ] || skip "needs a control plane of its own"; }

# tidy: the teardown of a test. Shows what a failed one leaves in the dark, and removes the
# namespaces that the test made, so that its pods cannot take room from those of the next.
tidy() {
    local name
    show_trouble
    while read -r name; do namespace_delete "$name"; done < <(cat "$BATS_TEST_TMPDIR/namespaces" 2>/dev/null)
}

show_trouble() {
    [ "${BATS_TEST_COMPLETED:-}" = 1 ] && return 0
    echo "--- end of the scheduler's log" >&2
    tail -n 15 "$(scheduler_log)" >&2 2>/dev/null || true
    echo "--- pods that are not running" >&2
    kubectl get pods -A -o wide 2>/dev/null | grep -Ev 'Running|Completed' | head -n 8 >&2 || true
}

# --- what the API server's own data prove ------------------------------------------------------

# Amounts as numbers: millicores and bytes.
JQ_QUANTITY='
    def cpu: tostring | if endswith("m") then .[:-1] | tonumber else tonumber * 1000 end;
    def bytes: tostring | capture("^(?<n>[0-9.]+)(?<u>[KMGT]i)?$") |
        (.n | tonumber) * ({Ki: 1024, Mi: 1048576, Gi: 1073741824, Ti: 1099511627776}[.u // ""] // 1);'

# nodes_within_capacity: on no node do the pods ask for more than it has.
nodes_within_capacity() {
    local over
    over="$(jq -n --slurpfile nodes <(kubectl get nodes -o json) --slurpfile pods <(kubectl get pods -A -o json) "$JQ_QUANTITY"'
        ($pods[0].items | map(select(.spec.nodeName and (.status.phase | IN("Succeeded", "Failed") | not))) |
            group_by(.spec.nodeName) | map({key: .[0].spec.nodeName, value: {
                pods: length,
                cpu: (map(.spec.containers[].resources.requests.cpu // 0 | cpu) | add),
                memory: (map(.spec.containers[].resources.requests.memory // 0 | bytes) | add)}}) | from_entries) as $used |
        $nodes[0].items[] | .metadata.name as $name | .status.allocatable as $has | $used[$name] // empty |
        select(.pods > ($has.pods | tonumber) or .cpu > ($has.cpu | cpu) or .memory > ($has.memory | bytes)) |
        "\($name): \(.pods) pods, \(.cpu)m, \(.memory) bytes"')"
    [ -z "$over" ] || fail "nodes with more on them than they have: $over"
}

# How often the API server accepted a binding for each pod of a namespace: "COUNT NAME/UID" lines. A placeholder that
# is made again has the name of the one before it, and is another pod.
accepted_bindings() {
    jq -r --arg namespace "$1" 'select(.objectRef.namespace == $namespace and .responseStatus.code == 201) |
        "\(.objectRef.name)/\(.objectRef.uid // "")"' "$CP_DIR/log/audit.log" | sort | uniq -c | awk '{ print $1, $2 }'
}

# bound_once NAMESPACE COUNT: COUNT pods, each with a node, and for none of them two accepted bindings.
# (Where the scheduler or the API server was killed, a binding may have been made without an answer.)
bound_once() {
    local twice
    equal "$(count_pods "$1")" "$2" "pods in $1"
    equal "$(count_bound "$1")" "$2" "bound pods in $1"
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    twice="$(accepted_bindings "$1" | awk '$1 != 1')"
    [ -z "$twice" ] || fail "bound more than once: $twice"
}
