# SPDX-License-Identifier: Apache-2.0
# Pods' lives beyond the bind: gates, conflicts, resizes, ends, pods that others bound, and what users see
# about a pod that waits. There is no kubelet here: what one would write into a status, the tests write.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin lives 3
    cron_job
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" lives resize adopt
}

# A minute passes until it runs; the last test looks.
cron_job() {
    jq -n --arg namespace "$SPACE" '{apiVersion: "batch/v1", kind: "CronJob", metadata: {name: "tick", namespace: $namespace},
        spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {
            metadata: {labels: {"yunikorn.apache.org/app-id": "tick", group: "tick"}},
            spec: {schedulerName: "yunikorn", restartPolicy: "Never", containers: [{name: "main", image: "busybox:stable",
                command: ["true"], resources: {requests: {cpu: "100m", memory: "64Mi"}}}]}}}}}}' | kubectl create -f - >/dev/null
}

# status NAMESPACE POD JSON: as the kubelet writes it.
status() { kubectl -n "$1" patch pod "$2" --subresource=status --type=strategic -p "{\"status\": $3}" >/dev/null; }

# resize NAMESPACE POD CPU
resize() {
    kubectl -n "$1" patch pod "$2" --subresource=resize --type=strategic \
        -p "{\"spec\": {\"containers\": [{\"name\": \"main\", \"resources\": {\"requests\": {\"cpu\": \"$3\"}}}]}}" >/dev/null
}

# in_use NAMESPACE POD CPU: what the kubelet has granted and what the container has.
in_use() {
    status "$1" "$2" "{\"containerStatuses\": [{\"name\": \"main\", \"image\": \"busybox:stable\", \"imageID\": \"\", \"ready\": true,
        \"restartCount\": 0, \"allocatedResources\": {\"cpu\": \"$3\", \"memory\": \"64Mi\"},
        \"resources\": {\"requests\": {\"cpu\": \"$3\", \"memory\": \"64Mi\"}}}]}"
}

# only_on NODE: nothing but that node will do.
only_on() { printf '.spec.nodeSelector = {"kubernetes.io/hostname": "%s"}' "$1"; }

message_is() { [ "$(condition "$1" "$2" message)" = "$3" ]; }

message_has() { condition "$1" "$2" message | grep -Fq -- "$3"; }

# vcores NODE: what the core counts there, in thousandths.
vcores() { rest /ws/v1/partition/default/nodes | jq --arg node "$1" '.[] | select(.nodeID == $node) | .allocated.vcore // 0'; }

occupied() { rest /ws/v1/partition/default/nodes | jq --arg node "$1" '.[] | select(.nodeID == $node) | .occupied.vcore // 0'; }

@test "lives: a gated pod waits for its gates, gets one event, and is scheduled when they are gone" {
    pods "$SPACE" gated 1 '.spec.schedulingGates = [{name: "example.com/first"}, {name: "example.com/second"}]'
    eventually has_event "$SPACE" gated-0 Scheduling
    equal "$(event "$SPACE" gated-0 Scheduling)" \
        "Normal: waiting for scheduling gates: example.com/first,example.com/second"
    equal "$(condition "$SPACE" gated-0 reason)" SchedulingGated
    run ! has_application "root.$SPACE" gated
    kubectl -n "$SPACE" patch pod gated-0 --type=json -p '[{"op": "remove", "path": "/spec/schedulingGates/0"}]'
    pods "$SPACE" witness 1
    eventually is_bound "$SPACE" witness-0
    run ! is_bound "$SPACE" gated-0
    kubectl -n "$SPACE" patch pod gated-0 --type=json -p '[{"op": "remove", "path": "/spec/schedulingGates"}]'
    eventually is_bound "$SPACE" gated-0
}

@test "lives: a pod that says twice what it belongs to gets an event that says which counts" {
    pods "$SPACE" torn 1 '.metadata.labels["spark-app-selector"] = "other" | .metadata.labels.queue = "root.a" |
        .metadata.annotations["yunikorn.apache.org/queue"] = "root.b"'
    eventually is_bound "$SPACE" torn-0
    eventually has_event "$SPACE" torn-0 Scheduling
    warnings="$(event "$SPACE" torn-0 Scheduling)"
    contains "$warnings" "^Warning: Found multiple 'app-id' value in pod. \{ podName: torn-0, fianlValue: torn, ignored: \[\(Label\) spark-app-selector: other\] \}$"
    eventually equals 2 count_lines event "$SPACE" torn-0 Scheduling
    contains "$(event "$SPACE" torn-0 Scheduling)" \
        "^Warning: Found multiple 'queue' value in pod. \{ podName: torn-0, fianlValue: root.b, ignored: \[\(Label\) queue: root.a\] \}$"
}

