# SPDX-License-Identifier: Apache-2.0
# What people really create: deployments, stateful sets, daemon sets, jobs; and a node that is drained.
# The nodes: workloads-0 and -1 in zone a, workloads-2 and -3 in zone b.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes workloads 4 4 32Gi '.metadata.labels.zone = (if .metadata.name < "workloads-2" then "a" else "b" end)'
    SPACE="$(namespace workloads)"
    export SPACE
    # The messages of waiting pods count every node there is.
    eventually equals 4 count_nodes
    scheduler_start
}

setup() { own_cluster_only; }

teardown() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl -n "$SPACE" delete deployments,statefulsets,daemonsets,jobs,poddisruptionbudgets --all --wait=false >/dev/null 2>&1 || true
    kubectl -n "$SPACE" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    kubectl get nodes -o name | grep -v '/workloads-[0-9]$' | xargs -r kubectl delete --wait=false >/dev/null 2>&1 || true
    kubectl uncordon -l e2e-group=workloads >/dev/null 2>&1 || true
    tidy
    eventually equals 4 count_nodes
    eventually equals 0 count_pods "$SPACE"
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    finish "$SPACE" workloads
}

count_nodes() { kubectl get nodes -o name | wc -l; }

# workload KIND NAME JQ: one whose pods have 100m and 64Mi and are of application NAME; JQ says the rest.
workload() {
    jq -n --arg kind "$1" --arg name "$2" '{group: $name, "yunikorn.apache.org/app-id": $name} as $labels | {
        apiVersion: (if $kind == "Job" then "batch/v1" else "apps/v1" end), kind: $kind, metadata: {name: $name},
        spec: {template: {metadata: {labels: $labels}, spec: {schedulerName: "yunikorn", terminationGracePeriodSeconds: 0,
            containers: [{name: "main", image: "busybox:stable", command: ["sleep", "3600"],
                resources: {requests: {cpu: "100m", memory: "64Mi"}}}]}}}} |
        if $kind != "Job" then .spec.selector.matchLabels.group = $name else . end | '"$3" |
        kubectl -n "$SPACE" create -f - >/dev/null
}

# Where the pods of a workload are: "COUNT NODE" lines.
placed() {
    kubectl -n "$SPACE" get pods -l "group=$1" -o json |
        jq -r '.items[] | select(.metadata.deletionTimestamp == null) | .spec.nodeName // "nowhere"' | sort | uniq -c | awk '{ print $1, $2 }'
}

placed_as() { [ "$(placed "$1" | paste -sd,)" = "$2" ]; }

waiting() { kubectl -n "$SPACE" get pods -l "group=$1" -o json | jq -r '.items[] | select(.spec.nodeName == null).metadata.name'; }

ready_replicas() { kubectl -n "$SPACE" get "$1" -o 'jsonpath={.status.readyReplicas}'; }

# all_told NAME WORDS: every pod of the workload that waits has this message.
all_told() {
    local name
    for name in $(waiting "$1"); do [ "$(condition "$SPACE" "$name" message)" = "$2" ] || return 1; done
}

# --- deployments -------------------------------------------------------------------------------

# One pod per host, and as many in one zone as in the other; during an update only the new ones count for the zones.
balanced='.spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution = [
        {topologyKey: "kubernetes.io/hostname", labelSelector: .spec.selector}] |
    .spec.template.spec.topologySpreadConstraints = [{topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule",
        labelSelector: .spec.selector, matchLabelKeys: ["pod-template-hash"]}]'

@test "workloads: a deployment spreads over hosts and zones, and what is too many waits for new nodes" {
    workload Deployment web "$balanced | .spec.replicas = 4"
    eventually placed_as web "1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-3"
    eventually equals 4 ready_replicas deployment/web
    kubectl -n "$SPACE" scale deployment/web --replicas 6 >/dev/null
    eventually equals 6 count_pods "$SPACE"
    eventually all_told web "0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules."
    nodes workloads-more 1 4 32Gi '.metadata.labels.zone = "a"'
    eventually placed_as web "1 nowhere,1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-3,1 workloads-more-0"
    # A second one in that zone would be one too many.
    nodes workloads-wrong 1 4 32Gi '.metadata.labels.zone = "a"'
    pods "$SPACE" witness 1 '.spec.nodeSelector = {"e2e-group": "workloads-wrong"}'
    eventually is_bound "$SPACE" witness-0
    equal "$(waiting web | wc -l)" 1
    nodes workloads-right 1 4 32Gi '.metadata.labels.zone = "b"'
    eventually equals 6 ready_replicas deployment/web
    is_on "$SPACE" "$(kubectl -n "$SPACE" get pods -l group=web --field-selector spec.nodeName=workloads-right-0 -o 'jsonpath={.items[0].metadata.name}')" workloads-right-0
}

