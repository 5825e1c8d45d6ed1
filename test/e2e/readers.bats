# SPDX-License-Identifier: Apache-2.0
# Both readers on what the API server sends: each kind that is watched, as object, list and watch, is the same typed
# object whether it came as JSON or as protobuf. The objects are in data/readers.yaml.

bats_require_minimum_version 1.5.0
load lib/e2e

PRINT="$REPO/build/release/test/unit/print_object"
PROTOBUF=application/vnd.kubernetes.protobuf

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    [ -x "$PRINT" ] || fail "$PRINT is missing; the release build makes it"
    nodes reader 1 8 32Gi '.metadata.labels.readers = "1" | .spec = {unschedulable: true, taints: [
        {key: "dedicated", value: "readers", effect: "NoSchedule"}, {key: "lost", effect: "NoExecute"}]} |
        .status.allocatable["example.com/device"] = "3"'
    SPACE="$(namespace_of_others readers)" # a pod names a scheduler that does not exist
    export SPACE
    kubectl label namespace "$SPACE" readers=1 >/dev/null
    kubectl annotate namespace "$SPACE" yunikorn.apache.org/namespace.maxApps=7 >/dev/null
    kubectl -n "$SPACE" create -f "$BATS_TEST_DIRNAME/data/readers.yaml" >/dev/null
    eventually stands readers-placed
    eventually allows_disruption
    give_owner
    give_status
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl delete priorityclasses,runtimeclasses,persistentvolumes,storageclasses,csidrivers,volumeattachments \
        readers csi.example --ignore-not-found --wait=false >/dev/null 2>&1 || true
    kubectl delete csinodes reader-0 --wait=false >/dev/null 2>&1 || true
    namespace_delete "$SPACE"
    nodes_delete reader
}

stands() { [ "$(kubectl -n "$SPACE" get pod "$1" -o 'jsonpath={.status.phase}')" = Running ]; }

allows_disruption() { [ "$(kubectl -n "$SPACE" get pdb readers -o 'jsonpath={.status.disruptionsAllowed}')" = 1 ]; }

# It has to exist, or the pod would be taken away.
give_owner() {
    local uid
    uid="$(kubectl -n "$SPACE" get configmap readers -o 'jsonpath={.metadata.uid}')"
    kubectl -n "$SPACE" patch pod readers -p "$(jq -n --arg uid "$uid" '{metadata: {ownerReferences: [
        {apiVersion: "v1", kind: "ConfigMap", name: "readers", uid: $uid, controller: true}]}}')" >/dev/null
}

# What kubelets, and schedulers before us, would have written.
give_status() {
    local resources='{allocatedResources: {cpu: "200m", memory: "64Mi"}, resources: {requests: {cpu: "150m", memory: "64Mi"}}}'
    kubectl -n "$SPACE" patch pod readers-placed --subresource status --type merge -p "$(
        jq -n "$resources"' as $resources | {restartCount: 0, ready: true, image: "busybox", imageID: "i"} as $status |
            {status: ($resources + {
            containerStatuses: [$status + $resources + {name: "main"}],
            initContainerStatuses: [$status + $resources + {name: "before"}]})}')" >/dev/null
    kubectl -n "$SPACE" patch pod readers --subresource status -p '{"status": {"nominatedNodeName": "reader-0", "conditions": [
        {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "message": "two gates: “first”, second"}]}}' >/dev/null
    kubectl patch node reader-0 --subresource status -p '{"status": {"declaredFeatures": ["FeatureA", "FeatureB"]}}' >/dev/null
}

# url KIND [NAME]: where it is.
url() {
    case "$1" in
    nodes | namespaces | persistentvolumes) echo "/api/v1/$1${2:+/$2}" ;;
    pods | configmaps | persistentvolumeclaims) echo "/api/v1${2:+/namespaces/$SPACE}/$1${2:+/$2}" ;;
    priorityclasses) echo "/apis/scheduling.k8s.io/v1/$1${2:+/$2}" ;;
    poddisruptionbudgets) echo "/apis/policy/v1${2:+/namespaces/$SPACE}/$1${2:+/$2}" ;;
    csistoragecapacities) echo "/apis/storage.k8s.io/v1${2:+/namespaces/$SPACE}/$1${2:+/$2}" ;;
    *) echo "/apis/storage.k8s.io/v1/$1${2:+/$2}" ;;
    esac
}

# fetch URL MEDIA-TYPE FILE: the body; a stream until the server ends it.
fetch() {
    curl -sfN --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" -H "Accept: $2" -D "$3.headers" -o "$3" "$CP_SERVER$1" &&
        grep -qi "^content-type: $2" "$3.headers"
}

