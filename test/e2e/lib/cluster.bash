# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Namespaces, nodes, pods and queues of a test.

# --- namespaces --------------------------------------------------------------------------------

# namespace NAME: creates one of our own, usable for pods when this returns; prints its full name.
# It lives as long as the test, or as the file when its setup_file made it.
namespace() {
    local name="$E2E_SYSTEM-$1"
    [ -z "${BATS_TEST_TMPDIR:-}" ] || echo "$name" >>"$BATS_TEST_TMPDIR/namespaces"
    namespace_named "$name"
    echo "$name"
}

namespace_named() {
    jq -n --arg name "$1" --arg id "$E2E_ID" '{apiVersion: "v1", kind: "Namespace",
        metadata: {name: $name, labels: {"yunikorn-e2e": $id}}}' | kubectl create -f - >/dev/null
    eventually kubectl -n "$1" get serviceaccount default >/dev/null
}

# namespace_of_others NAME: one whose pods keep their scheduler: the admission controller leaves them alone.
namespace_of_others() {
    local name
    name="$(namespace "$1")"
    kubectl annotate namespace "$name" yunikorn.apache.org/namespace.enableYuniKorn=false >/dev/null
    eventually equals another-scheduler kubectl -n "$name" create --dry-run=server -o 'jsonpath={.spec.schedulerName}' -f "$E2E_LIB/../data/others.yaml"
    echo "$name"
}

# Pods go at once (they have no grace period), the rest of the namespace in its own time.
namespace_delete() {
    kubectl -n "$1" delete jobs,deployments --all --wait=false >/dev/null 2>&1 || true
    kubectl -n "$1" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    kubectl delete namespace "$1" --wait=false >/dev/null 2>&1 || true
}

# --- nodes -------------------------------------------------------------------------------------

# nodes PREFIX COUNT [CPU] [MEMORY] [JQ]: nodes PREFIX-0 ... that become Ready; JQ may change them.
nodes() {
    jq -cn --arg prefix "$1" --argjson count "$2" --arg cpu "${3:-8}" --arg memory "${4:-32Gi}" '
        range($count) | "\($prefix)-\(.)" as $name | {cpu: $cpu, memory: $memory, pods: "110"} as $has | {
            apiVersion: "v1", kind: "Node",
            metadata: {name: $name, labels: {"kubernetes.io/hostname": $name, "e2e-group": $prefix}},
            status: {capacity: $has, allocatable: $has}} | '"${5:-.}" | cp_create /api/v1/nodes
    within 60 equals "$2" count_ready "$1"
}

# Ready and without the taint that a new node carries until the controllers have seen it.
count_ready() {
    kubectl get nodes -l "e2e-group=$1" -o json | jq '[.items[] | select(
        (any(.status.conditions[]?; .type == "Ready" and .status == "True")) and
        (any(.spec.taints[]?; .key == "node.kubernetes.io/not-ready") | not))] | length'
}

nodes_delete() { kubectl delete nodes -l "e2e-group=$1" --wait=false >/dev/null 2>&1 || true; }

# --- pods --------------------------------------------------------------------------------------

# pod_objects NAMESPACE PREFIX COUNT [JQ]: pods PREFIX-0 ... of application PREFIX, each 100m and 64Mi, as JSON
# texts; JQ may change them.
pod_objects() {
    jq -cn --arg namespace "$1" --arg prefix "$2" --argjson count "$3" 'range($count) | {
        apiVersion: "v1", kind: "Pod",
        metadata: {name: "\($prefix)-\(.)", namespace: $namespace, labels: {
            "yunikorn.apache.org/app-id": $prefix, group: $prefix}},
        spec: {schedulerName: "yunikorn", terminationGracePeriodSeconds: 0,
            containers: [{name: "main", image: "busybox:stable", command: ["sleep", "3600"],
                resources: {requests: {cpu: "100m", memory: "64Mi"}}}]}} | '"${4:-.}"
}

# pods NAMESPACE PREFIX COUNT [JQ]: creates them.
pods() { pod_objects "$@" | cp_create "/api/v1/namespaces/$1/pods"; }

# Short forms of the changes that tests make.
in_queue() { printf '.metadata.labels["yunikorn.apache.org/queue"] = "%s"' "$1"; }
asking() { printf '.spec.containers[0].resources.requests = {cpu: "%s", memory: "%s"}' "$1" "$2"; }

pod() { kubectl -n "$1" get pod "$2" -o json; }

node_of() { kubectl -n "$1" get pod "$2" -o 'jsonpath={.spec.nodeName}'; }

