# SPDX-License-Identifier: Apache-2.0
# What the web UI of Apache YuniKorn asks for, as its web server passes it on, and the keys and types that its views read.
# The UI itself does not run here, because neither its image nor its source is in the repository. It was run once: docs/page.md.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin original-ui 2
    # One that runs, and one that waits for more than a node has.
    pods "$SPACE" ui-runs 3 "$(in_queue root.ui.runs)"
    eventually all_bound "$SPACE" 3
    pods "$SPACE" ui-waits 1 "$(in_queue root.ui.waits) | $(asking 100 1Gi)"
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" original-ui
}

# seen PATH CHECK: the answer through a reverse proxy, which keeps the host of the browser, satisfies the jq program.
seen() {
    local answer
    answer="$(rest "$1" -H 'Host: ui.example:9889' -H 'X-Forwarded-For: 192.0.2.1' -H 'Accept: application/json, text/plain, */*' \
        -H 'Accept-Encoding: identity' -H 'Cache-Control: no-cache')"
    jq -e "def amounts: type == \"object\" and all(.[]; type == \"number\"); def maybe(check): . == null or check;
        def texts: type == \"object\" and all(.[]; type == \"string\");
        def pod: (.allocationKey, .applicationId, .nodeId | type == \"string\") and (.resource | amounts) and
            (.priority | type == \"string\") and (.allocationTags | texts and has(\"kubernetes.io/meta/namespace\") and
            has(\"kubernetes.io/meta/podName\")); $2" <<<"$answer" >/dev/null || fail "$1: $2: ${answer:0:2000}"
}

@test "original ui: dashboard" {
    seen /ws/v1/clusters 'length > 0 and (.[0] | (.clusterName, .partition | type == "string") and (.startTime | type == "number") and
        (.rmBuildInformation | type == "array" and length > 0 and all(.[]; texts)))'
    # A key that is missing here ends the view: `list[0].applications.total`.
    seen /ws/v1/partitions 'length > 0 and all(.[]; (.name, .state, .clusterId | type == "string") and
        (.lastStateTransitionTime, .totalNodes, .totalContainers, .applications.total | type == "number") and
        (.applications | amounts) and (.nodeSortingPolicy.type | type == "string") and (.nodeSortingPolicy.resourceWeights | amounts) and
        (.capacity.capacity, .capacity.usedCapacity | amounts))'
    seen /ws/v1/partitions '.[0] | .applications.Running >= 1 and .totalContainers >= 3'
    for list in apps/totalApplications containers/totalContainers; do
        seen "/ws/v1/history/${list%/*}" "type == \"array\" and all(.[]; (.timestamp | type == \"number\") and
            (.${list#*/} | tonumber | type == \"number\"))"
    done
}

@test "original ui: health checks" {
    seen /ws/v1/scheduler/healthcheck '(.Healthy | type == "boolean") and (.HealthChecks | length > 0 and all(.[];
        (.Name, .Description, .DiagnosisMessage | type == "string") and (.Succeeded | type == "boolean")))'
}

@test "original ui: queues" {
    seen /ws/v1/partition/default/queues 'def queue: (.queuename, .status | type == "string") and (.isLeaf, .isManaged | type == "boolean") and
        (.maxResource, .guaranteedResource, .allocatedResource, .pendingResource, .absUsedCapacity | maybe(amounts)) and
        (.properties | maybe(texts)) and (.template | maybe(type == "object")) and
        (.children | maybe(type == "array" and all(.[]; queue))); queue and .queuename == "root" and .partition == "default"'
    seen /ws/v1/partition/default/queues '[.. | objects | select(.queuename == "root.ui.runs")][0] |
        .isLeaf and .allocatedResource.vcore == 300 and .allocatedResource.memory > 0'
}

@test "original ui: applications of a queue, with their pods" {
    # The name of the queue is sent as it is.
    seen /ws/v1/partition/default/queue/root.ui.runs/applications 'length == 1 and (.[0] |
        (.applicationID, .partition, .queueName, .applicationState | type == "string") and
        (.submissionTime | type == "number") and (.finishedTime | maybe(type == "number")) and
        (.usedResource | amounts) and (.pendingResource, .maxUsedResource | maybe(amounts)) and
        (.allocations | length == 3 and all(.[]; pod)))'
    # The time of the last change of the state is the latest one in the log. Without a log, the UI shows 1970.
    seen /ws/v1/partition/default/queue/root.ui.runs/applications '.[0].stateLog | length > 0 and all(.[]; .time > 1e18)'
    seen /ws/v1/partition/default/queue/root.ui.waits/applications '.[0] | .pendingResource.vcore == 100000 and (.stateLog | length > 0)'
    # A queue without applications is an empty list, or null: both show an empty table.
    seen /ws/v1/partition/default/queue/root.ui/applications 'maybe(length == 0)'
}

@test "original ui: nodes, with their pods and their utilisation" {
    seen /ws/v1/partition/default/nodes 'length > 0 and all(.[]; (.nodeID | type == "string") and
        (.hostName, .rackName, .partition | maybe(type == "string")) and (.attributes | texts) and
        (.capacity, .allocated, .available | amounts) and (.occupied, .utilized | maybe(amounts)) and
        (.allocations | maybe(type == "array" and all(.[]; pod))) and
        (.foreignAllocations | maybe(type == "array" and all(.[]; .applicationId = "" | pod))))'
    seen /ws/v1/partition/default/nodes '[.[].allocations[]? | select(.applicationId == "ui-runs")] | length == 3'
    # The UI adds up `numOfNodes` and draws ten bars.
    seen /ws/v1/scheduler/node-utilizations 'type == "array" and length > 0 and all(.[]; (.partition | type == "string") and
        (.utilizations | length > 0 and all(.[]; (.type | type == "string") and (.utilization | length == 10 and all(.[];
            (.bucketName | type == "string") and (.numOfNodes | maybe(type == "number")) and (.nodeNames | maybe(type == "array")))))))'
}

@test "original ui: error view" {
    local answer
    answer="$(curl -s --max-time 10 "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/ws/v1/partition/default/queue/root.none/applications")"
    jq -e '.StatusCode == 404 and (.Message, .Description | type == "string" and length > 0)' <<<"$answer" >/dev/null || fail "$answer"
}