# same KIND object|list|watch FILE: FILE.json and FILE.protobuf read the same; what they say is in FILE.text.
same() {
    "$PRINT" "$1" json "$2" "$3.json" >"$3.text" && "$PRINT" "$1" protobuf "$2" "$3.protobuf" >"$3.other" &&
        diff -a "$3.text" "$3.other" >"$3.diff"
}

# reads_the_same KIND object|list URL FILE: fails when the object has changed between the two requests, too.
reads_the_same() { fetch "$3" application/json "$4.json" && fetch "$3" "$PROTOBUF" "$4.protobuf" && same "$1" "$2" "$4"; }

# agree KIND NAME REGEX...: object and list read the same in both encodings, and the object's text has these lines.
agree() {
    local file="$BATS_TEST_TMPDIR/$1-$2" line
    eventually reads_the_same "$1" object "$(url "$1" "$2")" "$file" || fail "$1 $2: $(tr -d "\0" <"$file.diff")"
    for line in "${@:3}"; do
        grep -aEqx -- " *$line" "$file.text" || fail "$1 $2: nothing is '$line' in $(tr -d "\0" <"$file.text")"
    done
    eventually reads_the_same "$1" list "$(url "$1")" "$file-list" || fail "$1: $(cat "$file-list.diff")"
    grep -aFqx "name: \"$2\"" "$file-list.text" || fail "the list of $1 lacks $2"
    grep -aFqx -- "--- end: has a version 1, continues 0" "$file-list.text"
    eventually reads_the_same "$1" list "$(url "$1")?labelSelector=readers&limit=1" "$file-page" || fail "$1: $(cat "$file-page.diff")"
    equal "$(grep -ac '^name: ' "$file-page.text")" 1 "objects on a page of one"
}

@test "readers: pods" {
    agree pods readers 'scheduler: "absent"' 'priority class: "readers"' 'priority: -1000' 'preemption policy: "Never"' \
        'has host users: 1' 'host users: 0' 'key: "empty"' 'value: ""' 'required affinity: 1' 'terms: 2' \
        'operator: "DoesNotExist"' 'affinity: 1' 'anti-affinity: 2' 'namespace selector: 1' 'spread constraints: 2' \
        'min domains: 3' 'node affinity: "Ignore"' 'node taints: "Honor"' 'when unsatisfiable: "DoNotSchedule"' \
        'tolerations: [3-9]' 'effect: "NoExecute"' 'gates: 2' 'secrets: 2' '-: "example.com/second"' 'owners: 1' \
        'controller: 1' 'init containers: 2' 'restart: "Always"' 'restart actions: 1' 'host port: 8080' 'protocol: "UDP"' \
        'address: "127.0.0.1"' 'overhead: 2' 'pod requests: 2' 'resource: "example.com/device"' 'volumes: 1[67]' \
        'gce: "gce-disk"' 'gce read only: 1' 'ebs: "ebs-disk"' 'iscsi: "iqn.2001-04.com.example:disk"' 'iscsi read only: 1' \
        'rbd pool: "rbd-pool"' 'rbd image: "rbd-image"' 'rbd monitors: 2' 'rbd read only: 1' \
        'azure: "https://disks.example/disk.vhd"' 'cinder: "cinder-disk"' 'portworx: "portworx-disk"' \
        'claim: "readers-classless"' 'ephemeral: 1' 'nominated: "reader-0"' 'reason: "SchedulingGated"' \
        'message: "two gates: “first”, second"' 'phase: "Pending"'
    agree pods readers-placed 'node: "reader-0"' 'host network: 1' 'container statuses: 1' 'allocated: 2' \
        'has actual: 1' 'actual: 2' 'init container statuses: 1' 'phase: "Running"' 'conditions: [1-9].*'
}

@test "readers: nodes and namespaces" {
    agree nodes reader-0 'unschedulable: 1' 'taints: [2-4]' 'key: "dedicated"' 'value: "readers"' 'effect: "NoExecute"' \
        'resource: "example.com/device"' 'features: 2' '-: "FeatureB"'
    agree namespaces "$SPACE" 'key: "yunikorn.apache.org/namespace.maxApps"' 'value: "7"'
}

