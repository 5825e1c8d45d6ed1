# SPDX-License-Identifier: Apache-2.0
# The ConfigMap: read at start, followed while running, and never believed blindly.
# These tests are one story; each begins where the one before has ended.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin config 2
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" config
}

# two_queues MAX_VCORE_OF_A
two_queues() {
    queues <<YAML
partitions:
  - name: default
    placementrules:
      - name: provided
        create: true
      - name: fixed
        value: root.b
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            resources:
              max:
                vcore: $1
          - name: b
YAML
}

@test "a new queue appears while the scheduler runs" {
    lacks_queue root.a
    two_queues 200m
    eventually has_queue root.a
    has_queue root.b
    equal "$(queue root.a .maxResource.vcore)" 200
}

@test "the new placement rules apply to new applications" {
    pods "$SPACE" placed 1
    eventually is_bound "$SPACE" placed-0
    has_application root.b placed
}

@test "a queue's maximum holds, and raising it lets the waiting pods go" {
    pods "$SPACE" capped 5 "$(in_queue root.a)"
    eventually all_bound "$SPACE" 2 group=capped
    # A pod of another queue that comes later is bound: the others were not just slow.
    pods "$SPACE" beside 1 "$(in_queue root.b)"
    eventually is_bound "$SPACE" beside-0
    equal "$(count_bound "$SPACE" group=capped)" 2
    equal "$(queue root.a .allocatedResource.vcore)" 200
    two_queues 1
    eventually all_bound "$SPACE" 5 group=capped
}

@test "an invalid queues.yaml changes nothing and is reported on the ConfigMap" {
    before="$(rest /ws/v1/partition/default/queues | jq -S '[.. | .queuename? // empty]')"
    unreviewed queues <<'YAML'
partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: a
          - name: "not.a.name"
YAML
    eventually warned_on_configmap
    contains "$(warnings_on_configmap)" 'not\.a\.name'
    equal "$(rest /ws/v1/partition/default/queues | jq -S '[.. | .queuename? // empty]')" "$before"
    pods "$SPACE" unimpressed 1 "$(in_queue root.b)"
    eventually is_bound "$SPACE" unimpressed-0
}

# Whatever its reason is called, it is a Warning about that object.
warnings_on_configmap() {
    kubectl -n "$E2E_SYSTEM" get events.events.k8s.io -o json | jq -r '.items[] |
        select(.type == "Warning" and .regarding.kind == "ConfigMap" and .regarding.name == "yunikorn-configs") | .note'
}

warned_on_configmap() { [ -n "$(warnings_on_configmap)" ]; }

@test "text that is not YAML at all changes nothing either" {
    unreviewed queues <<<'partitions: [ {'
    pods "$SPACE" still 1 "$(in_queue root.b)"
    eventually is_bound "$SPACE" still-0
    has_queue root.a
}

@test "a corrected queues.yaml is taken again" {
    two_queues 300m
    eventually equals 300 queue root.a .maxResource.vcore
}

@test "the history has what is in force and what was refused, with their texts" {
    history="$(rest /ws/v1/config/history)"
    equal "$(jq -r '.entries[0] | "\(.outcome) \(.active) \(.trigger)"' <<<"$history")" 'applied true reload'
    contains "$(jq -r '.entries[0].source' <<<"$history")" "^ConfigMap $E2E_SYSTEM/yunikorn-configs, resource version [0-9]"
    contains "$(jq -r '.entries[0].changes[]' <<<"$history")" '~ queue root\.a: resources max \{vcore: 1\} -> max \{vcore: 300m\}'
    equal "$(jq -r '.entries[0].checksum' <<<"$history")" "$(rest /ws/v1/config | sed -n 's/^checksum: //p')"
    equal "$(jq -r '.entries[-1].trigger' <<<"$history")" start
    refused="$(jq -r '[.entries[] | select((.error // "") | contains("not.a.name"))][0]' <<<"$history")"
    equal "$(jq -r .outcome <<<"$refused")" refused
    contains "$(rest "/ws/v1/config/history/$(jq -r .id <<<"$refused")")" 'name: "not\.a\.name"'
    contains "$(jq -r '[.entries[] | select(.outcome == "refused")] | length' <<<"$history")" '^[2-9]'
}

