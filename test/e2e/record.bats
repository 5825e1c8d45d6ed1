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
