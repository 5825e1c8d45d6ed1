# SPDX-License-Identifier: Apache-2.0
# Queues as users meet them: the ConfigMap is edited, pods and REST follow.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin queues 3
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" queues
}

# as_user USER [GROUP...]: who submits the pod.
as_user() {
    printf '.metadata.annotations["yunikorn.apache.org/user.info"] = ({user: "%s", groups: %s} | tojson)' "$1" \
        "$(jq -cn '$ARGS.positional' --args -- "${@:2}")"
}

# labelled KEY VALUE, annotated KEY VALUE
labelled() { printf '.metadata.labels["%s"] = "%s"' "$1" "$2"; }
annotated() { printf '.metadata.annotations["%s"] = "%s"' "$1" "$2"; }

# below_root: a queues.yaml with the YAML on stdin as the root's children; $1: placement rules.
below_root() {
    local rules='[{name: provided, create: true}]'
    [ -z "${1:-}" ] || rules="$1"
    { printf 'partitions:\n- name: default\n  placementrules: %s\n  queues:\n  - name: root\n    submitacl: "*"\n    queues:\n' "$rules" &&
        sed 's/^/    /'; } | queues
}

# in_force QUEUE: waits for a queue that only the new configuration has.
in_force() { eventually has_queue "root.$1"; }

phase() { kubectl -n "$1" get pod "$2" -o 'jsonpath={.status.phase}'; }
failed_because() { kubectl -n "$1" get pod "$2" -o 'jsonpath={.status.reason}: {.status.message}'; }

# stays COUNT NAMESPACE SELECTOR: that many are bound now, while another queue's pod gets through.
stays() {
    pods "$SPACE" "beside-$BATS_TEST_NUMBER-$1" 1 "$(in_queue root.beside) | $(as_user other-user)"
    eventually is_bound "$SPACE" "beside-$BATS_TEST_NUMBER-$1-0"
    equal "$(count_bound "$2" "$3")" "$1" "bound of $3"
}

@test "a lowered maximum takes nothing away and lets nothing more in" {
    below_root <<'YAML'
- {name: lowered, resources: {max: {vcore: 300m}}}
- {name: beside}
YAML
    in_force lowered
    pods "$SPACE" low 3 "$(in_queue root.lowered)"
    eventually all_bound "$SPACE" 3 group=low
    below_root <<'YAML'
- {name: lowered, resources: {max: {vcore: 200m}}}
- {name: beside}
YAML
    eventually equals 200 queue root.lowered .maxResource.vcore
    equal "$(queue root.lowered .allocatedResource.vcore)" 300
    pods "$SPACE" late 1 "$(in_queue root.lowered)"
    stays 0 "$SPACE" group=late
    kubectl -n "$SPACE" delete pod low-0 low-1 --wait=false >/dev/null
    eventually is_bound "$SPACE" late-0
}

@test "a leaf that becomes a parent keeps serving what it had (R15)" {
    below_root <<'YAML'
- {name: grown, resources: {max: {vcore: 200m}}}
- {name: beside}
YAML
    in_force grown
    pods "$SPACE" grown 3 "$(in_queue root.grown)"
    eventually all_bound "$SPACE" 2 group=grown
    below_root <<'YAML'
- {name: grown, resources: {max: {vcore: 500m}}, queues: [{name: up}]}
- {name: beside}
YAML
    in_force grown.up
    equal "$(queue root.grown .isLeaf)" false
    eventually all_bound "$SPACE" 3 group=grown
    pods "$SPACE" up 1 "$(in_queue root.grown.up)"
    eventually is_bound "$SPACE" up-0
}

@test "a dynamic queue takes its parent's template and goes when it is empty" {
    below_root <<'YAML'
- name: dynamic
  parent: true
  childtemplate: {maxapplications: 7, resources: {max: {vcore: 200m}}, properties: {priority.offset: "3"}}
- {name: beside}
YAML
    in_force dynamic
    pods "$SPACE" unmanaged 3 "$(in_queue root.dynamic.team)"
    eventually all_bound "$SPACE" 2 group=unmanaged
    equal "$(queue root.dynamic.team .isManaged)" false
    equal "$(queue root.dynamic.team .maxRunningApps)" 7
    equal "$(queue root.dynamic.team '.properties["priority.offset"]')" 3
    kubectl -n "$SPACE" delete pods -l group=unmanaged --wait=false >/dev/null
    within 90 equals 404 rest_code /ws/v1/partition/default/queue/root.dynamic.team
}

