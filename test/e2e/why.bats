# SPDX-License-Identifier: Apache-2.0
# Why a pod waits: ten obstacles, each with the same reason in the pod's condition, its Event and in REST (docs/reasons.md).

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    own_cluster_only
    begin why 2
    queues <<'YAML'
partitions:
  - name: default
    placementrules:
      - {name: provided}
      - {name: fixed, value: root.free}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: free}
          - {name: full, resources: {max: {vcore: 1}}}
          - {name: few, maxapplications: 1}
          - {name: single, properties: {application.sort.policy: stateaware}}
          - {name: pauses, properties: {application.unschedasks.backoff: "1", application.unschedasks.backoff.delay: 10m}}
          - name: people
            limits:
              - {limit: "", users: ["joe"], maxresources: {vcore: 1}}
              - {limit: "", users: ["sue"], maxapplications: 1}
          - {name: whole, properties: {gang.placement: whole}}
YAML
    eventually has_queue root.whole
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" why
}

# here JQ: on the nodes of this file only.
here() { printf '.spec.nodeSelector = {"e2e-group": "why"} | %s' "$1"; }

as_user() { printf '.metadata.annotations["yunikorn.apache.org/user.info"] = "{\\"user\\":\\"%s\\",\\"groups\\":[]}"' "$1"; }

# token POD: the one in the condition.
token() {
    kubectl -n "$SPACE" get pod "$1" -o json | jq -r '.status.conditions[]? | select(.type == "PodScheduled") | .message // ""' |
        grep -oE "($REASON_TOKENS): " | head -n 1 | tr -d ': '
}

has_token() { [ "$(token "$1")" = "$2" ]; }

event_has_token() {
    kubectl -n "$SPACE" get events.events.k8s.io -o json |
        jq -r --arg pod "$1" '.items[] | select(.regarding.name == $pod) | .note' | grep -q " $2: "
}

explained() { rest "/ws/v1/partition/default/application/$1/allocation/$SPACE%2F$2/explain"; }

# waits_for APPLICATION POD TOKEN SENTENCE: the same everywhere.
waits_for() {
    eventually has_token "$2" "$3" || fail "$2: $(kubectl -n "$SPACE" get pod "$2" -o 'jsonpath={.status.conditions}')"
    eventually event_has_token "$2" "$3"
    equal "$(explained "$1" "$2" | jq -r .reason)" "$3"
    contains "$(explained "$1" "$2" | jq -r .message)" "$4"
    equal "$(explained "$1" "$2" | jq -r .podName)" "$2"
    [ -z "${WHY_TRANSCRIPT:-}" ] || transcript "$1" "$2" "$3" >>"$WHY_TRANSCRIPT"
}

# For the pages: what people see.
transcript() {
    printf '\n### %s\n' "$3"
    kubectl -n "$SPACE" describe pod "$2" | sed -n '/^Events:/,$p'
    kubectl -n "$SPACE" get pod "$2" -o 'jsonpath={.status.conditions[?(@.type=="PodScheduled")]}'
    echo
    explained "$1" "$2" | jq -c .
}

@test "why: a full queue" {
    pods "$SPACE" fullq 1 "$(here "$(in_queue root.full)") | $(asking 800m 64Mi)"
    eventually is_bound "$SPACE" fullq-0
    pods "$SPACE" next 1 "$(here "$(in_queue root.full)") | $(asking 500m 64Mi)"
    waits_for next next-0 QueueQuota 'needs 0.5 cores, queue root.full has 0.2 of 1 core free'
    equal "$(rest /ws/v1/partition/default/queue/root.full/pending | jq -c '[.total, .reasons.QueueQuota, .pending[0].podName]')" \
        '[1,1,"next-0"]'
}

@test "why: more than a queue may have" {
    pods "$SPACE" huge 1 "$(here "$(in_queue root.full)") | $(asking 2 64Mi)"
    waits_for huge huge-0 ExceedsMaxCapacity 'needs 2 cores, queue root.full may have 1 core in all'
}

@test "why: a queue runs as many applications as it may" {
    pods "$SPACE" one 1 "$(here "$(in_queue root.few)")"
    eventually is_bound "$SPACE" one-0
    pods "$SPACE" two 1 "$(here "$(in_queue root.few)")"
    waits_for two two-0 QueueMaxApplications 'queue root.few runs 1 of at most 1 applications'
}

@test "why: limits of users" {
    pods "$SPACE" joes 1 "$(here "$(in_queue root.people)") | $(as_user joe) | $(asking 800m 64Mi)"
    eventually is_bound "$SPACE" joes-0
    pods "$SPACE" joes2 1 "$(here "$(in_queue root.people)") | $(as_user joe) | $(asking 500m 64Mi)"
    waits_for joes2 joes2-0 UserQuota 'needs 0.5 cores, user joe has 0.2 of 1 core free in queue root.people'
    pods "$SPACE" sues 1 "$(here "$(in_queue root.people)") | $(as_user sue)"
    eventually is_bound "$SPACE" sues-0
    pods "$SPACE" sues2 1 "$(here "$(in_queue root.people)") | $(as_user sue)"
    waits_for sues2 sues2-0 UserMaxApplications 'user sue runs 1 of at most 1 applications in queue root.people'
}

@test "why: nodes are too small, or not allowed" {
    pods "$SPACE" large 1 "$(here "$(in_queue root.free)") | $(asking 90 64Mi)"
    waits_for large large-0 InsufficientNodeResources 'needs 90 cores; the largest of 2 nodes'
    pods "$SPACE" elsewhere 1 "$(in_queue root.free) | .spec.nodeSelector = {\"e2e-group\": \"nowhere\"}"
    waits_for elsewhere elsewhere-0 PredicatesFailed 'none of [0-9]+ nodes satisfies its constraints'
}

@test "why: a volume that is not there" {
    pods "$SPACE" stores 1 "$(here "$(in_queue root.free)") |
        .spec.volumes = [{name: \"data\", persistentVolumeClaim: {claimName: \"missing\"}}]"
    waits_for stores stores-0 VolumeBinding 'a claim or a volume that it needs is missing or not bound'
}

@test "why: an application that pauses" {
    pods "$SPACE" tries 1 "$(here "$(in_queue root.pauses)") | $(asking 80 64Mi)"
    waits_for tries tries-0 Backoff 'application tries pauses until .* 1 of its pods found no node'
}

# shape: of the members of the gangs below.
shape() { members 2 '.minResource = {cpu: "6", memory: "64Mi"} | .nodeSelector = {"e2e-group": "why"}'; }

first_placeholder() { placeholders "$SPACE" late | head -n 1; }

@test "why: a gang that starts whole, and an application whose turn has not come" {
    gang "$SPACE" crew 2 "$(shape)" '' "$(here "$(in_queue root.free)") | $(asking 6 64Mi)"
    within 60 all_bound "$SPACE" 2 group=crew
    gang "$SPACE" late 2 "$(shape)" '' "$(here "$(in_queue root.whole)") | $(asking 6 64Mi)"
    eventually has_placeholders "$SPACE" 2
    waits_for late "$(first_placeholder)" GangWaiting 'starts only together with its gang'
    pods "$SPACE" starts 1 "$(here "$(in_queue root.single)")"
    eventually is_bound "$SPACE" starts-0
    pods "$SPACE" queued 1 "$(here "$(in_queue root.single)")"
    waits_for queued queued-0 QueueMaxApplications 'queue root.single starts one application at a time'
}
