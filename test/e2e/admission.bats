# SPDX-License-Identifier: Apache-2.0
# The admission controller on a real API server: what it writes into pods, what it refuses, and what happens to pods
# while its certificates change and while it is away.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    admission_away
    admission_start
}

setup() {
    own_cluster_only
    admission_alive || admission_start
}

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl delete mutatingwebhookconfiguration zz-yunikorn-e2e-again --ignore-not-found >/dev/null
    admission_cleanup
    admission_back
}

user_info() { kubectl -n "$1" get "$2" "$3" -o json | jq -r "$4"' | .metadata.annotations["yunikorn.apache.org/user.info"] // ""'; }

# The bundle that API servers trust.
trusted_bundle() { kubectl get "$1" -o json | jq -r '.webhooks[0].clientConfig.caBundle' | base64 -d; }

# is_trusted NUMBER: API servers accept what a replica serves.
is_trusted() {
    trusted_bundle "$ADMISSION_MUTATIONS" >"$BATS_TEST_TMPDIR/bundle.pem"
    openssl s_client -connect "$(admission_host):$(cat "$(admission_dir)/replica-$1.port")" -CAfile "$BATS_TEST_TMPDIR/bundle.pem" \
        -verify_return_error </dev/null >/dev/null 2>&1
}

same_webhooks() { [ "$(admission_webhooks "$ADMISSION_MUTATIONS")" = "$1" ]; }

guarding='[["admission-webhook.yunikorn.guard-pods","Fail"],["admission-webhook.yunikorn.mutate-pods","Ignore"]]'

@test "admission: it serves over TLS, with the rights of its role only" {
    equal "$(admission_get /health)" "$(printf 'OK\r')"
    equal "$(admission_get /nowhere 1 -o /dev/null -w '%{http_code}')" 404
    equal "$(admission_get /mutate 1 -X POST -H 'Content-Type: application/json' -o /dev/null -w '%{http_code}')" 400
    equal "$(admission_get /mutate 1 -d '{}' -H 'Content-Type: text/plain' -o /dev/null -w '%{http_code}')" 415
    contains "$(admission_get /mutate 1 -d '{' -H 'Content-Type: application/json')" '"uid": ?"yunikorn-invalid-body"'
    is_trusted 1
    same_webhooks "$guarding"
    equal "$(admission_webhooks "$ADMISSION_VALIDATIONS")" '[["admission-webhook.yunikorn.validate-conf","Ignore"]]'
    equal "$(kubectl -n "$E2E_SYSTEM" get secret admission-controller-secrets -o json | jq -c '.data | keys')" \
        '["cacert1.pem","cacert2.pem","cakey1.pem","cakey2.pem"]'
    # No key is in the log.
    run grep -c 'PRIVATE' "$(admission_log)"
    equal "$output" 0
}

@test "admission: pods get their scheduler, an application and a user" {
    local plain
    plain="$(namespace plain)"
    pod_objects "$plain" pod 1 'del(.spec.schedulerName, .metadata.labels)' | kubectl create -f -
    equal "$(scheduler_name "$plain" pod-0)" yunikorn
    contains "$(kubectl -n "$plain" get pod pod-0 -o json | jq -c .metadata.labels)" "\"applicationId\":\"yunikorn-$plain-autogen\""
    equal "$(user_info "$plain" pod pod-0 . | jq -r .user)" admin
    kubectl -n "$plain" create deployment web --image=busybox:stable
    equal "$(user_info "$plain" deployment web .spec.template | jq -r .user)" admin
    eventually equals 1 count_pods "$plain" app=web
    equal "$(kubectl -n "$plain" get pods -l app=web -o json | jq -r '.items[0].spec.schedulerName')" yunikorn
    equal "$(kubectl -n "$plain" get pods -l app=web -o json |
        jq -r '.items[0].metadata.annotations["yunikorn.apache.org/user.info"] | fromjson | .user')" admin
}

@test "admission: the system's own namespace is left alone" {
    pod_objects kube-system "e2e-$E2E_ID" 1 'del(.spec.schedulerName)' | kubectl create -f -
    equal "$(scheduler_name kube-system "e2e-$E2E_ID-0")" default-scheduler
    kubectl -n kube-system delete pod "e2e-$E2E_ID-0" --force --grace-period=0
}