count_lines() { "$@" | wc -l; }

@test "lives: why a pod waits is said in kube-scheduler's words, in condition and event, and again when it changes" {
    own_cluster_only
    # Nodes of other test files may be there, too: none of them has this label.
    total="$(kubectl get nodes -o name | wc -l)"
    pods "$SPACE" wants 1 '.spec.nodeSelector = {"e2e-group": "lives"} | .spec.containers[0].resources.requests.cpu = "9"'
    eventually is_unschedulable "$SPACE" wants-0
    others=$((total - 3))
    words="0/$total nodes are available: 3 Insufficient cpu."
    [ "$others" = 0 ] || words="$(printf '%s\n' "3 Insufficient cpu" "$others node(s) didn't match Pod's node affinity/selector" |
        LC_ALL=C sort | paste -sd, | sed 's/,/, /' | sed "s|^|0/$total nodes are available: |;s|$|.|")"
    eventually message_is "$SPACE" wants-0 "$words"
    equal "$(condition "$SPACE" wants-0 observedGeneration)" "$(kubectl -n "$SPACE" get pod wants-0 -o 'jsonpath={.metadata.generation}')"
    eventually has_event "$SPACE" wants-0 FailedScheduling
    equal "$(event "$SPACE" wants-0 FailedScheduling)" "Warning: $words"
    contains "$(kubectl -n "$SPACE" describe pod wants-0)" 'Warning +FailedScheduling .* yunikorn +0/.* Insufficient cpu'
    since="$(condition "$SPACE" wants-0 lastTransitionTime)"
    kubectl taint node lives-0 e2e=taint:NoSchedule
    eventually message_has "$SPACE" wants-0 "1 node(s) had untolerated taint(s)"
    equal "$(condition "$SPACE" wants-0 lastTransitionTime)" "$since"
    eventually equals 2 count_lines event "$SPACE" wants-0 FailedScheduling
    kubectl taint node lives-0 e2e-
    kubectl -n "$SPACE" delete pod wants-0 --wait=false
}

@test "lives: the condition of a pod that never preempts says that it could not" {
    jq -n '{apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: {name: "e2e-meek"}, value: 10,
        preemptionPolicy: "Never"}' | kubectl apply -f - >/dev/null
    pods "$SPACE" meek 1 "$(asking 90 64Mi) | .spec.priorityClassName = \"e2e-meek\""
    eventually message_has "$SPACE" meek-0 "no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never."
    kubectl -n "$SPACE" delete pod meek-0 --wait=false
    kubectl delete priorityclass e2e-meek --wait=false
}

@test "lives: a pod that a quota holds is skipped, and its queue is named; the namespace lifts it at once" {
    quota="$(namespace quota)"
    kubectl annotate namespace "$quota" 'yunikorn.apache.org/namespace.quota={"cpu": "100m"}' >/dev/null
    eventually kubectl get namespace "$quota" -o 'jsonpath={.metadata.annotations}' >/dev/null
    pods "$quota" first 1
    eventually is_bound "$quota" first-0
    pods "$quota" held 1
    eventually equals SchedulingSkipped condition "$quota" held-0 reason
    equal "$(condition "$quota" held-0 message)" \
        "pod is skipped from scheduling because the quota of queue 'root.$quota' has been exceeded."
    eventually has_event "$quota" held-0 PodUnschedulable
    kubectl annotate --overwrite namespace "$quota" 'yunikorn.apache.org/namespace.quota={"cpu": "1"}' >/dev/null
    eventually is_bound "$quota" held-0
}

@test "lives: a pod that runs is resized in place, and its node counts what it has and what it asks for" {
    own_cluster_only
    nodes resize 1 2
    pods "$SPACE" grows 1 "$(asking 500m 64Mi) | $(only_on resize-0)"
    eventually is_bound "$SPACE" grows-0
    eventually equals Running kubectl -n "$SPACE" get pod grows-0 -o 'jsonpath={.status.phase}'
    in_use "$SPACE" grows-0 500m # without it no client may resize the pod
    resize "$SPACE" grows-0 1500m
    eventually equals 1500 vcores resize-0
    pods "$SPACE" late 1 "$(asking 1 64Mi) | $(only_on resize-0)"
    eventually is_unschedulable "$SPACE" late-0
    # It shrinks; until the kubelet has done it, it still has what it had.
    in_use "$SPACE" grows-0 1500m
    resize "$SPACE" grows-0 200m
    pods "$SPACE" witness2 1
    eventually is_bound "$SPACE" witness2-0
    equal "$(vcores resize-0)" 1500
    in_use "$SPACE" grows-0 200m
    eventually is_bound "$SPACE" late-0
    equal "$(vcores resize-0)" 1200
    # What the kubelet calls infeasible will never be.
    resize "$SPACE" grows-0 1900m
    eventually equals 2900 vcores resize-0
    status "$SPACE" grows-0 '{"conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}]}'
    eventually equals 1200 vcores resize-0
}