@test "workloads: a deployment is rolled over while each host has room for one of its pods only" {
    workload Deployment rolled "$balanced"' | .spec.replicas = 4 | .spec.strategy.rollingUpdate = {maxSurge: 0, maxUnavailable: 2}'
    eventually equals 4 ready_replicas deployment/rolled
    before="$(kubectl -n "$SPACE" get pods -o name)"
    kubectl -n "$SPACE" patch deployment rolled -p '{"spec": {"template": {"metadata": {"annotations": {"again": "yes"}}}}}' >/dev/null
    within "$PATIENCE" kubectl -n "$SPACE" rollout status deployment/rolled --timeout=20s >/dev/null
    eventually placed_as rolled "1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-3"
    equal "$(kubectl -n "$SPACE" get pods -o name | grep -cFx "$before" || true)" 0 "old pods"
}

# --- stateful sets -----------------------------------------------------------------------------

@test "workloads: the pods of a stateful set come one after the other, and come back under their names" {
    workload StatefulSet member '.spec.replicas = 3 | .spec.serviceName = "member" | .spec.template.spec.nodeSelector = {stateful: "yes"}'
    eventually is_unschedulable "$SPACE" member-0
    equal "$(count_pods "$SPACE")" 1 "the second waits for the first"
    equal "$(condition "$SPACE" member-0 message)" "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector."
    nodes workloads-stateful 1 4 32Gi '.metadata.labels.stateful = "yes"'
    eventually equals 3 ready_replicas statefulset/member
    equal "$(in_order_of_binding)" "member-0 member-1 member-2"
    uid="$(kubectl -n "$SPACE" get pod member-1 -o 'jsonpath={.metadata.uid}')"
    kubectl -n "$SPACE" delete pod member-1 --wait=false >/dev/null
    eventually is_another member-1 "$uid"
    eventually is_on "$SPACE" member-1 workloads-stateful-0
    kubectl -n "$SPACE" scale statefulset/member --replicas 1 >/dev/null
    eventually equals 1 count_pods "$SPACE"
    is_on "$SPACE" member-0 workloads-stateful-0
}

is_another() { [ "$(kubectl -n "$SPACE" get pod "$1" -o 'jsonpath={.metadata.uid}')" != "$2" ] && is_bound "$SPACE" "$1"; }

in_order_of_binding() {
    jq -r --arg namespace "$SPACE" 'select(.objectRef.namespace == $namespace and .responseStatus.code == 201) |
        .objectRef.name | select(startswith("member-"))' "$CP_DIR/log/audit.log" | paste -sd' '
}

# --- daemon sets -------------------------------------------------------------------------------

@test "workloads: a daemon set has a pod on every node, also on those that are cordoned, full or new" {
    # What runs on workloads-3 leaves too little, and is not ours to preempt.
    others="$(namespace_of_others tenants)"
    pods "$others" tenant 1 "$(asking 3950m 64Mi)"' | .spec.schedulerName = "default-scheduler" | .spec.nodeName = "workloads-3"'
    eventually is_occupied workloads-3
    kubectl cordon workloads-1 >/dev/null
    workload DaemonSet agent '.'
    eventually placed_as agent "1 nowhere,1 workloads-0,1 workloads-1,1 workloads-2"
    # The condition says so, and autoscalers get no signal: no other node would help.
    name="$(waiting agent)"
    eventually has_event "$SPACE" "$name" Informational
    contains "$(event "$SPACE" "$name" Informational)" "its node 'workloads-3' has no room, and nothing there can be preempted"
    run ! is_unschedulable "$SPACE" "$name"
    nodes workloads-new 1
    eventually placed_as agent "1 nowhere,1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-new-0"
    kubectl -n "$others" delete pod tenant-0 --wait=false >/dev/null
    eventually placed_as agent "1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-3,1 workloads-new-0"
}

