# SPDX-License-Identifier: Apache-2.0
# A live scheduler is recorded, and the recording is replayed with the same decisions (docs/record.md).

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin record 2
}

teardown() {
    kubectl -n "$SPACE" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    tidy
}

teardown_file() {
    finish "$SPACE" record
}

# share MAXIMUM: queues, of which one may get so many cores.
share() {
    queues <<YAML
partitions:
- name: default
  placementrules: [{name: provided, create: true}]
  queues:
  - name: root
    submitacl: "*"
    queues:
    - {name: owed, resources: {guaranteed: {vcore: 2}}, properties: {preemption.delay: 1s}}
    - {name: rich, resources: {max: {vcore: $1}}}
YAML
}

# replay FILE: the result as JSON.
replay() { "$YK_BINARY" simulate --replay "$1" -o json; }

@test "pods come and go, others are preempted, queues change: the replay decides the same" {
    local file="$BATS_TEST_TMPDIR/live.jsonl.gz" result
    scheduler_stop
    scheduler_start --record="$file"
    share 8
    eventually has_queue root.owed
    pods "$SPACE" rich 4 "$(in_queue root.rich) | $(asking 2 64Mi)"
    eventually all_bound "$SPACE" 4 group=rich
    kubectl -n "$SPACE" delete pod rich-0 --wait=false >/dev/null
    pods "$SPACE" owed 2 "$(in_queue root.owed) | $(asking 1 64Mi)"
    eventually all_bound "$SPACE" 2 group=owed
    share 9
    pods "$SPACE" late 3 "$(in_queue root.rich) | $(asking 100m 64Mi)"
    pods "$SPACE" waits 1 "$(in_queue root.rich) | $(asking 100 64Mi)"
    kubectl -n "$SPACE" delete pods -l group=owed --wait=false >/dev/null
    eventually all_bound "$SPACE" 3 group=late
    scheduler_stop
    result="$(replay "$file")"
    equal "$(jq -r .same <<<"$result")" true "the same decisions"
    equal "$(jq -r .hash <<<"$result")" "$(jq -r .recordedHash <<<"$result")"
    equal "$(jq -r .endedBecause <<<"$result")" ""
    [ "$(jq -r .decisions <<<"$result")" -gt 10 ]
    # A changed decision is found: a pod bound to another node.
    gzip -dc "$file" | sed 's/\({"do":"bind".*"node":"\)[^"]*"/\1elsewhere"/' >"$BATS_TEST_TMPDIR/changed.jsonl"
    run -1 --separate-stderr replay "$BATS_TEST_TMPDIR/changed.jsonl"
    contains "$(jq -r .difference <<<"$output")" 'recorded: {"do":"bind".*elsewhere'
    scheduler_start
}

@test "a killed scheduler leaves a recording that is replayed so far" {
    local file="$BATS_TEST_TMPDIR/killed.jsonl.gz" result
    scheduler_stop
    scheduler_start --record="$file"
    pods "$SPACE" early 2 "$(in_queue root.rich) | $(asking 100m 64Mi)"
    eventually all_bound "$SPACE" 2 group=early
    eventually recorded "$file" '"do":"bind"'
    scheduler_kill
    result="$(replay "$file")"
    equal "$(jq -r .same <<<"$result")" true "the same decisions"
    equal "$(jq -r .recordedHash <<<"$result")" ""
    scheduler_start
}

# recorded FILE TEXT: the file has it already.
recorded() { gzip -dc "$1" 2>/dev/null | grep -qF "$2"; }

# ---- a scheduler that runs ----

# as WHO METHOD PATH: the status code, then the body.
as() {
    curl -s --max-time 20 -w '%{http_code} ' -o "$BATS_TEST_TMPDIR/answer" -X "$2" \
        -H "Authorization: Bearer $(cat "$E2E_DIR/record-$1.token")" \
        "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$3"
    cat "$BATS_TEST_TMPDIR/answer"
}

# recording ARGS...: yunikorn record, by the administrator.
recording() {
    "$YK_BINARY" record --url "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")" \
        --token-file "$E2E_DIR/record-chief.token" "$@"
}

