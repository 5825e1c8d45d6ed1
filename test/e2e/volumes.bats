# SPDX-License-Identifier: Apache-2.0
# Volumes, with Kubernetes' own volume controller: what makes a pod wait, in which words, and that it starts when
# the obstacle is gone. Storage classes called "provisioned" have a provisioner (control-plane/stages), all others
# have none.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes disk 2 8 32Gi '.metadata.labels["topology.kubernetes.io/zone"] = "zone-\(.metadata.name[-1:])"'
    SPACE="$(namespace volumes)"
    export SPACE
    storage_class provisioned e2e.example/volumes
    storage_class local kubernetes.io/no-provisioner
    storage_class at-once kubernetes.io/no-provisioner Immediate
    storage_class stuck e2e.example/absent
    storage_class counted counted.example
    scheduler_start
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl delete storageclasses provisioned local at-once stuck counted --wait=false >/dev/null 2>&1 || true
    kubectl delete csidrivers counted.example needed.example --wait=false >/dev/null 2>&1 || true
    finish "$SPACE" disk third
    kubectl delete persistentvolumes --all --wait=false >/dev/null 2>&1 || true
}

# storage_class NAME PROVISIONER [MODE]
storage_class() {
    jq -n --arg name "$1" --arg provisioner "$2" --arg mode "${3:-WaitForFirstConsumer}" '{
        apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: {name: $name},
        provisioner: $provisioner, volumeBindingMode: $mode}' | kubectl create -f - >/dev/null
}

# claim NAME CLASS [SIZE] [JQ]
claim() {
    jq -n --arg namespace "$SPACE" --arg name "$1" --arg class "$2" --arg size "${3:-1Gi}" '{
        apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: {name: $name, namespace: $namespace},
        spec: {storageClassName: $class, accessModes: ["ReadWriteOnce"], resources: {requests: {storage: $size}}}} | '"${4:-.}" |
        kubectl create -f - >/dev/null
}

# volume NAME CLASS SIZE [JQ]: a persistent volume without a claim.
volume() {
    jq -n --arg name "$1" --arg class "$2" --arg size "$3" '{
        apiVersion: "v1", kind: "PersistentVolume", metadata: {name: $name},
        spec: {storageClassName: $class, accessModes: ["ReadWriteOnce"], capacity: {storage: $size},
            persistentVolumeReclaimPolicy: "Retain", hostPath: {path: "/tmp/\($name)"}}} | '"${4:-.}" |
        kubectl create -f - >/dev/null
}

# with_claim NAME: the change that gives a pod the claim.
with_claim() { printf '.spec.volumes = [{name: "data", persistentVolumeClaim: {claimName: "%s"}}]' "$1"; }

# reached_from KEY VALUE: the change that binds a volume to nodes with that label.
reached_from() {
    printf '.spec.nodeAffinity.required.nodeSelectorTerms = [{matchExpressions: [{key: "%s", operator: "In", values: ["%s"]}]}]' "$1" "$2"
}

# waits_for POD TEXT: its condition and an Event say so.
waits_for() {
    eventually says "$1" "$2"
    eventually event_says "$1" "$2"
    run ! is_bound "$SPACE" "$1"
}
says() { condition "$SPACE" "$1" message | grep -Fq -- "$2"; }
event_says() { event "$SPACE" "$1" FailedScheduling | grep -Fq -- "$2"; }

claim_field() { kubectl -n "$SPACE" get persistentvolumeclaim "$1" -o "jsonpath={$2}"; }
is_claim_bound() { [ "$(claim_field "$1" .status.phase)" = Bound ]; }
selected_node() { claim_field "$1" '.metadata.annotations.volume\.kubernetes\.io/selected-node'; }

@test "volumes: a volume is made for the node that was decided, and bound before the pod" {
    claim made provisioned
    pods "$SPACE" made 1 "$(with_claim made)"
    eventually is_bound "$SPACE" made-0
    is_claim_bound made
    equal "$(selected_node made)" "$(node_of "$SPACE" made-0)"
    # Who comes back to it has to go where it is.
    kubectl -n "$SPACE" delete pod made-0 --wait
    kubectl cordon "$(selected_node made)"
    pods "$SPACE" again 1 "$(with_claim made)"
    waits_for again-0 "1 node(s) didn't match PersistentVolume's node affinity"
    kubectl uncordon "$(selected_node made)"
    eventually is_on "$SPACE" again-0 "$(selected_node made)"
}

