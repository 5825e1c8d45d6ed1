# SPDX-License-Identifier: Apache-2.0
# kill -9, ten times in the middle of a drain: nothing bound twice, nothing forgotten.

bats_require_minimum_version 1.5.0
load lib/e2e

PODS=2000
ROUNDS=10

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    # Room for 2,200 pods and not many more, so that binding one too many shows.
    nodes crash 20 32 128Gi
    SPACE="$(namespace crash)"
    export SPACE
}

setup() { own_cluster_only; }

teardown() {
    tidy
    scheduler_cleanup
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    namespace_delete "$SPACE"
    kubectl delete nodes --all --wait=false >/dev/null
}

# Every line of the audit log is one attempt to bind.
attempts() { wc -l <"$CP_DIR/log/audit.log"; }

more_attempts_than() { [ "$(attempts)" -ge "$1" ]; }

# A fast scheduler may be through between two looks at it: there is always something left to do,
# and room for it.
top_up() {
    local waiting=$((TOTAL - $(count_bound "$SPACE")))
    [ "$waiting" -lt 400 ] || return 0
    nodes "crash-$1" 4 32 128Gi
    pods "$SPACE" "extra-$1" 400
    TOTAL=$((TOTAL + 400))
}

# start_and_kill_busy: it has begun to bind and is not through. Without a pause between two looks:
# by the time of the second it could be over.
start_and_kill_busy() {
    local goal deadline=$(($(now) + 60))
    goal=$(($(attempts) + 50))
    scheduler_spawn
    until more_attempts_than "$goal"; do
        scheduler_alive || fail "it ended by itself"
        [ "$(now)" -lt "$deadline" ] || fail "it binds nothing"
    done
    "$1"
}

@test "killed $ROUNDS times in the middle of a drain of $PODS pods" {
    for app in 0 1 2 3; do pods "$SPACE" "drain-$app" $((PODS / 4)) "$(in_queue "root.crash.q$app")"; done
    TOTAL="$PODS" killed_with_work_left=0
    for ((round = 1; round <= ROUNDS; round++)); do
        top_up "$round"
        start_and_kill_busy scheduler_kill
        [ "$(count_bound "$SPACE")" -eq "$TOTAL" ] || killed_with_work_left=$((killed_with_work_left + 1))
    done
    equal "$killed_with_work_left" "$ROUNDS" "rounds that were killed in the middle"
    scheduler_start
    within 120 all_bound "$SPACE" "$TOTAL"
    bound_once "$SPACE" "$TOTAL"
    nodes_within_capacity
    eventually accounts_agree
    scheduler_stop
}

# The scheduler has neither forgotten an allocation nor made one up.
accounts_agree() {
    diff <(kubectl -n "$SPACE" get pods -o json | jq -r '.items[] | "\(.metadata.uid) \(.spec.nodeName)"' | sort) \
        <(rest /ws/v1/partition/default/nodes | jq -r '.[] | .nodeID as $node | .allocations[]? |
            "\(.allocationKey) \($node)"' | grep -Ff <(uids) | sort)
}

uids() { kubectl -n "$SPACE" get pods -o 'jsonpath={range .items[*]}{.metadata.uid}{"\n"}{end}'; }

@test "killed between decision and answer, the next one takes over at once" {
    swift="$(namespace swift)"
    scheduler_start
    pods "$swift" swift 20
    scheduler_kill
    scheduler_start
    within 30 all_bound "$swift" 20
    bound_once "$swift" 20
    scheduler_stop
}

@test "SIGTERM in the middle of a drain: it finishes what it has begun and exits 0" {
    gentle="$(namespace gentle)"
    nodes crash-gentle 6 32 128Gi
    pods "$gentle" gentle 600
    start_and_kill_busy scheduler_stop
    # No answer is left open: what was accepted is what is bound.
    equal "$(accepted_bindings "$gentle" | wc -l)" "$(count_bound "$gentle")"
    scheduler_start
    within 60 all_bound "$gentle" 600
    bound_once "$gentle" 600
    scheduler_stop
}
