# SPDX-License-Identifier: Apache-2.0
# The main job: pods that name the scheduler get a node, by way of their queue.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin bind 4
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" bind foreign
}

@test "a pod that names the scheduler is bound and runs" {
    pods "$SPACE" first 1
    eventually is_bound "$SPACE" first-0
    equal "$(condition "$SPACE" first-0 status)" True
    [ "$E2E_EXTERNAL" = 1 ] || eventually equals Running kubectl -n "$SPACE" get pod first-0 -o 'jsonpath={.status.phase}'
}

@test "a Scheduled event says where it went" {
    pods "$SPACE" told 1
    eventually has_event "$SPACE" told-0 Scheduled
    contains "$(event "$SPACE" told-0 Scheduled)" \
        "Normal: Successfully assigned $SPACE/told-0 to node $(node_of "$SPACE" told-0)"
}

@test "many pods are bound, each exactly once, and no node gets more than it has" {
    own_cluster_only
    crowd="$(namespace crowd)"
    pods "$crowd" crowd 200
    within 60 all_bound "$crowd" 200
    bound_once "$crowd" 200
    equal "$(accepted_bindings "$crowd" | wc -l)" 200 "bindings the API server accepted"
    nodes_within_capacity
}

@test "pods that name another scheduler, or none, are left alone" {
    own_cluster_only
    others="$(namespace_of_others others)"
    pods "$others" other 2 '.spec.schedulerName = "another-scheduler"'
    pods "$others" unnamed 2 'del(.spec.schedulerName)'
    # Once a later pod is bound, the earlier ones have been seen and passed over.
    pods "$SPACE" witness 1
    eventually is_bound "$SPACE" witness-0
    equal "$(count_bound "$others" group=other)" 0
    equal "$(count_bound "$others" group=unnamed)" 0
}

@test "pods of other schedulers take room on their node" {
    own_cluster_only
    nodes foreign 1 2
    kubectl taint node foreign-0 e2e=foreign:NoSchedule
    tolerate='.spec.tolerations = [{key: "e2e", operator: "Exists"}] | .spec.nodeSelector = {"e2e-group": "foreign"}'
    others="$(namespace_of_others squatters)"
    pods "$others" squatter 1 "$(asking 1500m 64Mi) | .spec.schedulerName = \"another-scheduler\" | .spec.nodeName = \"foreign-0\""
    pods "$SPACE" late 1 "$(asking 1 64Mi) | $tolerate"
    eventually is_unschedulable "$SPACE" late-0
    kubectl -n "$others" delete pod squatter-0 --wait=false
    eventually is_bound "$SPACE" late-0
    kubectl -n "$SPACE" delete pod late-0 --wait=false
    nodes_delete foreign
}

@test "the queue label decides the queue" {
    pods "$SPACE" labelled 2 "$(in_queue root.label.a)"
    eventually all_bound "$SPACE" 2 group=labelled
    has_application root.label.a labelled
    pods "$SPACE" legacy 1 '.metadata.labels.queue = "root.label.b" |
        .metadata.labels.applicationId = "legacy-app" | del(.metadata.labels["yunikorn.apache.org/app-id"])'
    eventually all_bound "$SPACE" 1 group=legacy
    has_application root.label.b legacy-app
}

@test "without a label the namespace decides the queue" {
    pods "$SPACE" unlabelled 2
    eventually all_bound "$SPACE" 2 group=unlabelled
    has_application "root.$SPACE" unlabelled
}

@test "a pod without an application joins the one of its namespace" {
    pods "$SPACE" loner 1 'del(.metadata.labels["yunikorn.apache.org/app-id"])'
    eventually is_bound "$SPACE" loner-0
    has_application "root.$SPACE" "yunikorn-$SPACE-autogen"
}

@test "a queue's usage follows its pods" {
    pods "$SPACE" usage 3 "$(in_queue root.usage)"
    eventually all_bound "$SPACE" 3 group=usage
    eventually equals 300 queue root.usage .allocatedResource.vcore
    kubectl -n "$SPACE" delete pods -l group=usage --wait=false
    eventually equals 0 queue root.usage '.allocatedResource.vcore // 0'
}

@test "the pods of a Job run to completion and give their room back" {
    own_cluster_only
    jq -n --arg namespace "$SPACE" '{apiVersion: "batch/v1", kind: "Job", metadata: {name: "job", namespace: $namespace},
        spec: {completions: 6, parallelism: 2, template: {
            metadata: {labels: {"yunikorn.apache.org/app-id": "job", "yunikorn.apache.org/queue": "root.job"}},
            spec: {schedulerName: "yunikorn", restartPolicy: "Never", containers: [{name: "main", image: "busybox:stable",
                resources: {requests: {cpu: "500m"}}}]}}}}' | kubectl create -f -
    kubectl -n "$SPACE" wait --for=condition=complete job/job --timeout=60s
    eventually equals 0 queue root.job '.allocatedResource.vcore // 0'
}

@test "a pod that goes before it is bound is forgotten" {
    own_cluster_only
    pods "$SPACE" giant 1 "$(asking 1000 64Mi) | $(in_queue root.gone)"
    eventually is_unschedulable "$SPACE" giant-0
    kubectl -n "$SPACE" delete pod giant-0
    eventually equals 0 queue root.gone '.pendingResource.vcore // 0'
}

@test "SIGTERM and SIGHUP end the scheduler with exit code 0, and nothing it bound is disturbed" {
    before="$(count_bound "$SPACE")"
    for signal in TERM HUP; do
        scheduler_stop "$signal"
        equal "$(count_bound "$SPACE")" "$before"
        scheduler_start
    done
}
