# SPDX-License-Identifier: Apache-2.0
# Gangs: placeholders hold the room until all of them have it, real pods take their places, and whatever
# happens nothing is left behind (S14 to S16).

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin gang 4
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" gang
}

# gang_event NAMESPACE PREFIX ACTION: the notes of the gang's events. Most are about the pod that was seen first,
# whichever of PREFIX-0 ... that is.
gang_event() {
    kubectl -n "$1" get events.events.k8s.io -o json | jq -r --arg prefix "$2-" --arg action "$3" '.items[] |
        select((.regarding.name | startswith($prefix)) and .reason == "GangScheduling" and .action == $action) |
        "\(.type): \(.note)"'
}

has_gang_event() { [ -n "$(gang_event "$@")" ]; }

@test "a gang that comes together is replaced by its pods" {
    gang "$SPACE" drill 3 "$(members 3)"
    within 60 all_bound "$SPACE" 3 group=drill
    within 60 has_placeholders "$SPACE" 0
    eventually has_gang_event "$SPACE" drill GangReservationComplete
    eventually has_gang_event "$SPACE" drill CreatingPlaceholders
    has_gang_event "$SPACE" drill TaskGroupMatch
    bound_once "$SPACE" 3
    equal "$(rest /ws/v1/partition/default/queue/root."$SPACE"/applications |
        jq -c '.[] | select(.applicationID == "drill") | .placeholderData[] | [.taskGroupName, .count, .replaced]')" \
        '["workers",3,3]'
}

@test "placeholders look as they should" {
    local look
    look="$(namespace look)"
    # The second group fits nowhere, so that the first one's placeholders stay for a while.
    gang "$look" look 1 "$(members 1 '.labels = {color: "blue"} | .tolerations = [{key: "a", operator: "Exists"}]') +
        [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"}, nodeSelector: {nowhere: \"at-all\"}}]"
    within 30 has_placeholders "$look" 2
    kubectl -n "$look" get pods -o json | jq -e --arg uid "$(pod "$look" look-0 | jq -r .metadata.uid)" '
        .items | map(select(.metadata.annotations["yunikorn.apache.org/task-group-name"] == "workers" and
            .metadata.annotations["internal.yunikorn.apache.org/placeholder"])) | .[0] |
        (.metadata.name | test("^tg-look-workers-[a-z0-9]{10}$")) and
        .metadata.labels.color == "blue" and .metadata.labels["yunikorn.apache.org/app-id"] == "look" and
        .metadata.ownerReferences == [{apiVersion: "v1", kind: "Pod", name: "look-0", uid: $uid,
            controller: false, blockOwnerDeletion: true}] and
        (.spec.tolerations | any(.key == "a")) and .spec.restartPolicy == "Never" and
        .spec.terminationGracePeriodSeconds == 0 and .spec.automountServiceAccountToken == false and
        .spec.containers[0].resources.limits == {cpu: "1", memory: "64Mi"} and
        .spec.securityContext.runAsNonRoot and
        .spec.containers[0].securityContext.capabilities.drop == ["ALL"]' >/dev/null ||
        fail "the placeholder looks otherwise: $(kubectl -n "$look" get pods -o json)"
    # No pod is left that could use them.
    kubectl -n "$look" delete pod look-0 --wait=false
    within 30 has_placeholders "$look" 0
}

@test "Soft: a gang that does not come together runs without placeholders" {
    local soft
    soft="$(namespace soft)"
    gang "$soft" soft 2 "$(members 2) + [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"},
        nodeSelector: {nowhere: \"at-all\"}}]" 'placeholderTimeoutInSeconds=5 gangSchedulingStyle=Soft'
    within 30 has_placeholders "$soft" 3
    equal "$(count_bound "$soft" group=soft)" 0 "real pods wait"
    within 60 all_bound "$soft" 2 group=soft
    within 30 has_placeholders "$soft" 0
    eventually has_gang_event "$soft" soft GangSchedulingFailed
    has_gang_event "$soft" soft PlaceholderTimeOut
}

@test "Hard: a gang that does not come together fails" {
    local hard
    hard="$(namespace hard)"
    gang "$hard" hard 2 "$(members 2) + [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"},
        nodeSelector: {nowhere: \"at-all\"}}]" 'placeholderTimeoutInSeconds=5 gangSchedulingStyle=Hard'
    within 60 equals 2 failed_of_time "$hard"
    within 30 has_placeholders "$hard" 0
    eventually has_event "$hard" hard-0 ApplicationFailed
}

failed_of_time() {
    kubectl -n "$1" get pods -o json | jq '[.items[] | select(.status.phase == "Failed" and
        .status.reason == "ResourceReservationTimeout" and
        .status.message == "Scheduling has timed out due to insufficient resources")] | length'
}