@test "workloads: a daemon set's pod waits for its host port, and others use the node meanwhile" {
    port='{hostPort: 8080, containerPort: 80}'
    at_3='.spec.nodeSelector = {"kubernetes.io/hostname": "workloads-3"}'
    pods "$SPACE" holder 1 "$at_3 | .spec.containers[0].ports = [$port]"
    eventually is_on "$SPACE" holder-0 workloads-3
    workload DaemonSet proxy ".spec.template.spec.containers[0].ports = [$port]"
    eventually placed_as proxy "1 nowhere,1 workloads-0,1 workloads-1,1 workloads-2"
    name="$(waiting proxy)"
    eventually has_event "$SPACE" "$name" Informational
    contains "$(event "$SPACE" "$name" Informational)" "its node 'workloads-3' refuses it, as it is or for what runs there"
    pods "$SPACE" other 1 "$at_3"
    eventually is_on "$SPACE" other-0 workloads-3
    kubectl -n "$SPACE" delete pod holder-0 --wait=false >/dev/null
    eventually placed_as proxy "1 workloads-0,1 workloads-1,1 workloads-2,1 workloads-3"
}

is_occupied() { rest "/ws/v1/partition/default/node/$1" | jq -e '.occupied.vcore > 0' >/dev/null; }

# --- jobs --------------------------------------------------------------------------------------

@test "workloads: a job's pods take each other's room until it is complete" {
    # Room for two of the three that it wants to run at a time.
    nodes workloads-job 1 2
    workload Job batch '.spec.completions = 6 | .spec.parallelism = 3 | .spec.template.spec += {restartPolicy: "Never",
        nodeSelector: {"e2e-group": "workloads-job"}} | .spec.template.spec.containers[0].resources.requests.cpu = "900m"'
    within "$PATIENCE" kubectl -n "$SPACE" wait --for=condition=complete job/batch --timeout=20s >/dev/null
    equal "$(kubectl -n "$SPACE" get job batch -o 'jsonpath={.status.succeeded}')" 6
    equal "$(placed batch)" "6 workloads-job-0"
    nodes_within_capacity
    eventually equals 0 queue "root.$SPACE" '.allocatedResource.vcore // 0'
}

# --- a node that is drained --------------------------------------------------------------------

@test "workloads: a drained node gives up its pods as the budget allows, and takes no pods until it is uncordoned" {
    nodes workloads-drained 2
    kubectl cordon workloads-drained-1 >/dev/null
    eventually is_cordoned workloads-drained-1
    workload Deployment kept '.spec.replicas = 2 | .spec.template.spec.nodeSelector = {drain: "me"}'
    jq -n '{apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: {name: "kept"},
        spec: {minAvailable: 1, selector: {matchLabels: {group: "kept"}}}}' | kubectl -n "$SPACE" create -f - >/dev/null
    kubectl label nodes -l e2e-group=workloads-drained drain=me >/dev/null
    eventually equals 2 ready_replicas deployment/kept
    equal "$(placed kept)" "2 workloads-drained-0"
    eventually equals 1 disruptions_allowed
    # Nowhere to go: one is evicted and waits, the other stays.
    run ! timeout 1.5 kubectl drain workloads-drained-0 # it would try again in 5 s
    contains "$output" "violate the pod's disruption budget"
    equal "$(placed kept)" $'1 nowhere\n1 workloads-drained-0'
    eventually all_told kept "0/6 nodes are available: 2 node(s) were unschedulable, 4 node(s) didn't match Pod's node affinity/selector."
    # Somewhere to go: once the first has come up there, the other may follow.
    kubectl uncordon workloads-drained-1 >/dev/null
    eventually placed_as kept "1 workloads-drained-0,1 workloads-drained-1"
    eventually equals 1 disruptions_allowed
    kubectl drain workloads-drained-0 --timeout=30s >/dev/null
    eventually placed_as kept "2 workloads-drained-1"
    pods "$SPACE" late 1 '.spec.nodeSelector = {"kubernetes.io/hostname": "workloads-drained-0"}'
    eventually is_unschedulable "$SPACE" late-0
    kubectl uncordon workloads-drained-0 >/dev/null
    eventually is_on "$SPACE" late-0 workloads-drained-0
}

disruptions_allowed() { kubectl -n "$SPACE" get pdb kept -o 'jsonpath={.status.disruptionsAllowed}'; }

is_cordoned() { rest "/ws/v1/partition/default/node/$1" | jq -e '.schedulable == false' >/dev/null; }
