# SPDX-License-Identifier: Apache-2.0
# Fair in the long run, shortened: reservations keep the order of queues, a full cluster makes room for large
# pods, and a guarantee protects per type of resource.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes fair 2 4
    nodes aside 1 2 # room that no pod of the tests may use, so that the cluster never looks full
    kubectl cordon aside-0
    SPACE="$(namespace fair)"
    export SPACE
    scheduler_start
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    finish "$SPACE" fair aside
}

# end_oldest NAMESPACE COUNT [SELECTOR]: the pods that have run longest end.
end_oldest() {
    kubectl -n "$1" get pods ${3:+-l "$3"} -o json |
        jq -r --argjson count "$2" '[.items[] | select(.spec.nodeName)] |
            sort_by(([.status.conditions[]? | select(.type == "PodScheduled") | .lastTransitionTime][0] // ""), .metadata.name) |
            .[:$count][].metadata.name' |
        xargs -r kubectl -n "$1" delete pod --force --grace-period=0 --wait=false >/dev/null 2>&1
}

# churn SECONDS NAMESPACE COUNT [SELECTOR]: COUNT pods end each second, until then or until `stop_when` says so.
churn() {
    local end=$(($(now) + $1))
    while [ "$(now)" -lt "$end" ] && ! stop_when; do
        end_oldest "${@:2}"
        sleep 1
    done
}

stop_when() { false; }

@test "fair: a queue gets its share although another one streams" {
    local stream
    stream="$(namespace stream)"
    pods "$stream" a 120 "$(in_queue root.a) | $(asking 1 64Mi)"
    eventually equals 8 count_bound "$stream" group=a
    churn 6 "$stream" 2
    pods "$stream" b 60 "$(in_queue root.b) | $(asking 1 64Mi)"
    stop_when() { [ "$(count_bound "$stream" group=b)" -ge 4 ]; }
    churn 40 "$stream" 2 group=a
    [ "$(count_bound "$stream" group=b)" -ge 4 ] || fail "b has $(count_bound "$stream" group=b) of the 8 cores"
    nodes_within_capacity
}

@test "fair: large pods start in a full cluster behind a stream of small ones" {
    local full
    full="$(namespace full)"
    pods "$full" small 240 "$(in_queue root.a) | $(asking 500m 64Mi)"
    eventually equals 16 count_bound "$full" group=small
    churn 3 "$full" 4 group=small
    pods "$full" large 3 "$(in_queue root.b) | $(asking 4 64Mi)"
    # Each large one ends two seconds after it was seen to run.
    stop_when() {
        local name
        for name in $(kubectl -n "$full" get pods -l group=large -o json | jq -r '.items[] | select(.spec.nodeName) | .metadata.name'); do
            echo "$name" >>"$BATS_TEST_TMPDIR/ran"
        done
        [ "$(sort -u "$BATS_TEST_TMPDIR/ran" 2>/dev/null | wc -l)" -eq 3 ] && return 0
        for name in $(sort "$BATS_TEST_TMPDIR/ran" 2>/dev/null | uniq -c | awk '$1 == 2 { print $2 }'); do
            kubectl -n "$full" delete pod "$name" --force --grace-period=0 --wait=false >/dev/null 2>&1
        done
        return 1
    }
    churn 50 "$full" 4 group=small
    equal "$(sort -u "$BATS_TEST_TMPDIR/ran" | wc -l)" 3 "large pods that ran"
    nodes_within_capacity
}

@test "fair: a queue below its guarantee in one type is preempted from in another" {
    local guarded
    guarded="$(namespace guarded)"
    queues <<'YAML'
partitions:
  - name: default
    placementrules: [{name: provided, create: true}]
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: left, resources: {guaranteed: {vcore: 4, memory: 24Gi}}, properties: {preemption.delay: 2s}}
          - {name: right, resources: {guaranteed: {vcore: 4, memory: 24Gi}}, properties: {preemption.delay: 2s}}
YAML
    eventually has_queue root.left
    pods "$guarded" right 8 "$(in_queue root.right) | $(asking 1 1Gi)"
    eventually all_bound "$guarded" 8 group=right
    pods "$guarded" left 4 "$(in_queue root.left) | $(asking 1 1Gi)"
    within 40 all_bound "$guarded" 4 group=left
    equal "$(count_bound "$guarded" group=right)" 4 "no more than needed had to end"
    nodes_within_capacity
}