@test "lives: a pod that waits is resized until it fits" {
    own_cluster_only
    pods "$SPACE" waits 1 "$(asking 90 64Mi)"
    eventually is_unschedulable "$SPACE" waits-0
    resize "$SPACE" waits-0 100m
    eventually is_bound "$SPACE" waits-0
}

@test "lives: a pod that has ended gives its room back, whatever became of it" {
    own_cluster_only
    nodes adopt 1 1
    for end in Succeeded Failed; do
        name="ends-$(tr '[:upper:]' '[:lower:]' <<<"$end")"
        pods "$SPACE" "$name" 1 "$(asking 800m 64Mi) | $(only_on adopt-0)"
        eventually is_bound "$SPACE" "$name-0"
        eventually equals 800 vcores adopt-0
        status "$SPACE" "$name-0" "{\"phase\": \"$end\"}"
        eventually equals 0 vcores adopt-0
    done
}

@test "lives: a pod that another client binds while it waits is counted where it is" {
    own_cluster_only
    pods "$SPACE" adopted 1 "$(asking 700m 64Mi) | .spec.nodeSelector = {\"nowhere\": \"\"}"
    eventually is_unschedulable "$SPACE" adopted-0
    jq -n '{apiVersion: "v1", kind: "Binding", metadata: {name: "adopted-0"}, target: {apiVersion: "v1", kind: "Node", name: "adopt-0"}}' |
        kubectl create --raw "/api/v1/namespaces/$SPACE/pods/adopted-0/binding" -f - >/dev/null
    eventually equals 700 vcores adopt-0
    has_application "root.$SPACE" adopted
    pods "$SPACE" second 1 "$(asking 500m 64Mi) | $(only_on adopt-0)"
    eventually is_unschedulable "$SPACE" second-0
    kubectl -n "$SPACE" delete pod adopted-0 --wait=false
    eventually is_bound "$SPACE" second-0
    kubectl -n "$SPACE" delete pod second-0 --wait=false
    eventually equals 0 vcores adopt-0
}

@test "lives: static pods and those of others occupy their node and belong to no application" {
    own_cluster_only
    uid="$(kubectl get node adopt-0 -o 'jsonpath={.metadata.uid}')"
    others="$(namespace_of_others others)"
    pods "$others" static 1 "$(asking 400m 64Mi) | .spec.schedulerName = \"default-scheduler\" | .spec.nodeName = \"adopt-0\" |
        .metadata.ownerReferences = [{apiVersion: \"v1\", kind: \"Node\", name: \"adopt-0\", uid: \"$uid\", controller: true}]"
    pods "$others" foreign 1 "$(asking 300m 64Mi) | .spec.schedulerName = \"default-scheduler\" | .spec.nodeName = \"adopt-0\""
    eventually equals 700 occupied adopt-0
    equal "$(vcores adopt-0)" 0
    run ! has_application "root.$others" foreign
    kubectl -n "$others" delete pod foreign-0 --wait=false
    eventually equals 400 occupied adopt-0
    status "$others" static-0 '{"phase": "Failed"}'
    eventually equals 0 occupied adopt-0
}

@test "lives: a pod that terminates is not scheduled" {
    own_cluster_only
    pods "$SPACE" going 1 "$(asking 90 64Mi) | .metadata.finalizers = [\"example.com/hold\"]"
    eventually is_unschedulable "$SPACE" going-0
    kubectl -n "$SPACE" delete pod going-0 --wait=false
    resize "$SPACE" going-0 100m || true # the API server may refuse it: then it would not fit anyway
    pods "$SPACE" witness3 1
    eventually is_bound "$SPACE" witness3-0
    run ! is_bound "$SPACE" going-0
    kubectl -n "$SPACE" patch pod going-0 --type=json -p '[{"op": "remove", "path": "/metadata/finalizers"}]'
}

@test "lives: a CronJob's pods run" {
    within 90 ran_once
}

ran_once() {
    kubectl -n "$SPACE" get pods -l group=tick -o json | jq -e 'any(.items[]; .spec.nodeName != null)' >/dev/null
}
