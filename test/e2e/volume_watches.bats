# SPDX-License-Identifier: Apache-2.0
# What is known of volumes is asked for once a pod has some, with the rights the chart gives.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    begin volume-watches 1
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" volume-watches
}

KINDS="persistentvolumeclaims persistentvolumes storageclasses csinodes csidrivers csistoragecapacities volumeattachments"

logged() { grep -Eq -- "$1" "$(scheduler_log)"; }

with_claim() { printf '.spec.volumes = [{name: "data", persistentVolumeClaim: {claimName: "%s"}}]' "$1"; }

@test "volumes: nothing is asked for while no pod has any" {
    pods "$SPACE" plain 1
    eventually is_bound "$SPACE" plain-0
    for kind in $KINDS; do
        run ! logged "listed.*\"kind\": \"$kind\""
    done
}

@test "volumes: the first pod with a claim lets all kinds be listed, without a refusal" {
    pods "$SPACE" claimed 1 "$(with_claim missing)"
    for kind in $KINDS; do
        eventually logged "listed.*\"kind\": \"$kind\""
    done
    run ! logged "list not possible"
}

@test "volumes: a missing permission is reported once and stops no pod" {
    own_cluster_only
    scheduler_stop
    role="yunikorn-scheduler-core-e2e-$E2E_ID"
    kubectl get clusterrole "$role" -o json >"$E2E_DIR/role.json"
    jq '.rules |= map(if .apiGroups == ["storage.k8s.io"] then .resources -= ["csinodes"] else . end)' \
        "$E2E_DIR/role.json" | kubectl replace -f - >/dev/null
    scheduler_start
    eventually logged "list not possible.*csinodes"
    pods "$SPACE" unhindered 1
    eventually is_bound "$SPACE" unhindered-0
    sleep 3 # it has tried again by now
    equal "$(grep -Ec 'list not possible.*csinodes' "$(scheduler_log)")" 1 "times said"

    jq 'del(.metadata.resourceVersion)' "$E2E_DIR/role.json" | kubectl replace -f - >/dev/null
    within 60 logged "watch restored.*csinodes"
}