@test "admission: other users cannot write user.info" {
    local guarded forged='.metadata.annotations = {"yunikorn.apache.org/user.info": "{\"user\":\"root\",\"groups\":[]}"}'
    guarded="$(namespace guarded)"
    kubectl -n "$guarded" create rolebinding edit-ann --clusterrole edit --user ann >/dev/null
    run bash -c "$(declare -f pod_objects); pod_objects '$guarded' forged 1 '$forged' |
        kubectl --as ann --as-group workers create -f -"
    [ "$status" -ne 0 ]
    contains "$output" "user ann with groups \[.*workers.*\] is not allowed to set user annotation"
    # Neither with the label that the pods of YuniKorn itself have.
    run bash -c "$(declare -f pod_objects); pod_objects '$guarded' forged 1 '$forged | .metadata.labels.app = \"yunikorn\"' |
        kubectl --as ann --as-group workers create -f -"
    [ "$status" -ne 0 ]
    pod_objects "$guarded" mine 1 | kubectl --as ann --as-group workers create -f -
    equal "$(user_info "$guarded" pod mine-0 . | jq -r .user)" ann
    run kubectl -n "$guarded" annotate --overwrite pod mine-0 'yunikorn.apache.org/user.info={"user":"root"}'
    [ "$status" -ne 0 ]
    contains "$output" "user info annotation change is not allowed"
    kubectl -n "$guarded" label pod mine-0 other=label
}

# As an API server does where another webhook changes a pod and reinvocationPolicy is IfNeeded.
@test "admission: a pod that is reviewed twice stays as it is" {
    local twice
    twice="$(namespace twice)"
    kubectl -n "$twice" create rolebinding edit-ann --clusterrole edit --user ann >/dev/null
    kubectl get "$ADMISSION_MUTATIONS" -o json | jq '{apiVersion, kind, metadata: {name: "zz-yunikorn-e2e-again"},
        webhooks: [.webhooks[-1] | del(.matchConditions) | .name = "again.yunikorn.e2e" | .failurePolicy = "Fail"]}' | kubectl create -f - >/dev/null
    sleep 1 # until the API server has read it
    pod_objects "$twice" pod 1 'del(.spec.schedulerName)' | kubectl --as ann --as-group workers create -f -
    pod_objects "$twice" named 1 | kubectl --as ann --as-group workers create -f -
    kubectl -n "$twice" --as ann --as-group workers create deployment web --image=busybox:stable --replicas=0
    kubectl delete mutatingwebhookconfiguration zz-yunikorn-e2e-again
    equal "$(user_info "$twice" pod pod-0 . | jq -c '[.user, .groups[0]]')" '["ann","workers"]'
    equal "$(user_info "$twice" pod named-0 . | jq -r .user)" ann
    equal "$(user_info "$twice" deployment web .spec.template | jq -r .user)" ann
}

@test "admission: a faulty queue configuration is denied" {
    run queues <<<"partitions: [{name: default, queues: [{name: root, nonsense: 1}]}]"
    [ "$status" -ne 0 ]
    contains "$output" "denied the request"
    run queues <<<"partitions: [{name: default, queues: [{name: root, queues: [{name: 'a b'}]}]}]"
    [ "$status" -ne 0 ]
    queues_by_label
}

@test "admission: the certificate is reloaded without a failed admission" {
    local rotating before creator i
    rotating="$(namespace rotating)"
    before="$(admission_serial)"
    admission_create_pods "$rotating" pod 100 >"$BATS_TEST_TMPDIR/codes" &
    creator=$!
    for ((i = 0; i < 10; i++)); do
        kill -USR1 "$(admission_pid)"
        sleep 0.2
    done
    wait "$creator"
    [ "$(admission_serial)" != "$before" ] || fail "the certificate is the same"
    equal "$(grep -c ' 201$' "$BATS_TEST_TMPDIR/codes")" 100 "pods created"
    equal "$(kubectl -n "$rotating" get pods -o json | jq '[.items[] | select(.spec.schedulerName == "yunikorn")] | length')" \
        100 "pods that were reviewed"
}

@test "admission: two replicas agree on authorities and webhooks" {
    local secret version
    secret="$(kubectl -n "$E2E_SYSTEM" get secret admission-controller-secrets -o json | jq -c .data)"
    version="$(kubectl get "$ADMISSION_MUTATIONS" -o json | jq -r .metadata.resourceVersion)"
    admission_start 2 "$(free_port)"
    equal "$(kubectl -n "$E2E_SYSTEM" get secret admission-controller-secrets -o json | jq -c .data)" "$secret"
    equal "$(kubectl get "$ADMISSION_MUTATIONS" -o json | jq -r .metadata.resourceVersion)" "$version"
    is_trusted 1
    is_trusted 2
    # Both make authorities at the same time.
    kubectl -n "$E2E_SYSTEM" patch secret admission-controller-secrets --type merge -p '{"data": null}'
    kill -USR1 "$(admission_pid 1)" "$(admission_pid 2)"
    eventually is_trusted 1
    eventually is_trusted 2
    [ "$(kubectl -n "$E2E_SYSTEM" get secret admission-controller-secrets -o json | jq -c .data)" != "$secret" ]
    equal "$(admission_stop 2)" 0
    same_webhooks "$guarding"
}

