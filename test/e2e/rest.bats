# SPDX-License-Identifier: Apache-2.0
# REST, metrics and probes of a scheduler that has something to show.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin rest 2
    pods "$SPACE" shown 3 "$(in_queue root.shown)"
    eventually all_bound "$SPACE" 3
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" rest
}

@test "probes" {
    equal "$(rest /livez)" ok
    equal "$(rest /readyz)" ok
    list="$(rest '/readyz?verbose')"
    for name in ping scheduler-loop api-loop config-valid informer-sync state-recovered shutdown; do
        contains "$list" '^\[\+\]'"$name"' ok$'
        equal "$(rest "/readyz/$name")" ok
    done
    equal "$(rest_code /livez/api-loop)" 200
    equal "$(rest_code /livez/informer-sync)" 404
}

config_is() { [[ "$(rest /readyz/config-valid?verbose)" == *"$1"* ]]; }

@test "probes: a configuration that was refused" {
    unreviewed queues <<<'partitions: 1'
    eventually config_is 'config-valid ok: the last change of the ConfigMaps was refused'
    equal "$(rest /readyz)" ok
    queues_by_label
    eventually config_is $'config-valid ok\n'
}

@test "partitions" {
    partition="$(rest /ws/v1/partitions | jq '.[] | select(.name == "default")')"
    equal "$(jq -r .state <<<"$partition")" Active
    [ "$(jq .totalNodes <<<"$partition")" -ge 1 ]
    [ "$(jq .totalContainers <<<"$partition")" -ge 3 ]
}

@test "queues: the whole tree and one of it" {
    equal "$(rest /ws/v1/partition/default/queues | jq -r .queuename)" root
    equal "$(queue root.shown .allocatedResource.vcore)" 300
    equal "$(queue root.shown .allocatedResource.pods)" 3
    equal "$(rest_code /ws/v1/partition/default/queue/root.none)" 404
    equal "$(rest_code /ws/v1/partition/none/queues)" 404
}

@test "applications: of a queue, one of them, by state" {
    equal "$(applications root.shown)" shown
    application="$(rest /ws/v1/partition/default/queue/root.shown/application/shown)"
    equal "$(jq -r .applicationState <<<"$application")" Running
    equal "$(jq '.allocations | length' <<<"$application")" 3
    equal "$(jq -r '[.allocations[].allocationTags["kubernetes.io/meta/podName"]] | sort | join(" ")' <<<"$application")" \
        "shown-0 shown-1 shown-2"
    contains "$(rest /ws/v1/partition/default/applications/active | jq -r '.[].applicationID')" '^shown$'
    equal "$(rest_code /ws/v1/partition/default/applications/nonsense)" 400
    equal "$(rest_code /ws/v1/partition/default/application/none)" 404
}

@test "nodes: what is on them is what the API server says" {
    name="$(node_of "$SPACE" shown-0)"
    uid="$(pod "$SPACE" shown-0 | jq -r .metadata.uid)"
    node="$(rest "/ws/v1/partition/default/node/$name")"
    equal "$(jq -r .nodeID <<<"$node")" "$name"
    contains "$(jq -r '.allocations[].allocationKey' <<<"$node")" "^$uid\$"
    contains "$(rest /ws/v1/partition/default/nodes | jq -r '.[].nodeID')" "^$name\$"
    equal "$(rest_code /ws/v1/partition/default/node/none)" 404
}

@test "config: YAML, and JSON for who asks for it" {
    contains "$(rest /ws/v1/config)" 'partitions:'
    equal "$(rest /ws/v1/config -H 'Accept: application/json' | jq -r '.Partitions[0].Name')" default
}

@test "validate-conf: always 200, with the reason in the body" {
    equal "$(rest /ws/v1/validate-conf -X POST --data-binary '' | jq .allowed)" true
    answer="$(rest /ws/v1/validate-conf -X POST --data-binary $'partitions:\n  - name: default\n    queues:\n      - name: root\n        colour: red\n')"
    equal "$(jq .allowed <<<"$answer")" false
    contains "$(jq -r .reason <<<"$answer")" colour
}