@test "volumes: the smallest volume that fits is taken, where it can be reached; then pods wait for another" {
    volume local-large local 50Gi "$(reached_from kubernetes.io/hostname disk-0)"
    volume local-small local 5Gi "$(reached_from kubernetes.io/hostname disk-1)"
    claim first local 5Gi
    pods "$SPACE" first 1 "$(with_claim first)"' | .spec.nodeSelector = {"e2e-group": "disk"}'
    eventually is_bound "$SPACE" first-0
    claim second local 6Gi
    pods "$SPACE" second 1 "$(with_claim second)"
    eventually is_on "$SPACE" second-0 disk-0
    equal "$(claim_field second .spec.volumeName)" local-large
    claim third local 5Gi
    claim fourth local 60Gi
    pods "$SPACE" fourth 1 "$(with_claim fourth)"
    waits_for fourth-0 "node(s) didn't find available persistent volumes to bind"
    volume local-huge local 60Gi "$(reached_from kubernetes.io/hostname disk-1)"
    eventually is_on "$SPACE" fourth-0 disk-1
    equal "$(claim_field fourth .spec.volumeName)" local-huge
}

@test "volumes: a claim that is bound at once holds its pod until a volume is there" {
    claim eager at-once 3Gi
    pods "$SPACE" eager 1 "$(with_claim eager)"
    waits_for eager-0 "pod has unbound immediate PersistentVolumeClaims"
    volume eager at-once 3Gi
    eventually is_bound "$SPACE" eager-0
}

@test "volumes: a pod waits for a claim that is not there, and its condition has the claim's name" {
    pods "$SPACE" early 1 "$(with_claim to-come)"
    eventually event_says early-0 'persistentvolumeclaim "to-come" not found'
    run ! is_bound "$SPACE" early-0
    claim to-come provisioned
    eventually is_bound "$SPACE" early-0
}

@test "volumes: a volume in another zone keeps its pod away until a node comes there" {
    volume far at-once 7Gi "$(reached_from topology.kubernetes.io/zone zone-9)"
    claim far at-once 7Gi
    eventually is_claim_bound far
    pods "$SPACE" far 1 "$(with_claim far)"
    waits_for far-0 "node(s) didn't match PersistentVolume's node affinity"
    nodes third 1 8 32Gi '.metadata.labels["topology.kubernetes.io/zone"] = "zone-9"'
    eventually is_on "$SPACE" far-0 third-0
}

@test "volumes: labels of old volumes say their zone" {
    volume zoned at-once 9Gi '.metadata.labels = {"topology.kubernetes.io/zone": "zone-8"}'
    claim zoned at-once 9Gi
    eventually is_claim_bound zoned
    pods "$SPACE" zoned 1 "$(with_claim zoned)"' | .spec.nodeSelector = {"e2e-group": "disk"}'
    waits_for zoned-0 "2 node(s) had no available volume zone"
    kubectl label node disk-0 topology.kubernetes.io/zone=zone-8 --overwrite
    eventually is_on "$SPACE" zoned-0 disk-0
    kubectl label node disk-0 topology.kubernetes.io/zone=zone-0 --overwrite
}

@test "volumes: ReadWriteOncePod means one pod" {
    claim alone provisioned 1Gi '.spec.accessModes = ["ReadWriteOncePod"]'
    pods "$SPACE" alone 1 "$(with_claim alone)"
    eventually is_bound "$SPACE" alone-0
    pods "$SPACE" other 1 "$(with_claim alone)"
    waits_for other-0 "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
    kubectl -n "$SPACE" delete pod alone-0 --wait=false
    eventually is_bound "$SPACE" other-0
}

@test "volumes: a disk of old days is used by one pod of a node" {
    disk='.spec.nodeSelector = {"kubernetes.io/hostname": "disk-0"} | .spec.volumes = [{name: "data", iscsi: {targetPortal: "10.0.0.1:3260", iqn: "iqn.2026-01.example:disk", lun: 0}}]'
    pods "$SPACE" owner 1 "$disk"
    eventually is_bound "$SPACE" owner-0
    pods "$SPACE" guest 1 "$disk"
    waits_for guest-0 "1 node(s) had no available disk"
    kubectl -n "$SPACE" delete pod owner-0 --wait=false
    eventually is_on "$SPACE" guest-0 disk-0
}