# deployment_of_yunikorn NAMESPACE NAME: one pod, and its template names the scheduler.
deployment_of_yunikorn() {
    jq -n --arg namespace "$1" --arg name "$2" '{app: $name} as $labels | {apiVersion: "apps/v1", kind: "Deployment",
        metadata: {name: $name, namespace: $namespace}, spec: {selector: {matchLabels: $labels}, template: {metadata: {labels: $labels},
            spec: {schedulerName: "yunikorn", containers: [{name: "main", image: "busybox:stable"}]}}}}' | kubectl create -f -
}

# A ReplicaSet could not create a pod.
has_refusals() { [ -n "$(kubectl -n "$1" get events --field-selector reason=FailedCreate -o name)" ]; }

@test "admission: while it is away, pods of YuniKorn are refused and others are not" {
    local away
    away="$(namespace away)"
    pod_objects "$away" before 1 | kubectl create -f -
    deployment_of_yunikorn "$away" waiting
    eventually equals 1 count_pods "$away" app=waiting
    admission_stop 1 KILL
    run bash -c "$(declare -f pod_objects); pod_objects '$away' ours 1 | kubectl create -f -"
    [ "$status" -ne 0 ]
    contains "$output" "failed calling webhook .*guard-pods"
    run bash -c "$(declare -f pod_objects); pod_objects '$away' forged 1 'del(.spec.schedulerName) |
        .metadata.labels.app = \"yunikorn\" | .metadata.annotations = {\"yunikorn.apache.org/user.info\": \"{}\"}' | kubectl create -f -"
    [ "$status" -ne 0 ]
    run kubectl -n "$away" annotate pod before-0 --overwrite 'yunikorn.apache.org/user.info={"user":"root"}'
    [ "$status" -ne 0 ]
    # Others, the pods of YuniKorn itself, and changes that do not touch user.info.
    pod_objects "$away" other 1 'del(.spec.schedulerName)' | kubectl create -f -
    equal "$(scheduler_name "$away" other-0)" default-scheduler
    pod_objects "$away" own 1 '.metadata.labels = {app: "yunikorn"}' | kubectl create -f -
    kubectl -n "$away" create deployment web --image=busybox:stable
    kubectl -n "$away" label pod before-0 other=label
    kubectl -n "$away" delete pod before-0 --force --grace-period=0
    # What Kubernetes creates for a workload of YuniKorn waits.
    kubectl -n "$away" delete pods -l app=waiting --force --grace-period=0
    eventually has_refusals "$away"
    equal "$(count_pods "$away" app=waiting)" 0
    admission_start
    within 60 equals 1 count_pods "$away" app=waiting
    equal "$(kubectl -n "$away" get pods -l app=waiting -o 'jsonpath={.items[0].spec.schedulerName}')" yunikorn
    pod_objects "$away" ours 1 | kubectl create -f -
    equal "$(scheduler_name "$away" ours-0)" yunikorn
}

@test "admission: with failurePolicy Ignore all pods go through, as in 1.9" {
    local open
    open="$(namespace open)"
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type merge \
        -p '{"data": {"admissionController.webHook.failurePolicy": "Ignore"}}'
    eventually same_webhooks '[["admission-webhook.yunikorn.mutate-pods","Ignore"]]'
    admission_stop 1 KILL
    pod_objects "$open" pod 1 | kubectl create -f -
    admission_start
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type merge \
        -p '{"data": {"admissionController.webHook.failurePolicy": null}}'
    eventually same_webhooks "$guarding"
}

@test "admission: webhook configurations are repaired when they are deleted or changed" {
    kubectl delete "$ADMISSION_VALIDATIONS"
    kubectl get "$ADMISSION_MUTATIONS" -o json | jq '.webhooks |= [.[1] | .rules[0].resources = ["pods"]]' | kubectl replace -f -
    within 75 same_webhooks "$guarding"
    equal "$(kubectl get "$ADMISSION_MUTATIONS" -o json | jq '.webhooks[1].rules[0].resources | length')" 7
    eventually kubectl get "$ADMISSION_VALIDATIONS"
    contains "$(tail -n 5 "$(admission_log)")" "object written.*it has 1 webhooks instead of 2"
}

@test "admission: SIGTERM ends it with 0, and the webhook configurations stay" {
    equal "$(admission_stop)" 0
    same_webhooks "$guarding"
    # Without its Secret it says so and ends.
    kubectl -n "$E2E_SYSTEM" delete secret admission-controller-secrets
    admission_spawn
    within 20 test -s "$(admission_dir)/replica-1.exit"
    equal "$(cat "$(admission_dir)/replica-1.exit")" 1
    contains "$(tail -n 2 "$(admission_log)")" "admission-controller-secrets"
    kubectl -n "$E2E_SYSTEM" create secret generic admission-controller-secrets
    admission_start
}
