# SPDX-License-Identifier: Apache-2.0
# Several schedulers of which one leads: only that one binds, and another takes over when it goes.

bats_require_minimum_version 1.5.0
load lib/e2e

# Shorter than the defaults, in the same proportion.
ELECT=(--leader-elect --leader-elect-lease-duration=6s --leader-elect-renew-deadline=4s --leader-elect-retry-period=1s)

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes lead 4
    helm template yunikorn "$REPO/deploy/helm/yunikorn" --namespace "$E2E_SYSTEM" --set replicas=2 \
        -s templates/leader-election.yaml | kubectl apply -f - >/dev/null
    mkdir -p "$E2E_DIR/a/log" "$E2E_DIR/b/log"
}

setup() { own_cluster_only; }

teardown() {
    [ "${BATS_TEST_COMPLETED:-}" = 1 ] || tail -n 8 "$E2E_DIR"/[ab]/log/*.log >&2 || true
    at a scheduler_cleanup
    at b scheduler_cleanup
    tidy
    kubectl -n "$E2E_SYSTEM" delete lease yunikorn-scheduler --ignore-not-found >/dev/null
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    nodes_delete lead
    kubectl -n "$E2E_SYSTEM" delete role/yunikorn-scheduler-election rolebinding/yunikorn-scheduler-election >/dev/null
}

# at NAME COMMAND...: what the library does, about one of two schedulers.
at() { E2E_SCHEDULER_KUBECONFIG="${E2E_SCHEDULER_KUBECONFIG:-$E2E_DIR/scheduler.kubeconfig}" E2E_DIR="$E2E_DIR/$1" "${@:2}"; }

role() { at "$1" rest /readyz; }

leads() { [ "$(role "$1")" = "ok, leader" ]; }

stands_by() { [ "$(role "$1")" = "ok, standby" ]; }

holder() { kubectl -n "$E2E_SYSTEM" get lease yunikorn-scheduler -o 'jsonpath={.spec.holderIdentity}'; }

# Both are up, and a leads.
start_both() {
    at a scheduler_start "${ELECT[@]}"
    within 10 leads a
    at b scheduler_start "${ELECT[@]}"
    stands_by b
}

@test "one leads, the other stands by and is ready; only the leader may be told to change something" {
    space="$(namespace one)"
    start_both
    pods "$space" one 20
    within 20 all_bound "$space" 20
    leads a
    stands_by b
    bound_once "$space" 20
    # The standby has seen it all.
    eventually equals 20 at b queue "root.$space" '.allocatedResource.pods'
    contains "$(at b rest '/readyz?verbose')" '\[\+\]leader-election ok: standby'
    equal "$(at b rest /livez)" ok
    contains "$(curl -s -X DELETE "http://127.0.0.1:$(cat "$E2E_DIR/b/scheduler.port")/ws/v1/partition/default/application/one" \
        -H 'Authorization: Bearer x' -w '%{http_code}')" 'this scheduler is a standby.*503'
    equal "$(at a rest_code /ws/v1/partition/default/application/one -X DELETE -H 'Authorization: Bearer x')" 401
    at b scheduler_stop
    leads a
    at a scheduler_stop
    equal "$(holder)" ""
}

@test "kill -9: the standby takes over when the Lease has run out, and binds what waits" {
    space="$(namespace killed)"
    start_both
    pods "$space" before 300
    at a scheduler_kill
    pods "$space" after 20
    equal "$(count_bound "$space" group=after)" 0 # the Lease still runs
    stands_by b
    within 12 all_bound "$space" 320
    leads b
    contains "$(holder)" "^$(hostname)_"
    equal "$(kubectl -n "$E2E_SYSTEM" get lease yunikorn-scheduler -o 'jsonpath={.spec.leaseTransitions}')" 1
    bound_once "$space" 320
    nodes_within_capacity
    at b scheduler_stop
}

@test "SIGTERM: the Lease is given back, the standby takes over at once" {
    space="$(namespace handover)"
    start_both
    at a scheduler_stop
    pods "$space" handover 50
    within 4 leads b
    within 5 all_bound "$space" 50
    bound_once "$space" 50
    at b scheduler_stop
}

@test "a leader that was frozen writes nothing when it wakes, and ends" {
    space="$(namespace frozen)"
    start_both
    kill -STOP "$(at a scheduler_pid)"
    pods "$space" frozen 20
    within 12 all_bound "$space" 20
    leads b
    kill -CONT "$(at a scheduler_pid)"
    equal "$(at a scheduler_exit_code)" 1 "exit code of who lost the lead"
    contains "$(tail -n 3 "$E2E_DIR"/a/log/*.log)" "the Lease '$E2E_SYSTEM/yunikorn-scheduler' is lost"
    leads b
    bound_once "$space" 20
    # It is started again and stands by.
    at a scheduler_start "${ELECT[@]}"
    stands_by a
    at a scheduler_stop
    at b scheduler_stop
}

@test "times that do not fit are refused" {
    run -2 "$YK_BINARY" scheduler --leader-elect --leader-elect-renew-deadline=20s
    contains "$output" 'lease duration \(15s\) must be longer than the renew deadline \(20s\)'
    run -2 "$YK_BINARY" scheduler --leader-elect=maybe
    contains "$output" "leader-elect is true or false, not 'maybe'"
    run -2 "$YK_BINARY" scheduler --leader-elect --leader-elect-retry-period=2
    contains "$output" "leader-elect-retry-period is a time like 15s, not '2'"
    run -2 "$YK_BINARY" scheduler --leader-elect --leader-elect-resource-name=../x
    contains "$output" "'../x' is not a name"
}