@test "volumes: a node takes as many as its driver attaches" {
    jq -n '{apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: {name: "disk-1"},
        spec: {drivers: [{name: "counted.example", nodeID: "disk-1", topologyKeys: [], allocatable: {count: 1}}]}}' |
        kubectl create -f - >/dev/null
    for name in one two; do
        volume "counted-$name" counted 1Gi 'del(.spec.hostPath) | .spec.csi = {driver: "counted.example", volumeHandle: "'"$name"'"} |
            .spec.claimRef = {namespace: "'"$SPACE"'", name: "'"$name"'"}'
        claim "$name" counted 1Gi '.spec.volumeName = "counted-'"$name"'"'
        eventually is_claim_bound "$name"
    done
    pods "$SPACE" one 1 "$(with_claim one)"' | .spec.nodeSelector = {"kubernetes.io/hostname": "disk-1"}'
    eventually is_on "$SPACE" one-0 disk-1
    pods "$SPACE" two 1 "$(with_claim two)"' | .spec.nodeSelector = {"kubernetes.io/hostname": "disk-1"}'
    waits_for two-0 "1 node(s) exceed max volume count"
    kubectl delete csinode disk-1 # a node without one has no limits
    eventually is_on "$SPACE" two-0 disk-1
}

@test "volumes: a driver that says so is only used where it is installed" {
    jq -n '{apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: {name: "needed.example"},
        spec: {attachRequired: false, preventPodSchedulingIfMissing: true}}' | kubectl create -f - >/dev/null
    [ "$(kubectl get csidriver needed.example -o 'jsonpath={.spec.preventPodSchedulingIfMissing}')" = true ] ||
        skip "the API server does not know the field"
    volume needed counted 1Gi 'del(.spec.hostPath) | .spec.csi = {driver: "needed.example", volumeHandle: "needed"} |
        .spec.claimRef = {namespace: "'"$SPACE"'", name: "needed"}'
    claim needed counted 1Gi '.spec.volumeName = "needed"'
    eventually is_claim_bound needed
    pods "$SPACE" needed 1 "$(with_claim needed)"' | .spec.nodeSelector = {"kubernetes.io/hostname": "disk-1"}'
    waits_for needed-0 "1 needed.example CSI driver is not installed on the node"
    jq -n '{apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: {name: "disk-1"},
        spec: {drivers: [{name: "needed.example", nodeID: "disk-1", topologyKeys: []}]}}' | kubectl create -f - >/dev/null
    eventually is_on "$SPACE" needed-0 disk-1
    kubectl delete csinode disk-1 --wait=false
    kubectl delete csidriver needed.example --wait=false
}

@test "volumes: storage that a driver says is used up" {
    jq -n '{apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: {name: "counted.example"},
        spec: {attachRequired: false, storageCapacity: true}}' | kubectl create -f - >/dev/null
    claim hungry counted 20Gi
    pods "$SPACE" hungry 1 "$(with_claim hungry)"' | .spec.nodeSelector = {"e2e-group": "disk"}'
    waits_for hungry-0 "2 node(s) did not have enough free storage"
    jq -n --arg namespace "$SPACE" '{apiVersion: "storage.k8s.io/v1", kind: "CSIStorageCapacity",
        metadata: {name: "room", namespace: $namespace}, storageClassName: "counted", capacity: "30Gi",
        nodeTopology: {matchLabels: {"kubernetes.io/hostname": "disk-1"}}}' | kubectl create -f - >/dev/null
    eventually equals disk-1 selected_node hungry
    # It has no provisioner here.
    volume hungry counted 20Gi '.spec.claimRef = {namespace: "'"$SPACE"'", name: "hungry"}'
    eventually is_on "$SPACE" hungry-0 disk-1
}

@test "volumes: an ephemeral volume is made with its pod" {
    pods "$SPACE" brief 1 '.spec.volumes = [{name: "scratch", ephemeral: {volumeClaimTemplate: {spec: {
        storageClassName: "provisioned", accessModes: ["ReadWriteOnce"], resources: {requests: {storage: "1Gi"}}}}}}]'
    eventually is_bound "$SPACE" brief-0
    is_claim_bound brief-0-scratch
}

@test "volumes: a claim of the same name that is not the pod's own is refused" {
    claim foreign-0-scratch provisioned
    pods "$SPACE" foreign 1 '.spec.volumes = [{name: "scratch", ephemeral: {volumeClaimTemplate: {spec: {
        storageClassName: "provisioned", accessModes: ["ReadWriteOnce"], resources: {requests: {storage: "1Gi"}}}}}}]'
    waits_for foreign-0 "PVC $SPACE/foreign-0-scratch was not created for pod $SPACE/foreign-0 (pod is not owner)"
    kubectl -n "$SPACE" delete persistentvolumeclaim foreign-0-scratch --wait=false
    eventually is_bound "$SPACE" foreign-0
}