@test "validate-conf: what a configuration would change" {
    answer="$(rest '/ws/v1/validate-conf?diff=1' -X POST --data-binary \
        $'partitions:\n  - name: default\n    queues:\n      - name: root\n        queues:\n          - name: shown\n            resources: {max: {vcore: 200m}}\n          - name: added\n')"
    equal "$(jq .allowed <<<"$answer")" true
    equal "$(jq -c .diff.impact.queuesAdded <<<"$answer")" '["root.added"]'
    equal "$(jq -c '.diff.impact.queuesChanged | map(.queueName)' <<<"$answer")" '["root.shown"]'
    equal "$(jq -c '.diff.impact.above | map([.kind, .name, .max.vcore, .used.vcore])' <<<"$answer")" '[["queue","root.shown",200,300]]'
    equal "$(queue root.shown .maxResource.vcore)" null
}

@test "health check" {
    health="$(rest /ws/v1/scheduler/healthcheck)"
    equal "$(jq .Healthy <<<"$health")" true "$health"
    [ "$(jq '.HealthChecks | length' <<<"$health")" -ge 9 ]
}

@test "metrics are in the Prometheus format" {
    metrics="$(rest /ws/v1/metrics)"
    contains "$metrics" '^# TYPE yunikorn_'
    contains "$metrics" '^yunikorn_[a-z_]+(\{[^}]*\})? [0-9.e+-]+$'
    contains "$metrics" '^yunikorn_predicate_evaluations_total\{predicate="NodeAffinity",result="passed"\} [1-9]'
    contains "$metrics" '^yunikorn_predicate_duration_seconds_count\{predicate="TaintToleration"\} [1-9]'
    contains "$metrics" '^yunikorn_scheduler_pod_scheduling_duration_seconds_count\{queue_class="best_effort"\} [1-9]'
    is_valid_scrape <<<"$metrics"
}

# is_valid_scrape: what Prometheus reads; it may find names of 1.9 unusual (3).
is_valid_scrape() {
    local status=0
    has promtool || return 0
    promtool check metrics >"$BATS_TEST_TMPDIR/lint" 2>&1 || status=$?
    [ "$status" = 0 ] || [ "$status" = 3 ] || fail "$(cat "$BATS_TEST_TMPDIR/lint")"
    run ! grep -E 'predicate|kube_pod|error while' "$BATS_TEST_TMPDIR/lint"
}

# resources_of POD: its lines of /metrics/resources, without the name of the metric.
resources_of() { rest /metrics/resources | sed -n "s/^kube_pod_resource_\(request\|limit\){.*,node=\"\([^\"]*\)\",pod=\"$1\",.*resource=\"\([^\"]*\)\",scheduler=\"\([^\"]*\)\",unit=\"\([a-z]*\)\"} /\1 \2 \3 \4 \5 /p"; }

shows_resources() { [ -n "$(resources_of "$1")" ]; }

@test "requests and limits of pods, if the setting says so" {
    local line
    equal "$(rest_code /metrics/resources)" 404
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge -p '{"data": {"metrics.pods": "true"}}' >/dev/null
    pods "$SPACE" bounded 1 "$(in_queue root.bounded) | .spec.containers[0].resources = {requests: {cpu: \"250m\", memory: \"64Mi\"}, limits: {cpu: \"1\"}}"
    eventually all_bound "$SPACE" 1 group=bounded
    eventually shows_resources bounded-0
    line="$(node_of "$SPACE" bounded-0)"
    equal "$(resources_of bounded-0 | sort)" "$(printf '%s\n' "limit $line cpu yunikorn cores 1" "request $line cpu yunikorn cores 0.25" \
        "request $line memory yunikorn bytes 67108864")"
    equal "$(rest /ws/v1/metrics/resources | grep -c '^# TYPE kube_pod_resource_')" 2
    is_valid_scrape < <(rest /metrics/resources)
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge -p '{"data": {"metrics.pods": null}}' >/dev/null
    kubectl -n "$SPACE" delete pod bounded-0 --wait=false >/dev/null
}

@test "history and utilisation: what the dashboard asks for" {
    equal "$(rest /ws/v1/history/apps | jq -r 'type')" array
    equal "$(rest /ws/v1/history/containers | jq -r 'type')" array
    utilization="$(rest /ws/v1/scheduler/node-utilizations | jq '.[0]')"
    equal "$(jq -r .partition <<<"$utilization")" default
    equal "$(jq '[.utilizations[] | select(.type == "vcore")][0].utilization | length' <<<"$utilization")" 10
    equal "$(jq '[.utilizations[] | select(.type == "vcore")][0].utilization | map(.numOfNodes // 0) | add' <<<"$utilization")" \
        "$(rest /ws/v1/partitions | jq '.[0].totalNodes')"
}