@test "a setting that is not valid is in the history, too" {
    unreviewed kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge -p '{"data": {"kubernetes.qps": "many"}}'
    eventually equals refused history_of_last .outcome
    contains "$(history_of_last .error)" 'kubernetes\.qps'
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=json -p '[{"op": "remove", "path": "/data/kubernetes.qps"}]'
}

history_of_last() { rest '/ws/v1/config/history?limit=1' | jq -r ".entries[0]$1"; }

@test "a queue that is removed drains: its pods stay, then it goes" {
    queues <<'YAML'
partitions:
  - name: default
    placementrules:
      - name: provided
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: b
YAML
    eventually equals Draining queue root.a .status
    equal "$(count_bound "$SPACE" group=capped)" 5
    kubectl -n "$SPACE" delete pods -l group=capped --wait=false
    within 90 equals 404 rest_code /ws/v1/partition/default/queue/root.a
}

@test "yunikorn-configs goes over yunikorn-defaults, and without it the defaults hold" {
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-defaults --type=merge -p "$(jq -n '{data: {"queues.yaml":
        "partitions:\n  - name: default\n    placementrules:\n      - name: provided\n        create: true\n    queues:\n      - name: root\n        submitacl: \"*\"\n        queues:\n          - name: from-defaults\n"}}')"
    two_queues 1
    eventually has_queue root.a
    lacks_queue root.from-defaults
    kubectl -n "$E2E_SYSTEM" delete configmap yunikorn-configs
    eventually has_queue root.from-defaults
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-defaults --type=json -p '[{"op": "remove", "path": "/data/queues.yaml"}]'
}

@test "yunikorn validate judges a file as the scheduler does" {
    run -0 "$YK_BINARY" validate - <<<$'partitions:\n  - name: default\n    queues:\n      - name: root\n'
    run ! "$YK_BINARY" validate - <<<$'partitions:\n  - name: default\n    queues:\n      - name: root\n        colour: red\n'
    contains "$output" colour
    run -0 "$YK_BINARY" validate "$REPO/deploy/example/queues.yaml"
    run -0 "$YK_BINARY" validate "$REPO/deploy/manifests/yunikorn-configs.yaml"
}

@test "yunikorn validate reads the cluster and shows what an edit would change" {
    two_queues 1
    eventually has_queue root.a
    run -0 --separate-stderr "$YK_BINARY" validate --from-cluster -n "$E2E_SYSTEM" -o json
    equal "$(jq -c '[.valid, .errors]' <<<"$output")" '[true,[]]'
    local file="$BATS_TEST_TMPDIR/queues.yaml" live
    live="http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")"
    printf 'partitions:\n- name: default\n  queues:\n  - name: root\n    queues: [{name: a, maxapplications: 3}, {name: c}]\n' >"$file"
    for from in cluster "$live"; do
        run -0 --separate-stderr "$YK_BINARY" validate -n "$E2E_SYSTEM" --diff "$from" -o json "$file"
        contains "$(jq -c .changes <<<"$output")" '"- queue root.b"'
        contains "$(jq -c .changes <<<"$output")" '"\+ queue root.c"'
        contains "$(jq -r '.changes[]' <<<"$output")" 'queue root.a: maxapplications none -> 3'
    done
    printf 'partitions:\n- queues:\n  - name: root\n    colour: red\n' >"$BATS_TEST_TMPDIR/old.yaml"
    run -1 "$YK_BINARY" validate --diff "$BATS_TEST_TMPDIR/old.yaml" "$file"
    contains "$output" "--diff .*old.yaml cannot be compared because it is not valid: .*'colour' is not known"
    run -1 "$YK_BINARY" validate - <<<$'partitions:\n- queues:\n  - name: root\n    queues: [{name: a, colour: red}]\n'
    contains "$output" "standard input:4:24: error: .*'colour' is not known.*queue root.a"
}