@test "readers: priority classes, configuration and disruption budgets" {
    agree priorityclasses readers 'value: -1000' 'global default: 0' 'preemption policy: "Never"' \
        'key: "yunikorn.apache.org/allow-preemption"'
    agree configmaps readers 'data: 2' 'value: "zwölf' 'binary data: 3' 'key: "bytes"' 'value: "plain"'
    agree poddisruptionbudgets readers 'has selector: 1' 'match labels: 1' 'match expressions: 2' 'operator: "NotIn"' \
        'values: 2' 'disruptions allowed: 1'
}

@test "readers: claims, volumes and storage classes" {
    agree persistentvolumeclaims readers 'has class: 1' 'class: "readers"' 'mode: "Block"' 'access: 2' 'selector: 1' \
        'match expressions: 1' 'key: "volume.kubernetes.io/selected-node"' 'value: "nowhere"' 'requests: 1' 'phase: "Pending"'
    agree persistentvolumeclaims readers-classless 'has class: 1' 'class: absent' 'volume: "readers-absent"' \
        'attributes: "gold"' '-: "ReadWriteOncePod"'
    agree persistentvolumes readers 'capacity: 1' 'csi driver: "csi.example"' 'csi handle: "handle-1"' 'has claim: 1' \
        'namespace: "default"' 'uid: "3c2a8d0e-8f61-4d5c-9d49-0123456789ab"' 'class: "readers"' 'mode: "Filesystem"' \
        'attributes: "gold"' 'required affinity: 1' 'terms: 2' 'operator: "Gt"' 'fields: 1'
    agree storageclasses readers 'provisioner: "csi.example"' 'binding: "WaitForFirstConsumer"' 'topologies: 2' \
        'requirements: 2' '-: "zone-2"'
}

@test "readers: what storage drivers say" {
    agree csinodes reader-0 'drivers: 3' 'name: "none.example"' 'limit: 7' 'limit: 0' 'has limit: 0' \
        'key: "storage.alpha.kubernetes.io/migrated-plugins"'
    agree csidrivers csi.example 'storage capacity: 1' 'prevent if missing: 0'
    agree csistoragecapacities readers 'topology: 1' 'match labels: 1' 'match expressions: 1' 'class: "readers"' \
        'capacity: 1' 'maximum: 1'
    agree volumeattachments readers 'attacher: "csi.example"' 'node: "reader-0"' 'volume: "readers"'
}

# stream KIND NAME FILE: a watch of one object in each encoding, until the server ends it.
stream() {
    local url
    url="$(url "$1")?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    url="$url&fieldSelector=metadata.name%3D$2&timeoutSeconds=8"
    fetch "$url" application/json "$3.json" &
    fetch "$url" "$PROTOBUF;stream=watch" "$3.protobuf" &
}

# have_begun FILE...: each of these streams has sent its first event.
have_begun() {
    local file
    for file in "$@"; do [ -s "$file.json" ] && [ -s "$file.protobuf" ] || return 1; done
}

# Each stream begins with the object as it is, so nothing may change until all have begun.
@test "readers: watches, from the initial list to a change and the end" {
    local of kind file kept files=() ending=(configmaps/readers csidrivers/csi.example csinodes/reader-0
        csistoragecapacities/readers poddisruptionbudgets/readers pods/readers priorityclasses/readers
        storageclasses/readers volumeattachments/readers)
    # Kubernetes takes its time for the end of these. (The pod may go with its owner, the ConfigMap.)
    kept=(namespaces/"$SPACE" nodes/reader-0 persistentvolumeclaims/readers persistentvolumes/readers)
    for of in "${ending[@]}" "${kept[@]}"; do
        files+=("$BATS_TEST_TMPDIR/${of%/*}")
        stream "${of%/*}" "${of#*/}" "$BATS_TEST_TMPDIR/${of%/*}"
    done
    eventually have_begun "${files[@]}"
    kubectl -n "$SPACE" label "${ending[@]}" "${kept[@]}" changed=now >/dev/null
    kubectl -n "$SPACE" delete "${ending[@]}" --wait=false --ignore-not-found >/dev/null 2>&1
    wait
    for file in "${files[@]}"; do
        kind="$(basename "$file")"
        same "$kind" watch "$file" || fail "$kind: $(tr -d "\0" <"$file.diff")"
        grep -aqx -- "--- added" "$file.text" || fail "no beginning of $kind"
        grep -aqx -- "--- end of the list: has a version 1" "$file.text" || fail "no end of the list of $kind"
        grep -aqx -- '--- modified' "$file.text" || fail "no change of $kind"
    done
    for of in "${ending[@]}"; do
        grep -aqx -- '--- deleted' "$BATS_TEST_TMPDIR/${of%/*}.text" || fail "no end of $of"
    done
}
