#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# kubectl yunikorn against a scheduler: over the service proxy of the API server, over a port-forward, and directly. There
# is no kubelet, so a script that prints what kubectl port-forward prints stands for it.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    begin ctl 2 --web-bind-address 0.0.0.0
    mkdir -p "$E2E_DIR/plugin"
    ln -sf "$(realpath "$YK_BINARY")" "$E2E_DIR/plugin/kubectl-yunikorn"
    printf '#!/bin/sh\necho "Forwarding from 127.0.0.1:%s -> 9080"\nexec sleep 60\n' "$(cat "$E2E_DIR/scheduler.port")" \
        >"$E2E_DIR/plugin/forward"
    chmod +x "$E2E_DIR/plugin/forward"
    service
    pods "$SPACE" ctl 2 "$(in_queue root.ctl)"
    eventually all_bound "$SPACE" 2 group=ctl
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl -n "$E2E_SYSTEM" delete endpoints/e2e-ctl service/e2e-ctl pod/e2e-ctl --ignore-not-found --force >/dev/null 2>&1
    rm -rf "$E2E_DIR/plugin"
    finish "$SPACE" ctl
}

# The API server's proxy leads only to addresses of pods.
address() { hostname -I 2>/dev/null | tr ' ' '\n' | grep -m 1 -E '^[0-9.]+$' || true; }

service() {
    [ -n "$(address)" ] || return 0
    jq -n --arg address "$(address)" --argjson port "$(cat "$E2E_DIR/scheduler.port")" '{apiVersion: "v1", kind: "List", items: [
        {apiVersion: "v1", kind: "Service", metadata: {name: "e2e-ctl"}, spec: {ports: [{name: "yunikorn-core", port: 9080}]}},
        {apiVersion: "v1", kind: "Pod", metadata: {name: "e2e-ctl"}, spec: {schedulerName: "none", containers: [{name: "c", image: "x"}]}},
        {apiVersion: "v1", kind: "Endpoints", metadata: {name: "e2e-ctl"}, subsets: [{ports: [{name: "yunikorn-core", port: $port}],
            addresses: [{ip: $address, targetRef: {kind: "Pod", name: "e2e-ctl", namespace: env.E2E_SYSTEM}}]}]}]}' |
        kubectl -n "$E2E_SYSTEM" apply -f - >/dev/null 2>&1
    kubectl -n "$E2E_SYSTEM" patch pod e2e-ctl --subresource status --type merge \
        -p "{\"status\": {\"podIP\": \"$(address)\", \"podIPs\": [{\"ip\": \"$(address)\"}]}}" >/dev/null
}

# ctl ARGS...: as kubectl runs its plug-ins, through the proxy.
ctl() { PATH="$E2E_DIR/plugin:$PATH" kubectl yunikorn "$@" --scheduler-namespace "$E2E_SYSTEM" --service e2e-ctl; }

# forwarded ARGS...: over the port-forward.
forwarded() { KUBECTL="$E2E_DIR/plugin/forward" ctl "$@" --via port-forward; }

direct() { "$YK_BINARY" ctl "$@" --server "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")"; }

@test "kubectl: queues, applications, nodes and users through the proxy of the API server" {
    [ -n "$(address)" ] || skip "this machine has only loopback addresses"
    contains "$(ctl queues)" '^root\.ctl +Active +[1-9]'
    contains "$(ctl queues --tree)" '^  ctl +Active'
    contains "$(ctl apps)" 'root\.ctl .* Running'
    contains "$(ctl nodes -o wide)" '^ctl-0 +Schedulable +[0-9]'
    contains "$(ctl top users)" '%'
    contains "$(ctl events --limit 5)" 'TYPE +OBJECT'
}

@test "kubectl: JSON and YAML are those of REST" {
    equal "$(direct queue root.ctl -o json | jq -S .queuename)" '"root.ctl"'
    equal "$(direct nodes -o json | jq length)" "$(rest /ws/v1/partition/default/nodes | jq length)"
    equal "$(direct queue root.ctl -o yaml | sed -n 's/^queuename: //p')" root.ctl
    equal "$(direct dump | jq -r 'has("queues")')" true
}