@test "stacks and profiles" {
    stacks="$(rest /debug/stack)"
    contains "$stacks" '^thread [0-9]+ '
    equal "$(rest_code /ws/v1/stack)" 301
    contains "$(rest /debug/pprof/)" profile
    equal "$(rest_code /debug/pprof/heap)" 501
    rest '/debug/pprof/profile?seconds=1' >"$BATS_TEST_TMPDIR/profile"
    gunzip -t <"$BATS_TEST_TMPDIR/profile"
}

@test "lists: pages, filters, summaries, validators" {
    url="http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")"
    equal "$(rest '/ws/v1/partition/default/applications/active?filter=queue:root.shown&fields=applicationID' |
        jq -c .)" '[{"applicationID":"shown"}]'
    equal "$(rest '/ws/v1/partition/default/applications/active?filter=shown&view=summary' | jq '.[0].allocations')" null
    head="$(curl -s -D - -o /dev/null "$url/ws/v1/partition/default/nodes?limit=1")"
    contains "$head" "X-Total-Count: $(rest /ws/v1/partitions | jq '.[0].totalNodes')"
    etag="$(curl -s -D - -o /dev/null "$url/ws/v1/partition/default/nodes?view=summary&fields=nodeID" | sed -n 's/^ETag: \(.*\)\r$/\1/p')"
    equal "$(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $etag" \
        "$url/ws/v1/partition/default/nodes?view=summary&fields=nodeID")" 304
    contains "$(rest /openapi.yaml)" '^openapi: 3'
}

# is_known ETAG: whether the tree of queues has not changed since the answer with that ETag.
is_known() { equals 304 curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $1" "$url/ws/v1/partition/default/queues"; }

etag_of_queues() { curl -s -D - -o /dev/null "$url/ws/v1/partition/default/queues" | sed -n 's/^ETag: \(.*\)\r$/\1/p'; }

# stays_known: the answer was the same for 10 s.
stays_known() {
    local etag
    etag="$(etag_of_queues)"
    sleep 10
    is_known "$etag"
}

@test "a large answer has not changed while the cluster is idle" {
    url="http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")"
    { printf 'partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n  queues:\n  - name: root\n    submitacl: "*"\n    queues:\n' &&
        seq -f '    - {name: "large-%04.0f", resources: {max: {vcore: 10, memory: 10Gi}, guaranteed: {vcore: 1, memory: 1Gi}}}' 1500; } | queues
    eventually has_queue root.large-1500
    contains "$(curl -s -D - -o /dev/null "$url/ws/v1/partition/default/queues")" '^Transfer-Encoding: chunked'
    within 120 stays_known
    etag="$(etag_of_queues)"
    pods "$SPACE" news 1 "$(in_queue root.large-0007)"
    eventually all_bound "$SPACE" 1 group=news
    run ! is_known "$etag"
    kubectl -n "$SPACE" delete pod news-0 --wait=false >/dev/null
    queues_by_label
}

@test "unknown paths and methods are refused as they always were" {
    equal "$(rest_code /ws/v1/nonsense)" 404
    equal "$(rest_code /ws/v1/partitions -X DELETE)" 405
    contains "$(curl -s -D - -o /dev/null "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/ws/v1/partitions")" \
        'Content-Type: application/json; charset=UTF-8'
}

@test "garbage on the port does no harm" {
    port="$(cat "$E2E_DIR/scheduler.port")"
    head -c 20000 /dev/urandom >"$BATS_TEST_TMPDIR/garbage"
    for _ in 1 2 3; do
        # shellcheck disable=SC2016 # for the inner shell
        timeout 5 bash -c 'cat "$1" >"/dev/tcp/127.0.0.1/$2"' - "$BATS_TEST_TMPDIR/garbage" "$port" || true
    done
    equal "$(rest /livez)" ok
}

@test "SIGTERM: a stream of events ends in order" {
    local stream="$BATS_TEST_TMPDIR/stream" reader
    curl -sN "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/ws/v1/events/stream" >"$stream" &
    reader=$!
    eventually test -s "$stream"
    scheduler_stop
    wait "$reader" || fail "the connection was cut off: curl ended with $?"
    contains "$(tail -n 1 "$stream")" "Event stream was closed by the producer"
    scheduler_start
}