@test "volumes: attributes have to be the same" {
    volume plain at-once 11Gi
    jq -n '{apiVersion: "storage.k8s.io/v1", kind: "VolumeAttributesClass", metadata: {name: "e2e-gold"}, driverName: "counted.example",
        parameters: {iops: "9"}}' | kubectl create -f - >/dev/null
    claim golden local 11Gi '.spec.volumeAttributesClassName = "e2e-gold"'
    volume silver local 11Gi
    pods "$SPACE" golden 1 "$(with_claim golden)"
    waits_for golden-0 "node(s) didn't find available persistent volumes to bind"
    volume gold local 11Gi 'del(.spec.hostPath) | .spec.csi = {driver: "counted.example", volumeHandle: "gold"} | .spec.volumeAttributesClassName = "e2e-gold"'
    eventually is_bound "$SPACE" golden-0
    equal "$(claim_field golden .spec.volumeName)" gold
    kubectl delete volumeattributesclass e2e-gold --wait=false
}

@test "volumes: when the provisioner gives up a node, the pod is decided again" {
    claim moving stuck
    pods "$SPACE" moving 1 "$(with_claim moving)"' | .spec.nodeSelector = {"e2e-group": "disk"}'
    eventually is_selected moving
    before="$(selected_node moving)"
    kubectl cordon "$before"
    kubectl -n "$SPACE" annotate persistentvolumeclaim moving volume.kubernetes.io/selected-node-
    eventually is_selected_elsewhere moving "$before"
    has_event "$SPACE" moving-0 PodVolumesBindFailure
    kubectl uncordon "$before"
    volume moving stuck 1Gi '.spec.claimRef = {namespace: "'"$SPACE"'", name: "moving"}'
    eventually is_bound "$SPACE" moving-0
}

is_selected() { [ -n "$(selected_node "$1")" ]; }
is_selected_elsewhere() { is_selected "$1" && [ "$(selected_node "$1")" != "$2" ]; }

@test "volumes: killed while a volume is made, the scheduler goes on where it was" {
    claim crash stuck
    pods "$SPACE" crash 1 "$(with_claim crash)"
    eventually is_selected crash
    before="$(selected_node crash)"
    scheduler_kill
    scheduler_start
    volume crash stuck 1Gi '.spec.claimRef = {namespace: "'"$SPACE"'", name: "crash"}'
    eventually is_on "$SPACE" crash-0 "$before"
    equal "$(accepted_bindings "$SPACE" | grep -c crash-0)" 1
}

@test "volumes: a StatefulSet comes up one by one, each with a volume of its own" {
    jq -n --arg namespace "$SPACE" '{apiVersion: "apps/v1", kind: "StatefulSet", metadata: {name: "store", namespace: $namespace},
        spec: {replicas: 3, serviceName: "store", selector: {matchLabels: {group: "store"}},
            template: {metadata: {labels: {group: "store", "yunikorn.apache.org/app-id": "store"}},
                spec: {schedulerName: "yunikorn", terminationGracePeriodSeconds: 0, containers: [{name: "main", image: "busybox:stable",
                    resources: {requests: {cpu: "100m"}}, volumeMounts: [{name: "data", mountPath: "/data"}]}]}},
            volumeClaimTemplates: [{metadata: {name: "data"}, spec: {storageClassName: "provisioned",
                accessModes: ["ReadWriteOnce"], resources: {requests: {storage: "1Gi"}}}}]}}' | kubectl create -f - >/dev/null
    eventually all_bound "$SPACE" 3 group=store
    for i in 0 1 2; do
        is_claim_bound "data-store-$i"
        equal "$(selected_node "data-store-$i")" "$(node_of "$SPACE" "store-$i")"
    done
    # One that is made again goes back to its volume.
    at="$(node_of "$SPACE" store-1)"
    uid="$(kubectl -n "$SPACE" get pod store-1 -o 'jsonpath={.metadata.uid}')"
    kubectl -n "$SPACE" delete pod store-1 --wait=false
    eventually is_another store-1 "$uid"
    eventually is_on "$SPACE" store-1 "$at"
    kubectl -n "$SPACE" delete statefulset store --wait=false
}

is_another() { [ "$(kubectl -n "$SPACE" get pod "$1" -o 'jsonpath={.metadata.uid}' 2>/dev/null)" != "$2" ]; }
