# SPDX-License-Identifier: Apache-2.0
# Pods of ordinary users beside the admission controller, which records their user: gangs, a restart, quotas and
# constraints.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    admission_alive || admission_start
    begin webhook 4
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    [ "$E2E_ADMISSION" = 1 ] || admission_cleanup
    finish "$SPACE" webhook
}

# users NAMESPACE USER...: they may work with pods there.
users() {
    local user
    for user in "${@:2}"; do
        kubectl -n "$1" create rolebinding "edit-$user" --clusterrole edit --user "$user" >/dev/null
    done
}

# pods_by USER NAMESPACE PREFIX COUNT [JQ]: created by that user.
pods_by() { pod_objects "${@:2}" | kubectl --as "$1" --as-group workers --as-group system:authenticated create -f - >/dev/null; }

stamp() { kubectl -n "$1" get pod "$2" -o json | jq -r '.metadata.annotations["yunikorn.apache.org/user.info"] | fromjson | .user'; }

# user_of NAMESPACE APPLICATION: whose it is, in the queue of the namespace.
user_of() {
    rest "/ws/v1/partition/default/queue/root.$1/applications" |
        jq -r --arg id "$2" '.[] | select(.applicationID == $id) | .user'
}

# Requests in a namespace that the controller has denied.
denied() { grep -h '	denied	' "$(admission_log)" | grep -F "\"namespace\": \"$1\"" || true; }

@test "webhook: it records users, and refuses others" {
    local guarded
    guarded="$(namespace guarded)"
    users "$guarded" ann
    pods_by ann "$guarded" plain 1
    equal "$(stamp "$guarded" plain-0)" ann
    equal "$(denied "$guarded")" ""
    run pods_by ann "$guarded" forged 1 '.metadata.annotations = {"yunikorn.apache.org/user.info": "{\"user\":\"root\"}"}'
    [ "$status" -ne 0 ]
    contains "$output" "user ann with groups \[workers,system:authenticated\] is not allowed to set user annotation"
    [ -n "$(denied "$guarded")" ] || fail "the log does not tell of a denial"
    run kubectl -n "$guarded" annotate --overwrite pod plain-0 'yunikorn.apache.org/user.info={"user":"root"}'
    [ "$status" -ne 0 ]
    contains "$output" "user info annotation change is not allowed"
    kubectl -n "$guarded" annotate pod plain-0 other=annotation
    eventually is_bound "$guarded" plain-0
    equal "$(user_of "$guarded" plain)" ann
}

@test "webhook: a gang comes together, and belongs to who made its pods" {
    local band
    band="$(namespace band)"
    users "$band" ann
    pods_by ann "$band" band 3 "$(in_gang "$(members 3)")"
    within 60 all_bound "$band" 3 group=band
    within 30 has_placeholders "$band" 0
    equal "$(denied "$band")" "" "placeholders and pods that the controller denied"
    equal "$(user_of "$band" band)" ann
    equal "$(rest "/ws/v1/partition/default/queue/root.$band/applications" |
        jq -c '.[] | .placeholderData[] | [.taskGroupName, .count, .replaced]')" '["workers",3,3]'
}

@test "webhook: a gang that waits survives a restart with its user" {
    local waits before
    waits="$(namespace waits)"
    users "$waits" ann
    pods_by ann "$waits" waits 2 "$(in_gang "$(members 2) + [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"},
        nodeSelector: {nowhere: \"at-all\"}}]" placeholderTimeoutInSeconds=15)"
    within 30 has_placeholders "$waits" 3
    within 30 equals 2 count_bound "$waits"
    before="$(placeholders "$waits" | sort)"
    # The controller has recorded the scheduler's account in the placeholders: that is not the application's user.
    contains "$(stamp "$waits" "$(head -n 1 <<<"$before")")" ":yunikorn-admin$"
    equal "$(user_of "$waits" waits)" ann
    scheduler_kill
    scheduler_start
    equal "$(placeholders "$waits" | sort)" "$before"
    equal "$(user_of "$waits" waits)" ann
    within 60 all_bound "$waits" 2 group=waits
    within 30 has_placeholders "$waits" 0
    equal "$(denied "$waits")" ""
    nodes_within_capacity
}

@test "webhook: limits of the users that it records hold, also after a restart" {
    local shared
    shared="$(namespace shared)"
    users "$shared" ann joe
    queues <<YAML
partitions:
  - name: default
    placementrules: [{name: tag, value: namespace, create: true}]
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: $shared
            resources: {max: {vcore: 500m}}
            limits:
              - {limit: ann, users: [ann], maxresources: {vcore: 200m}}
YAML
    eventually has_queue "root.$shared"
    pods_by ann "$shared" of-ann 4
    eventually equals 2 count_bound "$shared" group=of-ann
    pods_by joe "$shared" of-joe 4
    eventually equals 3 count_bound "$shared" group=of-joe
    scheduler_stop
    scheduler_start
    sleep 2
    equal "$(count_bound "$shared" group=of-ann)" 2
    equal "$(count_bound "$shared" group=of-joe)" 3
    equal "$(rest /ws/v1/partition/default/usage/user/ann | jq -r .queues.resourceUsage.vcore)" 200
    kubectl -n "$shared" delete pod "$(kubectl -n "$shared" get pods -l group=of-ann -o json |
        jq -r '[.items[] | select(.spec.nodeName)][0].metadata.name')" --wait=false
    eventually equals 3 count_pods "$shared" group=of-ann
    eventually equals 2 count_bound "$shared" group=of-ann
    queues_by_label
}

@test "webhook: constraints decide where its pods run" {
    local picky
    picky="$(namespace picky)"
    users "$picky" ann
    kubectl label node webhook-2 disk=ssd
    pods_by ann "$picky" chosen 2 '.spec.nodeSelector = {disk: "ssd"}'
    pods_by ann "$picky" apart 4 '.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution = [
        {topologyKey: "kubernetes.io/hostname", labelSelector: {matchLabels: {group: "apart"}}}]'
    pods_by ann "$picky" nowhere 1 '.spec.nodeSelector = {disk: "none"}'
    eventually all_bound "$picky" 2 group=chosen
    eventually all_bound "$picky" 4 group=apart
    equal "$(kubectl -n "$picky" get pods -l group=chosen -o json | jq -r '[.items[].spec.nodeName] | unique | join(" ")')" webhook-2
    equal "$(kubectl -n "$picky" get pods -l group=apart -o json | jq '[.items[].spec.nodeName] | unique | length')" 4
    eventually is_unschedulable "$picky" nowhere-0
    contains "$(condition "$picky" nowhere-0 message)" "4 node\(s\) didn't match Pod's node affinity/selector"
    equal "$(denied "$picky")" ""
}
