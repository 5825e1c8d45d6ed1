# SPDX-License-Identifier: Apache-2.0
# Which node: selectors, affinity, taints, cordons, room; and nodes that come, change and go.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes plain 2
    nodes special 1 8 32Gi '.metadata.labels.disk = "ssd" | .metadata.labels.size = "10"'
    SPACE="$(namespace nodes)"
    export SPACE
    scheduler_start
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    finish "$SPACE" plain special late doomed shrinking full
}

# only PREFIX: pods that fit nowhere but on that group of nodes.
only() { printf '.spec.nodeSelector = {"e2e-group": "%s"}' "$1"; }

@test "a node selector is obeyed" {
    pods "$SPACE" selector 6 '.spec.nodeSelector = {disk: "ssd"}'
    eventually all_bound "$SPACE" 6 group=selector
    for i in 0 1 2 3 4 5; do is_on "$SPACE" "selector-$i" special-0; done
}

@test "required node affinity is obeyed, all operators" {
    terms='.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
    pods "$SPACE" affinity-in 2 "$terms"' = [{matchExpressions: [{key: "disk", operator: "In", values: ["ssd", "nvme"]}]}]'
    pods "$SPACE" affinity-gt 2 "$terms"' = [{matchExpressions: [{key: "size", operator: "Gt", values: ["9"]}]}]'
    pods "$SPACE" affinity-not 2 "$terms"' = [{matchExpressions: [{key: "disk", operator: "DoesNotExist"}]}]'
    pods "$SPACE" affinity-field 1 "$terms"' = [{matchFields: [{key: "metadata.name", operator: "In", values: ["plain-1"]}]}]'
    eventually all_bound "$SPACE" 2 group=affinity-in
    eventually all_bound "$SPACE" 2 group=affinity-gt
    eventually all_bound "$SPACE" 2 group=affinity-not
    eventually is_on "$SPACE" affinity-field-0 plain-1
    is_on "$SPACE" affinity-in-0 special-0
    is_on "$SPACE" affinity-gt-1 special-0
    [[ "$(node_of "$SPACE" affinity-not-0)" == plain-* ]]
}

@test "a taint keeps pods away that do not tolerate it" {
    kubectl taint node special-0 e2e=yes:NoSchedule
    pods "$SPACE" intolerant 1 "$(only special)"
    pods "$SPACE" tolerant 1 "$(only special)"' | .spec.tolerations = [{key: "e2e", operator: "Equal", value: "yes", effect: "NoSchedule"}]'
    eventually is_on "$SPACE" tolerant-0 special-0
    eventually is_unschedulable "$SPACE" intolerant-0
    kubectl taint node special-0 e2e-
    eventually is_on "$SPACE" intolerant-0 special-0
}

@test "a cordoned node takes no pod until it is uncordoned" {
    kubectl cordon special-0
    eventually equals false node_field special-0 .schedulable
    pods "$SPACE" cordoned 1 "$(only special)"
    eventually is_unschedulable "$SPACE" cordoned-0
    kubectl uncordon special-0
    eventually is_on "$SPACE" cordoned-0 special-0
}

node_field() { rest "/ws/v1/partition/default/node/$1" | jq -r "$2"; }

@test "a pod that fits nowhere says so, and is bound when a node comes" {
    pods "$SPACE" waiting 1 "$(only late)"
    eventually is_unschedulable "$SPACE" waiting-0
    contains "$(condition "$SPACE" waiting-0 message)" '[a-z]'
    transition="$(condition "$SPACE" waiting-0 lastTransitionTime)"
    [ -n "$transition" ]
    nodes late 1
    eventually is_on "$SPACE" waiting-0 late-0
    equal "$(condition "$SPACE" waiting-0 status)" True
}

@test "a label put on a node makes it fit" {
    pods "$SPACE" relabelled 1 '.spec.nodeSelector = {"e2e-late-label": "yes"}'
    eventually is_unschedulable "$SPACE" relabelled-0
    kubectl label node plain-0 e2e-late-label=yes
    eventually is_on "$SPACE" relabelled-0 plain-0
}

@test "room that a pod leaves is used at once" {
    nodes full 1 1
    pods "$SPACE" tenant 1 "$(asking 800m 64Mi) | $(only full)"
    eventually is_on "$SPACE" tenant-0 full-0
    pods "$SPACE" next 1 "$(asking 800m 64Mi) | $(only full)"
    eventually is_unschedulable "$SPACE" next-0
    kubectl -n "$SPACE" delete pod tenant-0 --wait=false
    eventually is_on "$SPACE" next-0 full-0
    kubectl -n "$SPACE" delete pod next-0 --wait=false
    nodes_delete full
}

@test "a node that is deleted takes its pods out of the accounts" {
    nodes doomed 1
    pods "$SPACE" doomed 2 "$(only doomed) | $(in_queue root.doomed)"
    eventually all_bound "$SPACE" 2 group=doomed
    nodes_delete doomed
    eventually equals 404 rest_code /ws/v1/partition/default/node/doomed-0
    eventually equals 0 queue root.doomed '.allocatedResource.vcore // 0'
    pods "$SPACE" survivor 1
    eventually is_bound "$SPACE" survivor-0
}

@test "a node that comes back under its name is a new node" {
    nodes doomed 1
    pods "$SPACE" again 1 "$(only doomed)"
    eventually is_on "$SPACE" again-0 doomed-0
}

@test "a node that shrinks below its use takes no pod until it has capacity again" {
    nodes shrinking 1 4
    pods "$SPACE" tight 3 "$(asking 1 64Mi) | $(only shrinking)"
    eventually all_bound "$SPACE" 3 group=tight
    kubectl patch node shrinking-0 --subresource=status --type=merge -p '{"status": {"allocatable": {"cpu": "2"}, "capacity": {"cpu": "2"}}}'
    eventually equals 2000 node_field shrinking-0 .capacity.vcore
    pods "$SPACE" squeezed 1 "$(asking 500m 64Mi) | $(only shrinking)"
    eventually is_unschedulable "$SPACE" squeezed-0
    kubectl -n "$SPACE" delete pods tight-0 tight-1 --wait=false
    eventually is_on "$SPACE" squeezed-0 shrinking-0
    scheduler_alive
}

@test "no node has more on it than it has room for" {
    nodes_delete shrinking
    nodes_within_capacity
}

@test "of the nodes that will do, pods get those that they would rather have" {
    preferred='.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution = [{weight: 10, preference: {matchExpressions: [{key: "disk", operator: "In", values: ["ssd"]}]}}]'
    pods "$SPACE" rather 4 "$preferred"
    eventually all_bound "$SPACE" 4 group=rather
    for i in 0 1 2 3; do is_on "$SPACE" "rather-$i" special-0; done
    kubectl taint node special-0 e2e=soft:PreferNoSchedule
    pods "$SPACE" away 4
    eventually all_bound "$SPACE" 4 group=away
    for i in 0 1 2 3; do run ! is_on "$SPACE" "away-$i" special-0; done
    pods "$SPACE" still 1 '.spec.nodeSelector = {disk: "ssd"}'
    eventually is_on "$SPACE" still-0 special-0
    kubectl taint node special-0 e2e-
}
