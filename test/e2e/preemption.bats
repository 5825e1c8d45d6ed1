# SPDX-License-Identifier: Apache-2.0
# Pods that have to end so that others can run (docs/reference/scheduling.md 6).

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin preemption 1
}

teardown() {
    release_pods "$SPACE"
    kubectl -n "$SPACE" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    kubectl delete priorityclasses -l "yunikorn-e2e=$E2E_ID" --wait=false >/dev/null 2>&1 || true
    tidy
}

teardown_file() {
    finish "$SPACE" preemption
}

# tree PARTITION: a queues.yaml with the YAML on stdin as the root's children, and these lines of the partition.
tree() {
    { printf 'partitions:\n- name: default\n%s  placementrules: [{name: provided, create: true}]\n  queues:\n  - name: root\n    submitacl: "*"\n    queues:\n' "$1" &&
        sed 's/^/    /'; } | queues
}

# Pods that stay for a look after they were deleted, until they are released.
held='.metadata.finalizers = ["yunikorn.e2e/look"]'

release_pods() {
    local name
    for name in $(kubectl -n "$1" get pods -o name 2>/dev/null); do
        kubectl -n "$1" patch "$name" --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]' >/dev/null 2>&1 || true
    done
}

# of_priority NAME VALUE: a priority class of this run.
of_priority() {
    jq -n --arg name "$E2E_SYSTEM-$1" --argjson value "$2" --arg id "$E2E_ID" '{
        apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: $value,
        metadata: {name: $name, labels: {"yunikorn-e2e": $id}}}' | kubectl apply -f - >/dev/null
}
with_priority() { printf '.spec.priorityClassName = "%s-%s"' "$E2E_SYSTEM" "$1"; }

# victims NAMESPACE: those that were told to end for others, and are being deleted.
victims() {
    kubectl -n "$1" get pods -o json | jq -r '[.items[] | select(.metadata.deletionTimestamp and
        any(.status.conditions[]?; .type == "DisruptionTarget" and .status == "True" and .reason == "PreemptionByScheduler")) |
        .metadata.name] | sort | join(" ")'
}

@test "a queue gets what it is guaranteed: others end, the pod starts in their place" {
    tree "" <<'YAML'
- {name: owed, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
- {name: rich}
YAML
    eventually has_queue root.owed
    pods "$SPACE" rich 4 "$(in_queue root.rich) | $(asking 2 64Mi) | $held"
    eventually all_bound "$SPACE" 4 group=rich
    pods "$SPACE" owed 1 "$(in_queue root.owed) | $(asking 2 64Mi)"
    eventually equals 2000 queue root.rich .preemptingResource.vcore
    local victim
    victim="$(victims "$SPACE")"
    equal "$(wc -w <<<"$victim")" 1 "victims: $victim"
    run ! is_bound "$SPACE" owed-0
    release_pods "$SPACE"
    eventually is_bound "$SPACE" owed-0
    equal "$(count_pods "$SPACE" group=rich)" 3 "those that stay"
    eventually equals null queue root.rich .preemptingResource.vcore
    # Two cores are all that is guaranteed: no pod ends for more.
    pods "$SPACE" more 1 "$(in_queue root.owed) | $(asking 2 64Mi)"
    sleep 3
    equal "$(count_pods "$SPACE" group=rich)" 3 "those that stay"
    run ! is_bound "$SPACE" more-0
}

@test "lower priority ends, higher does not" {
    tree "" <<'YAML'
- {name: urgent, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 1s}}
- {name: mixed}
YAML
    eventually has_queue root.urgent
    of_priority low 10
    of_priority middle 20
    of_priority high 30
    pods "$SPACE" high 2 "$(in_queue root.mixed) | $(asking 2 64Mi) | $(with_priority high) | $held"
    pods "$SPACE" low 2 "$(in_queue root.mixed) | $(asking 2 64Mi) | $(with_priority low) | $held"
    eventually all_bound "$SPACE" 4
    pods "$SPACE" urgent 1 "$(in_queue root.urgent) | $(asking 4 64Mi) | $(with_priority middle)"
    eventually equals "low-0 low-1" victims "$SPACE"
    release_pods "$SPACE"
    eventually is_bound "$SPACE" urgent-0
    equal "$(count_pods "$SPACE" group=high)" 2
}

@test "a lowered maximum ends pods in the documented order" {
    local on=$'  preemption: {quotapreemptionenabled: true}\n'
    tree "$on" <<'YAML'
- {name: shrunk, resources: {max: {vcore: 3}}, properties: {quota.preemption.delay: 1s}}
YAML
    eventually has_queue root.shrunk
    # The pod that an application began with is its originator; one of the others does not want to be preempted.
    pods "$SPACE" shrunk 1 "$(in_queue root.shrunk) | $(asking 1 64Mi)"
    eventually is_bound "$SPACE" shrunk-0
    pods "$SPACE" shrunk 3 "select(.metadata.name != \"shrunk-0\") | $(in_queue root.shrunk) | $(asking 1 64Mi) |
        if .metadata.name == \"shrunk-1\" then .metadata.annotations[\"yunikorn.apache.org/allow-preemption\"] = \"false\" else . end"
    eventually all_bound "$SPACE" 3 group=shrunk
    tree "$on" <<'YAML'
- {name: shrunk, resources: {max: {vcore: 2}}, properties: {quota.preemption.delay: 1s}}
YAML
    eventually equals 2 count_pods "$SPACE" group=shrunk
    run ! kubectl -n "$SPACE" get pod shrunk-2
    tree "$on" <<'YAML'
- {name: shrunk, resources: {max: {vcore: 1}}, properties: {quota.preemption.delay: 1s}}
YAML
    eventually equals 1 count_pods "$SPACE" group=shrunk
    is_bound "$SPACE" shrunk-0
    eventually equals 1000 queue root.shrunk .allocatedResource.vcore
}