@test "a namespace's annotations limit its queue, and new values follow" {
    below_root '[{name: tag, value: namespace, create: true, parent: {name: fixed, value: root.spaces}}]' <<'YAML'
- {name: spaces, parent: true}
YAML
    in_force spaces
    local limited
    limited="$(namespace quota)"
    kubectl annotate namespace "$limited" yunikorn.apache.org/namespace.quota='{"cpu": "200m"}' \
        yunikorn.apache.org/namespace.guaranteed='{"cpu": "100m"}' yunikorn.apache.org/namespace.maxApps=2 >/dev/null
    pods "$limited" held 3
    eventually all_bound "$limited" 2
    equal "$(queue "root.spaces.$limited" .maxResource.vcore)" 200
    equal "$(queue "root.spaces.$limited" .guaranteedResource.vcore)" 100
    equal "$(queue "root.spaces.$limited" .maxRunningApps)" 2
    kubectl annotate --overwrite namespace "$limited" yunikorn.apache.org/namespace.quota='{"cpu": "1"}' >/dev/null
    pods "$limited" second 1
    eventually all_bound "$limited" 4
}

@test "who may not submit is refused, and the pod says why" {
    below_root <<'YAML'
- {name: beside}
YAML
    queues <<'YAML'
partitions:
  - name: default
    placementrules: [{name: provided}]
    queues:
      - name: root
        queues:
          - {name: private, submitacl: "ann friends"}
          - {name: administered, adminacl: "ann"}
          - {name: beside, submitacl: "*"}
YAML
    in_force private
    pods "$SPACE" stranger 1 "$(in_queue root.private) | $(as_user joe others)"
    eventually equals Failed phase "$SPACE" stranger-0
    contains "$(failed_because "$SPACE" stranger-0)" 'ApplicationRejected.*no placement rule matched'
    pods "$SPACE" owner 1 "$(in_queue root.private) | $(as_user ann)"
    pods "$SPACE" friend 1 "$(in_queue root.private) | $(as_user joe friends)"
    pods "$SPACE" admin 1 "$(in_queue root.administered) | $(as_user ann)"
    eventually is_bound "$SPACE" owner-0
    eventually is_bound "$SPACE" friend-0
    eventually is_bound "$SPACE" admin-0
}

@test "a user's limit holds that user back and no other (L7, L12)" {
    below_root <<'YAML'
- name: shared
  limits:
    - {limit: ann, users: [ann], maxresources: {vcore: 200m}}
    - {limit: everybody else, users: ["*"], maxresources: {vcore: 100m}}
- {name: beside}
YAML
    in_force shared
    pods "$SPACE" ann 4 "$(in_queue root.shared) | $(as_user ann)"
    pods "$SPACE" joe 2 "$(in_queue root.shared) | $(as_user joe)"
    pods "$SPACE" eve 2 "$(in_queue root.shared) | $(as_user eve)"
    eventually all_bound "$SPACE" 2 group=ann
    eventually all_bound "$SPACE" 1 group=joe
    eventually all_bound "$SPACE" 1 group=eve
    stays 2 "$SPACE" group=ann
    equal "$(rest /ws/v1/partition/default/usage/user/ann |
        jq -c '.queues.children[] | select(.queuePath == "root.shared") | [.resourceUsage.vcore, .maxResources.vcore]')" '[200,200]'
    below_root <<'YAML'
- name: shared
  limits:
    - {limit: ann, users: [ann], maxresources: {vcore: 300m}}
- {name: beside}
YAML
    eventually all_bound "$SPACE" 3 group=ann
    eventually all_bound "$SPACE" 2 group=joe
    eventually all_bound "$SPACE" 2 group=eve
}

@test "a group shares its limit, and applications are counted (L8, L13)" {
    below_root <<'YAML'
- name: grouped
  limits:
    - {limit: devs, groups: [devs], maxresources: {vcore: 300m}}
    - {limit: one at a time, users: [slow], maxapplications: 1}
- {name: beside}
YAML
    in_force grouped
    pods "$SPACE" dev1 2 "$(in_queue root.grouped) | $(as_user dora devs)"
    eventually all_bound "$SPACE" 2 group=dev1
    pods "$SPACE" dev2 2 "$(in_queue root.grouped) | $(as_user dean devs)"
    eventually all_bound "$SPACE" 1 group=dev2
    stays 1 "$SPACE" group=dev2
    equal "$(rest /ws/v1/partition/default/usage/group/devs | jq -c '.applications | sort')" '["dev1","dev2"]'
    pods "$SPACE" first 1 "$(in_queue root.grouped) | $(as_user slow)"
    eventually is_bound "$SPACE" first-0
    pods "$SPACE" next 1 "$(in_queue root.grouped) | $(as_user slow)"
    sleep 1
    equal "$(count_bound "$SPACE" group=next)" 0
    kubectl -n "$SPACE" delete pod first-0 --wait=false >/dev/null
    within 60 is_bound "$SPACE" next-0 # an application ends 30 s after its last pod
}