@test "a scheduler that runs is recorded, its recording is fetched, and replayed without its names" {
    local file="$BATS_TEST_TMPDIR/live.jsonl.gz" hashed="$BATS_TEST_TMPDIR/hashed.jsonl.gz" pid work result
    pid="$(scheduler_pid)"
    for who in chief guest; do
        kubectl -n "$SPACE" create serviceaccount "$who" >/dev/null
        kubectl -n "$SPACE" create token "$who" >"$E2E_DIR/record-$who.token"
    done
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type merge \
        -p "{\"data\": {\"service.schedulerACL\": \"system:serviceaccount:$SPACE:chief\"}}" >/dev/null
    eventually contains_chief
    # Who may not administrate the scheduler learns nothing and starts nothing.
    contains "$(as guest GET /ws/v1/recording)" '^403 '
    contains "$(as guest POST /ws/v1/recording)" '^403 '
    contains "$(as guest GET /ws/v1/recording/file)" '^403 '
    equal "$(rest_code /ws/v1/recording -X POST)" 401
    contains "$(as chief GET /ws/v1/recording)" '^200 .*"state":"none"'
    contains "$(as chief GET /ws/v1/recording/file)" '^404 '
    contains "$(as chief DELETE /ws/v1/recording)" '^404 '
    # A pipe of another user in the folder is not opened.
    mkfifo "/tmp/yunikorn-$pid.jsonl.gz"
    contains "$(as chief POST /ws/v1/recording)" '^503 .*not a regular file'
    rm "/tmp/yunikorn-$pid.jsonl.gz"
    # Without a terminal it is not started again unasked.
    run -2 recording --for 1s -o "$file"
    contains "$output" 'lost'
    pods "$SPACE" stays 2 "$(in_queue root.rich) | $(asking 100m 64Mi)"
    eventually all_bound "$SPACE" 2 group=stays
    pods "$SPACE" toolarge 1 "$(in_queue root.rich) | $(asking 100 64Mi)"
    eventually waits_with_reason toolarge-0
    recording --restart --for 12s -o "$file" >"$BATS_TEST_TMPDIR/said" 2>&1 &
    work=$!
    eventually records
    equal "$(scheduler_pid)" "$pid" "the process stays"
    pods "$SPACE" secretword 3 "$(in_queue root.rich) | $(asking 100m 64Mi)"
    eventually all_bound "$SPACE" 3 group=secretword
    wait "$work" || fail "$(cat "$BATS_TEST_TMPDIR/said")"
    equal "$(tail -n 1 "$BATS_TEST_TMPDIR/said")" "$file"
    equal "$(stat -c %a "$file")" 600
    contains "$(as chief GET /ws/v1/recording)" '^200 .*"state":"ended".*"endedBecause":""'
    scheduler_alive
    all_bound "$SPACE" 2 group=stays
    result="$(replay "$file")"
    equal "$(jq -r .same <<<"$result")" true "the same decisions: $(jq -r .difference <<<"$result")"
    equal "$(jq -r .hash <<<"$result")" "$(jq -r .recordedHash <<<"$result")"
    recorded "$file" '"name":"secretword-0"'
    "$YK_BINARY" record --hash-names --from "$file" -o "$hashed"
    equal "$(replay "$hashed" | jq -r .same)" true
    equal "$(replay "$hashed" | jq -r .decisions)" "$(jq -r .decisions <<<"$result")"
    run -1 recorded "$hashed" secretword
    run -1 recorded "$hashed" "$SPACE"
    # A second recording begins with a start of its own.
    recording --restart --for 1s --hash-names -o "$hashed" >/dev/null
    equal "$(replay "$hashed" | jq -r .same)" true
    [ ! -e "$hashed.names" ]
    # One that gets SIGTERM meanwhile ends, and does not start again.
    contains "$(as chief POST /ws/v1/recording)" '^202 '
    kill -TERM "$pid"
    contains "$(scheduler_exit_code)" '^(0|143)$'
    scheduler_start
    rm -f "$E2E_DIR"/record-*.token
}

contains_chief() { as chief GET /ws/v1/recording | grep -q '^200 '; }

records() { as chief GET /ws/v1/recording 2>/dev/null | grep -q '^200 .*"state":"runs"'; }

waits_with_reason() {
    [ -n "$(kubectl -n "$SPACE" get pod "$1" -o jsonpath='{.status.conditions[?(@.type=="PodScheduled")].message}')" ]
}
