# SPDX-License-Identifier: Apache-2.0
# Reserved nodes: for a pod that smaller ones overtake, and for the pods of a daemon set, which make room.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes kept 2 4
    nodes spare 1 16 # so that the cluster has room for the large pod, but no node it may use
    kubectl cordon spare-0
    SPACE="$(namespace reserved)"
    export SPACE
    scheduler_start
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    finish "$SPACE" kept spare
}

node_field() { rest "/ws/v1/partition/default/node/$1" | jq -r "$2"; }

# reservations APPLICATION: how many its pods hold.
reservations() {
    rest "/ws/v1/partition/default/application/$1" | jq -r '.reservations // [] | length'
}

# daemon_set NAME CPU: on the nodes kept-*.
daemon_set() {
    jq -n --arg namespace "$SPACE" --arg name "$1" --arg cpu "$2" '{
        apiVersion: "apps/v1", kind: "DaemonSet", metadata: {namespace: $namespace, name: $name},
        spec: {selector: {matchLabels: {group: $name}}, template: {
            metadata: {labels: {group: $name, "yunikorn.apache.org/app-id": $name}},
            spec: {schedulerName: "yunikorn", terminationGracePeriodSeconds: 0, nodeSelector: {"e2e-group": "kept"},
                containers: [{name: "main", image: "busybox:stable", command: ["sleep", "3600"],
                    resources: {requests: {cpu: $cpu, memory: "64Mi"}}}]}}}}' | kubectl apply -f - >/dev/null
}

@test "a pod that waits for a whole node gets one, however many small ones come" {
    pods "$SPACE" small 6 "$(asking 1 64Mi)"
    eventually all_bound "$SPACE" 6 group=small
    pods "$SPACE" large 1 "$(asking 4 64Mi)"
    pods "$SPACE" more 1 "$(asking 1 64Mi)" # overtakes it
    eventually equals 1 count_bound "$SPACE" group=more
    eventually equals 1 reservations large
    pods "$SPACE" later 3 "$(asking 1 64Mi)" # one core is free, on the reserved node
    kept="$(rest /ws/v1/partition/default/nodes | jq -r '.[] | select(.isReserved) | .nodeID')"
    [[ "$kept" == kept-* ]]
    for pod in $(kubectl -n "$SPACE" get pods --field-selector "spec.nodeName=$kept" -o name); do
        kubectl -n "$SPACE" delete "$pod" --wait=false
    done
    eventually is_on "$SPACE" large-0 "$kept"
    equal "$(reservations large)" 0
    equal "$(count_bound "$SPACE" group=later)" 0
    kubectl -n "$SPACE" delete pods -l 'group in (small, large, more, later)' --wait=false
    eventually equals 0 count_pods "$SPACE"
}

@test "the pods of a daemon set make room on a full node, and leave others alone" {
    pods "$SPACE" full 4 "$(asking 1 64Mi) | .spec.nodeSelector = {\"kubernetes.io/hostname\": \"kept-0\"}"
    pods "$SPACE" half 2 "$(asking 1 64Mi) | .spec.nodeSelector = {\"kubernetes.io/hostname\": \"kept-1\"}"
    eventually all_bound "$SPACE" 6 'group in (full, half)'
    daemon_set agent 1500m
    eventually all_bound "$SPACE" 2 group=agent
    # Two of four had to go; their owner has not made new ones, for they have none.
    eventually equals 2 count_pods "$SPACE" group=full
    equal "$(count_pods "$SPACE" group=half)" 2
    equal "$(kubectl -n "$SPACE" get pods -l group=agent -o json | jq -r '[.items[].spec.nodeName] | sort | join(" ")')" "kept-0 kept-1"
    eventually equals 0 queue root '.preemptingResource.vcore // 0'
    nodes_within_capacity
}

@test "a daemon set has its pod on a cordoned node, too" {
    kubectl cordon kept-1
    eventually equals false node_field kept-1 .schedulable
    daemon_set watcher 100m
    eventually all_bound "$SPACE" 2 group=watcher
    kubectl uncordon kept-1
    kubectl -n "$SPACE" delete daemonsets --all --wait=false
}