@test "each placement rule sends a pod where it says" {
    below_root '
    - {name: tag, value: namespace, create: true, parent: {name: fixed, value: root.spaces}, filter: {type: allow, users: [spacer]}}
    - {name: user, create: true, parent: {name: primarygroup, create: true}, filter: {groups: ["^prim.*"]}}
    - {name: user, create: true, parent: {name: secondarygroup, create: true}, filter: {groups: [second, third]}}
    - {name: applicationtype, create: true, filter: {users: [typed]}}
    - {name: provided, create: true}
    - {name: fixed, value: root.rest, create: true}' <<'YAML'
- {name: spaces, parent: true}
YAML
    in_force spaces
    pods "$SPACE" by-tag 1 "$(as_user spacer)"
    pods "$SPACE" by-primary 1 "$(as_user pat primary second)"
    pods "$SPACE" by-second 1 "$(as_user sam first second)"
    pods "$SPACE" by-type 1 "$(as_user typed) | $(labelled yunikorn.apache.org/app-type flink)"
    pods "$SPACE" by-spark 1 "$(as_user typed) | $(labelled spark-app-selector spark-1)"
    pods "$SPACE" by-label 1 "$(as_user any) | $(in_queue root.mine.deep)"
    pods "$SPACE" by-annotation 1 "$(as_user any) | $(annotated yunikorn.apache.org/queue team.a)"
    pods "$SPACE" by-nothing 1 "$(as_user any)"
    eventually has_application "root.spaces.$SPACE" by-tag
    eventually has_application root.primary.pat by-primary
    eventually has_application root.second.sam by-second
    eventually has_application root.flink by-type
    eventually has_application root.spark by-spark
    eventually has_application root.mine.deep by-label
    eventually has_application root.team_dot_a by-annotation
    eventually has_application root.rest by-nothing
    equal "$(rest /ws/v1/partition/default/placementrules | jq -c '[.[].name]')" \
        '["tag","user","user","applicationtype","provided","fixed","recovery"]'
}

@test "stateaware: one application of a queue starts at a time (O7)" {
    below_root <<'YAML'
- {name: aware, properties: {application.sort.policy: stateaware}}
- {name: beside}
YAML
    in_force aware
    pods "$SPACE" aware1 1 "$(in_queue root.aware)"
    eventually is_bound "$SPACE" aware1-0
    equal "$(rest /ws/v1/partition/default/application/aware1 | jq -r .applicationState)" Starting
    pods "$SPACE" aware2 1 "$(in_queue root.aware)"
    stays 0 "$SPACE" group=aware2
    # A second pod, and the first application is running: the next one may start.
    pods "$SPACE" aware1b 1 "$(in_queue root.aware) | .metadata.labels[\"yunikorn.apache.org/app-id\"] = \"aware1\""
    eventually is_bound "$SPACE" aware2-0
    equal "$(rest /ws/v1/partition/default/application/aware1 | jq -r .applicationState)" Running
    equal "$(queue root.aware .sortingPolicy)" stateaware
}

@test "invalid edits are refused whole, whatever is wrong with them" {
    below_root <<'YAML'
- {name: sound}
YAML
    in_force sound
    local broken
    for broken in '{name: x, maxapplications: -1}' '{name: x, resources: {max: {vcore: 10x}}}' \
        '{name: x, submitacl: "a b c"}' '{name: x, limits: [{limit: none}]}' \
        '{name: x, resources: {guaranteed: {vcore: 2}, max: {vcore: 1}}}' '{name: x, colour: red}'; do
        unreviewed below_root <<<"- $broken"
        equal "$(curl -s --data-binary @- "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/ws/v1/validate-conf" \
            <<<"partitions: [{name: default, queues: [{name: root, queues: [$broken]}]}]" | jq .allowed)" false "$broken"
    done
    below_root <<<'- {name: sound, properties: {marker: "1"}}'
    eventually equals 1 queue root.sound '.properties.marker'
    lacks_queue root.x
}