is_bound() { [ -n "$(node_of "$1" "$2")" ]; }

# is_on NAMESPACE POD NODE
is_on() { [ "$(node_of "$1" "$2")" = "$3" ]; }

count_pods() { kubectl -n "$1" get pods -o name ${2:+-l "$2"} | wc -l; }

# count_bound NAMESPACE [SELECTOR]
count_bound() {
    kubectl -n "$1" get pods ${2:+-l "$2"} -o 'jsonpath={range .items[*]}{.spec.nodeName}{"\n"}{end}' | grep -c . || true
}

# all_bound NAMESPACE COUNT [SELECTOR]
all_bound() { [ "$(count_bound "$1" "${3:-}")" -eq "$2" ]; }

# The tokens of reasons (docs/reasons.md).
REASON_TOKENS='Rejected|Gated|QueueStopped|QueueMaxApplications|UserMaxApplications|GroupMaxApplications|ExceedsMaxCapacity'
REASON_TOKENS+='|QueueQuota|UserQuota|GroupQuota|GangWaiting|Backoff|InsufficientNodeResources|PredicatesFailed|VolumeBinding'
REASON_TOKENS+='|PreemptionInProgress|Reserved|NotYetAttempted'

# condition NAMESPACE POD FIELD: a field of the pod's PodScheduled condition.
condition() {
    kubectl -n "$1" get pod "$2" -o json |
        jq -r --arg field "$3" '.status.conditions[]? | select(.type == "PodScheduled") | .[$field] // ""' | known_words
}

# Messages without the reason at their end (docs/reasons.md): the words of kube-scheduler and YuniKorn 1.9.
known_words() { sed -E "s/ ($REASON_TOKENS): .*$//"; }

# is_unschedulable NAMESPACE POD: the answer autoscalers wait for.
is_unschedulable() { [ "$(condition "$1" "$2" status)/$(condition "$1" "$2" reason)" = False/Unschedulable ]; }

# event NAMESPACE OBJECT REASON: the notes of the events about an object, in both event APIs' form.
event() {
    kubectl -n "$1" get events.events.k8s.io -o json | jq -r --arg object "$2" --arg reason "$3" '
        .items[] | select(.regarding.name == $object and .reason == $reason) | "\(.type): \(.note)"' | known_words
}

has_event() { [ -n "$(event "$@")" ]; }

# --- gangs -------------------------------------------------------------------------------------

# in_gang GROUPS [POLICY]: members of the first of the task groups GROUPS (JQ), each one core.
in_gang() {
    local groups
    groups="$(jq -cn "$1")"
    printf '.metadata.annotations = {
        "yunikorn.apache.org/task-group-name": (%s | .[0].name),
        "yunikorn.apache.org/task-groups": (%s | tojson),
        "yunikorn.apache.org/schedulingPolicyParameters": "%s"} | %s' "$groups" "$groups" "${2:-}" "$(asking 1 64Mi)"
}

# gang NAMESPACE PREFIX COUNT GROUPS [POLICY] [JQ]: creates pods of a gang.
gang() { pods "$1" "$2" "$3" "$(in_gang "$4" "${5:-}") | ${6:-.}"; }

# One group of COUNT members that ask for what the pods of gang() ask for; JQ may change it.
members() { echo "[{name: \"workers\", minMember: $1, minResource: {cpu: \"1\", memory: \"64Mi\"}} | ${2:-.}]"; }

# Names of the placeholders in a namespace.
placeholders() {
    kubectl -n "$1" get pods -o json | jq -r '.items[] |
        select(.metadata.annotations["internal.yunikorn.apache.org/placeholder"] == "true") | .metadata.name'
}

count_placeholders() { placeholders "$1" | grep -c . || true; }

# has_placeholders NAMESPACE COUNT
has_placeholders() { [ "$(count_placeholders "$1")" -eq "$2" ]; }

# --- queues ------------------------------------------------------------------------------------

# queues: takes the queues.yaml on stdin and puts it into the ConfigMap.
queues() {
    jq -Rs --arg namespace "$E2E_SYSTEM" '{apiVersion: "v1", kind: "ConfigMap",
        metadata: {name: "yunikorn-configs", namespace: $namespace}, data: {"queues.yaml": .}}' |
        kubectl apply -f - >/dev/null
}

# The configuration most tests need: a pod's queue is what its label says, else its namespace.
queues_by_label() {
    queues <<'YAML'
partitions:
  - name: default
    placementrules:
      - name: provided
        create: true
      - name: tag
        value: namespace
        create: true
    queues:
      - name: root
        submitacl: "*"
YAML
}
