# SPDX-License-Identifier: Apache-2.0
# Questions about what would happen (docs/whatif.md), each compared with what then happens.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin whatif 2
    queues <<'YAML'
partitions:
- name: default
  placementrules: [{name: provided, create: true}]
  queues:
  - name: root
    submitacl: "*"
    queues: [{name: tried, resources: {max: {vcore: 3}}}]
YAML
    eventually has_queue root.tried
}

teardown() {
    kubectl -n "$SPACE" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    tidy
}

teardown_file() {
    finish "$SPACE" whatif
}

# manifest NAME CPU: one pod.
manifest() { pod_objects "$SPACE" "$1" 1 "$(in_queue root.tried) | $(asking "$2" 64Mi)" >"$BATS_TEST_TMPDIR/$1.json"; }

# whatif ARGS...: the command, with this scheduler.
whatif() { "$YK_BINARY" whatif --server "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")" "$@"; }

# question_code QUESTION: the status of the answer, once the scheduler has time for it.
question_code() {
    local code
    for _ in {1..40}; do
        code="$(rest_code /ws/v1/whatif --data-binary "$1")"
        [ "$code" = 503 ] || break
        sleep 0.25
    done
    echo "$code"
}

@test "a pod is tried, and then starts as the answer says" {
    manifest tried 1
    run -0 whatif -f "$BATS_TEST_TMPDIR/tried.json"
    contains "$output" "^pod $SPACE/tried-0 starts now on "
    equal "$(kubectl -n "$SPACE" get pods -o name)" "" "nothing was created"
    kubectl create -f "$BATS_TEST_TMPDIR/tried.json" >/dev/null
    eventually is_bound "$SPACE" tried-0
}

@test "a pod beyond its queue would wait" {
    manifest large 4
    run -1 whatif -f "$BATS_TEST_TMPDIR/large.json" -o json
    equal "$(jq -r .verdict <<<"$output")" waits
    [ -n "$(jq -r '.pods[0].message' <<<"$output")" ]
}

@test "a job starts in part" {
    manifest part 1
    run -1 whatif -f "$BATS_TEST_TMPDIR/part.json" --count 5
    contains "$output" '^of 5 pods 3 start now, 2 wait'
}

@test "queues are tried: what changes, and who is above" {
    manifest used 2
    kubectl create -f "$BATS_TEST_TMPDIR/used.json" >/dev/null
    eventually is_bound "$SPACE" used-0
    run -0 whatif -f - <<'YAML'
partitions:
- name: default
  placementrules: [{name: provided, create: true}]
  queues:
  - name: root
    submitacl: "*"
    queues: [{name: tried, resources: {max: {vcore: 1}}}, {name: new}]
YAML
    contains "$output" '^  \+ queue root.new'
    contains "$output" '^  ~ queue root.tried: max '
    contains "$output" '^  above its maximum: queue root.tried: uses '
    lacks_queue root.new
}

@test "questions that make no sense are refused, and the scheduler goes on" {
    equal "$(question_code '{"kind":"job","count":1000000000,"pod":{}}')" 400
    equal "$(question_code '{"kind":"node","action":"remove","node":{"name":"none"}}')" 404
    equal "$(question_code '[')" 400
    scheduler_alive
}