@test "task groups that are not valid: an event says why, and the pods run" {
    gang "$SPACE" wrong 1 "$(members 1 '.minMember = -1')"
    eventually is_bound "$SPACE" wrong-0
    eventually has_gang_event "$SPACE" wrong TaskGroupsError
    contains "$(gang_event "$SPACE" wrong TaskGroupsError)" "Warning: unable to get taskGroups for pod, reason: .*minMember"
}

@test "placeholders that the API server refuses: the pods run without" {
    gang "$SPACE" refused 2 "$(members 2 '.minResource = {cpu: "1", "not a name": "1"}')"
    within 60 all_bound "$SPACE" 2 group=refused
    eventually has_gang_event "$SPACE" refused PlaceholderCreateFailed
    equal "$(count_placeholders "$SPACE")" 0
}

# Every line of the audit log is one attempt to bind.
attempts() { wc -l <"$CP_DIR/log/audit.log"; }

# Kills it while placeholders are made and bound and replaced, each time a little later.
@test "killed in the middle of gangs, the next one goes on where it was" {
    local torn round goal deadline
    torn="$(namespace torn)"
    for round in 1 2 3 4 5; do
        goal=$(($(attempts) + 7 * round)) deadline=$(($(now) + 30))
        gang "$torn" "torn-$round" 20 "$(members 20 '.minResource.cpu = "100m"')" '' "$(asking 100m 64Mi)" &
        until [ "$(attempts)" -ge "$goal" ]; do
            [ "$(now)" -lt "$deadline" ] || fail "it binds nothing"
        done
        scheduler_kill
        wait $!
        [ "$(count_placeholders "$torn")" -le $((20 * round)) ] || fail "more placeholders than members"
        scheduler_start
    done
    within 90 all_bound "$torn" 100 "group in (torn-1, torn-2, torn-3, torn-4, torn-5)"
    within 60 has_placeholders "$torn" 0
    [ -z "$(accepted_bindings "$torn" | awk '$1 != 1')" ] || fail "bound more than once"
}

@test "killed while a gang waits: its placeholders are used, and the time-out still holds" {
    local waits before
    waits="$(namespace waits)"
    gang "$waits" waits 2 "$(members 2) + [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"},
        nodeSelector: {nowhere: \"at-all\"}}]" 'placeholderTimeoutInSeconds=15'
    within 30 has_placeholders "$waits" 3
    within 30 equals 2 count_bound "$waits"
    before="$(placeholders "$waits" | sort)"
    scheduler_kill
    scheduler_start
    equal "$(placeholders "$waits" | sort)" "$before"
    within 60 all_bound "$waits" 2 group=waits
    within 30 has_placeholders "$waits" 0
}

@test "placeholders whose application has gone while no scheduler ran are deleted" {
    local gone
    gone="$(namespace gone)"
    gang "$gone" gone 2 "$(members 2) + [{name: \"far\", minMember: 1, minResource: {cpu: \"1\"},
        nodeSelector: {nowhere: \"at-all\"}}]"
    within 30 has_placeholders "$gone" 3
    scheduler_kill
    # Without its owner the garbage collector would be faster than the scheduler.
    for name in $(placeholders "$gone"); do
        kubectl -n "$gone" patch pod "$name" --type=json -p '[{"op": "remove", "path": "/metadata/ownerReferences"}]' >/dev/null
    done
    kubectl -n "$gone" delete pods -l group=gone --force --grace-period=0 >/dev/null 2>&1
    has_placeholders "$gone" 3 || fail "the placeholders are gone already"
    scheduler_start
    within 30 has_placeholders "$gone" 0
}

@test "gang: the Job of the README works when it is pasted" {
    readme="$(namespace readme)"
    # The block that has a Job in it.
    awk '/^```yaml$/ { text = ""; next }
        /^```$/ { if (text ~ /kind: Job/) printf "%s", text; text = ""; next } { text = text $0 "\n" }' "$REPO/README.md" >"$BATS_TEST_TMPDIR/job.yaml"
    kubectl -n "$readme" apply -f "$BATS_TEST_TMPDIR/job.yaml"
    running() { kubectl -n "$readme" get pods -l job-name=train -o json | jq '[.items[] | select(.spec.nodeName)] | length'; }
    within 60 equals 4 running
    eventually equals 0 count_placeholders "$readme"
}