@test "kubectl: exit codes say what went wrong" {
    run -1 --separate-stderr direct queue root.nowhere
    # shellcheck disable=SC2154 # set by run
    contains "$stderr" "queue 'root.nowhere': Queue not found"
    run -1 --separate-stderr direct dump -o yaml
    contains "$stderr" 'printed as JSON only'
    run -2 --separate-stderr direct queue ''
    contains "$stderr" 'QUEUE is empty'
    run -2 direct queue
    run -2 direct top nothing
    run -2 direct pigeons
    run -3 "$YK_BINARY" ctl queues --server http://127.0.0.1:1
}

@test "kubectl: a pod that runs does not wait" {
    [ -n "$(address)" ] || skip "this machine has only loopback addresses"
    name="$(kubectl -n "$SPACE" get pods -l group=ctl -o name | head -n 1)"
    contains "$(ctl why "$name" -n "$SPACE")" 'does not wait: it is on node ctl-'
}

@test "kubectl: a change goes over the port-forward with the user's token" {
    pods "$SPACE" doomed 1 "$(in_queue root.doomed)"
    eventually all_bound "$SPACE" 1 group=doomed
    app="$(rest /ws/v1/partition/default/queue/root.doomed/applications | jq -r '.[0].applicationID')"
    contains "$(direct kill "$app" 2>&1 || true)" 'does not know who you are'
    forwarded config >/dev/null
    contains "$(forwarded kill "$app" 2>&1 || true)" "killed|may not"
}

shows_again() { [ "$(direct config show | grep -v '^checksum: ')" = "$(cat "$1")" ]; }

@test "kubectl: an earlier configuration is compared and put back from the history" {
    direct config show | grep -v '^checksum: ' >"$BATS_TEST_TMPDIR/before" # comments of the text count in the checksum
    first="$(direct config history -o json | jq -r '[.entries[] | select(.active)][0].id')"
    queues <<<$'partitions:\n  - name: default\n    placementrules: [{name: provided, create: true}]\n    queues:\n      - name: root\n        submitacl: "*"\n        queues: [{name: later}]\n'
    eventually has_queue root.later
    contains "$(direct config history)" 'applied, in force'
    contains "$(direct config history | sed -n 2p)" 'queues added: 1'
    contains "$(direct config history "$((first + 1))")" '^# +[+] queue root\.later'
    direct config history "$first" >"$BATS_TEST_TMPDIR/queues.yaml"
    contains "$(direct config diff "$BATS_TEST_TMPDIR/queues.yaml")" '- queue root\.later'
    queues <"$BATS_TEST_TMPDIR/queues.yaml"
    eventually shows_again "$BATS_TEST_TMPDIR/before"
}

@test "kubectl: what dashboards and alerts ask for is in a scrape" {
    rest /metrics >"$BATS_TEST_TMPDIR/scrape"
    grep -hoE '\b(yunikorn|process)_[a-z_]+' "$REPO"/deploy/helm/yunikorn/files/dashboards/*.json "$REPO"/deploy/helm/yunikorn/files/rules.yaml |
        sort -u >"$BATS_TEST_TMPDIR/used"
    # Shown from the first use on, or while something waits.
    late="queue_app_total|queue_container_total|scheduler_trynode_evaluation_milliseconds_bucket|"
    late+="api_throttle_seconds_bucket|evicted_pods_total|gang_wait_seconds_bucket|inconsistencies_total|"
    late+="pending_applications|queue_fair_share_ratio|unschedulable_pods|watch_restarts_total"
    while read -r name; do
        [[ $name =~ ^yunikorn_($late)$ ]] ||
            grep -qE "^${name}[{ ]" "$BATS_TEST_TMPDIR/scrape" || fail "no $name in a scrape"
    done <"$BATS_TEST_TMPDIR/used"
    grep -qx 'yunikorn_leader 1' "$BATS_TEST_TMPDIR/scrape"
}
