# SPDX-License-Identifier: Apache-2.0
# Each filter makes a pod wait, with the words of kube-scheduler, and lets it go as soon as what was in the way is gone
# (docs/reference/predicates.md 1.4 and 4). The nodes: filters-0 in zone a, filters-1 and filters-2 in zone b.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes filters 3 4 32Gi '.metadata.labels.zone = (if .metadata.name == "filters-0" then "a" else "b" end)'
    SPACE="$(namespace filters)"
    export SPACE
    # The words count every node there is: those of the file before may still be going.
    eventually equals 3 count_nodes
    scheduler_start
}

setup() { own_cluster_only; }

teardown() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    kubectl -n "$SPACE" delete pods --all --force --grace-period=0 --wait=false >/dev/null 2>&1 || true
    kubectl get nodes -o name | grep -v '/filters-[0-9]$' | xargs -r kubectl delete --wait=false >/dev/null 2>&1 || true
    kubectl delete runtimeclasses -l "yunikorn-e2e=$E2E_ID" --wait=false >/dev/null 2>&1 || true
    kubectl uncordon -l e2e-group=filters >/dev/null 2>&1 || true
    kubectl patch nodes filters-0 filters-1 filters-2 --type=merge -p '{"metadata": {"labels": {"rack": null}}}' >/dev/null 2>&1 || true
    for node in filters-0 filters-1 filters-2; do kubectl taint node "$node" e2e- >/dev/null 2>&1 || true; done
    tidy
    eventually equals 3 count_nodes
    eventually equals 0 count_pods "$SPACE"
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    finish "$SPACE" filters
}

count_nodes() { kubectl get nodes -o name | wc -l; }

# waits POD REASONS [NODES]: none of the NODES (3) takes the pod, and its condition and an event say so.
waits() {
    local words="0/${3:-3} nodes are available: $2."
    eventually is_told "$1" "$words" || fail "$1 has '$(condition "$SPACE" "$1" message)'"
    eventually is_warned "$1" "$words" || fail "$1 is warned '$(event "$SPACE" "$1" FailedScheduling)'"
    is_unschedulable "$SPACE" "$1" || fail "$1 is $(condition "$SPACE" "$1" reason)"
    run ! is_bound "$SPACE" "$1"
}
is_told() { [ "$(condition "$SPACE" "$1" message)" = "$2" ]; }
is_warned() { event "$SPACE" "$1" FailedScheduling | grep -Fqx -- "Warning: $2"; }

# starts POD NODES...: the pod comes to one of them, and runs.
starts() {
    eventually is_bound "$SPACE" "$1"
    contains " ${*:2} " " $(node_of "$SPACE" "$1") "
    eventually equals Running kubectl -n "$SPACE" get pod "$1" -o 'jsonpath={.status.phase}'
}

# count_on NODES...: how many pods of our space are there.
count_on() { for node in "$@"; do kubectl -n "$SPACE" get pods --field-selector "spec.nodeName=$node" -o name; done | wc -l; }

bound() { kubectl -n "$SPACE" get pods -o json | jq -r '.items[] | select(.spec.nodeName).metadata.name'; }
unbound() { kubectl -n "$SPACE" get pods -o json | jq -r '.items[] | select(.spec.nodeName == null).metadata.name'; }

remove() { kubectl -n "$SPACE" delete pod "$1" --wait=false >/dev/null; }

# on NODE: nothing but that node will do.
on() { printf '.spec.nodeSelector = {"kubernetes.io/hostname": "%s"}' "$1"; }

# is_known NODE JQ: the scheduler sees the node like this.
is_known() { rest "/ws/v1/partition/default/node/$1" | jq -e "$2" >/dev/null; }

offers() { kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\": {\"allocatable\": $2, \"capacity\": $2}}" >/dev/null; }

cordon() {
    kubectl cordon "$@" >/dev/null
    for node in "$@"; do eventually is_known "$node" '.schedulable == false'; done
}

# --- what the node says ------------------------------------------------------------------------

tolerating='.spec.tolerations = [{key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule"}]'

@test "filters: cordoned nodes take no pods but those that tolerate it" {
    cordon filters-0 filters-1 filters-2
    pods "$SPACE" shut-out 1
    waits shut-out-0 "3 node(s) were unschedulable"
    pods "$SPACE" tolerant 1 "$tolerating"
    starts tolerant-0 filters-0 filters-1 filters-2
    kubectl uncordon filters-1
    starts shut-out-0 filters-1
    # A cordoned node is the last resort.
    pods "$SPACE" choosy 2 "$tolerating"
    starts choosy-0 filters-1
    starts choosy-1 filters-1
}

@test "filters: taints keep pods away that do not tolerate them all" {
    kubectl taint nodes -l e2e-group=filters e2e=a:NoSchedule >/dev/null
    kubectl taint node filters-2 e2e=b:NoExecute >/dev/null
    eventually equals "a b" taints filters-2
    pods "$SPACE" intolerant 1
    waits intolerant-0 "3 node(s) had untolerated taint(s)"
    pods "$SPACE" half 1 "$(on filters-2)"' | .spec.tolerations = [{key: "e2e", operator: "Exists", effect: "NoSchedule"}]'
    waits half-0 "1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector"
    pods "$SPACE" broad 1 "$(on filters-2)"' | .spec.tolerations = [{key: "e2e", operator: "Exists"}]'
    starts broad-0 filters-2
    pods "$SPACE" equal 1 "$(on filters-0)"' | .spec.tolerations = [{key: "e2e", value: "a", effect: "NoSchedule"}]'
    starts equal-0 filters-0
    # Kubernetes evicts the pod if it is bound before the controller of taints has seen that the taint is gone.
    kubectl cordon filters-2 >/dev/null
    kubectl taint node filters-2 e2e:NoExecute- >/dev/null
    sleep 2
    kubectl uncordon filters-2 >/dev/null
    starts half-0 filters-2
    # A preference is no obstacle.
    kubectl taint node filters-1 e2e=a:PreferNoSchedule >/dev/null
    kubectl taint node filters-1 e2e:NoSchedule- >/dev/null
    starts intolerant-0 filters-1
}

taints() { kubectl get node "$1" -o json | jq -r '[.spec.taints[]? | select(.key == "e2e") | .value] | sort | join(" ")'; }

@test "filters: taints are compared as numbers" {
    kubectl taint nodes -l e2e-group=filters e2e=80:NoSchedule >/dev/null
    compare='.spec.tolerations = [{key: "e2e", effect: "NoSchedule"}] | .spec.tolerations[0] += '
    pods "$SPACE" greater 1 "$compare"'{operator: "Gt", value: "79"}' || skip "the API server does not take these operators"
    pods "$SPACE" less 1 "$compare"'{operator: "Lt", value: "80"}'
    starts greater-0 filters-0 filters-1 filters-2
    waits less-0 "3 node(s) had untolerated taint(s)"
    kubectl taint --overwrite node filters-1 e2e=9:NoSchedule >/dev/null
    starts less-0 filters-1
}

@test "filters: node selector and node affinity must match" {
    terms='.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
    pods "$SPACE" selects 1 '.spec.nodeSelector = {rack: "7"}'
    pods "$SPACE" wants 1 "$terms"' = [{matchExpressions: [{key: "rack", operator: "Gt", values: ["7"]}]},
        {matchExpressions: [{key: "rack", operator: "In", values: ["x"]}, {key: "zone", operator: "NotIn", values: ["b"]}]}]'
    for name in selects wants; do waits "$name-0" "3 node(s) didn't match Pod's node affinity/selector"; done
    kubectl label node filters-2 rack=7 >/dev/null
    starts selects-0 filters-2
    run ! is_bound "$SPACE" wants-0
    kubectl label --overwrite node filters-2 rack=x >/dev/null # one of two in this term
    kubectl label node filters-0 rack=x >/dev/null
    starts wants-0 filters-0
}

@test "filters: a pod that names its node waits for it" {
    named='.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms =
        [{matchFields: [{key: "metadata.name", operator: "In", values: ["filters-later-0"]}]}]'
    pods "$SPACE" named 1 "$named"
    waits named-0 "3 node(s) didn't satisfy plugin(s) [NodeAffinity]"
    nodes filters-later 1
    starts named-0 filters-later-0
}

@test "filters: a node must declare the features that a pod needs" {
    restarts='.spec.containers[0] += {restartPolicy: "Never", restartPolicyRules:
        [{action: "RestartAllContainers", exitCodes: {operator: "In", values: [1]}}]}'
    pods "$SPACE" featured 1 "$restarts" || skip "the API server does not take such rules"
    waits featured-0 "3 node(s) didn't match Pod's required features"
    declares filters-0 '["UserNamespacesHostNetworkSupport"]' # another one is no help
    pods "$SPACE" witness 1
    starts witness-0 filters-0 filters-1 filters-2
    run ! is_bound "$SPACE" featured-0
    declares filters-1 '["RestartAllContainersOnContainerExits"]'
    starts featured-0 filters-1
    declares filters-0 null
    declares filters-1 null
}

declares() {
    kubectl patch node "$1" --subresource=status --type=merge -p "{\"status\": {\"declaredFeatures\": $2}}" >/dev/null
}

# --- the pods of the node -------------------------------------------------------------------

port='{hostPort: 8080, containerPort: 80}'

@test "filters: a host port is one pod's, until that pod ends or goes" {
    pods "$SPACE" holds 3 ".spec.containers[0].ports = [$port]"
    eventually all_bound "$SPACE" 3 group=holds
    equal "$(kubectl -n "$SPACE" get pods -o json | jq -r '[.items[].spec.nodeName] | unique | length')" 3 "nodes"
    pods "$SPACE" udp 1 ".spec.containers[0].ports = [$port + {protocol: \"UDP\"}]"
    eventually is_bound "$SPACE" udp-0
    clash="3 node(s) didn't have free ports for the requested pod ports"
    pods "$SPACE" sidecar 1 ".spec.initContainers = [{name: \"side\", image: \"busybox:stable\", restartPolicy: \"Always\", ports: [$port]}]"
    waits sidecar-0 "$clash"
    node="$(node_of "$SPACE" holds-1)"
    kubectl -n "$SPACE" patch pod holds-1 --subresource=status -p '{"status": {"phase": "Succeeded"}}' >/dev/null
    starts sidecar-0 "$node"
    # The sidecar holds it now; the address makes no difference as long as one of the two is any.
    pods "$SPACE" addressed 1 ".spec.containers[0].ports = [$port + {hostIP: \"127.0.0.1\"}]"
    waits addressed-0 "$clash"
    remove sidecar-0
    starts addressed-0 "$node"
    pods "$SPACE" other 1 "$(on "$node") | .spec.containers[0].ports = [$port + {hostIP: \"127.0.0.2\"}]"
    starts other-0 "$node"
}

@test "filters: a pod waits for capacity, and its condition names every resource that is short" {
    pods "$SPACE" large 1 "$(asking 5 64Gi)"
    waits large-0 "3 Insufficient cpu, 3 Insufficient memory"
    pods "$SPACE" tenants 6 "$(asking 2 64Mi)"
    eventually all_bound "$SPACE" 6 group=tenants
    pods "$SPACE" next 1 "$(asking 1500m 64Mi)"
    waits next-0 "3 Insufficient cpu"
    node="$(node_of "$SPACE" tenants-4)"
    remove tenants-4
    starts next-0 "$node"
    nodes filters-large 1 5 64Gi
    starts large-0 filters-large-0
}

@test "filters: init containers, sidecars, the pod's own requests and its overhead need room, too" {
    jq -n --arg name "$E2E_SYSTEM-heavy" --arg id "$E2E_ID" '{apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", handler: "heavy",
        metadata: {name: $name, labels: {"yunikorn-e2e": $id}}, overhead: {podFixed: {cpu: "4"}}}' | kubectl create -f - >/dev/null
    init='{name: "init", image: "busybox:stable", resources: {requests: {cpu: "4100m"}}}'
    pods "$SPACE" init 1 ".spec.initContainers = [$init]"
    pods "$SPACE" beside 1 ".spec.initContainers = [$init | .restartPolicy = \"Always\" | .resources.requests.cpu = \"4\"]"
    pods "$SPACE" whole 1 '.spec.resources.requests = {cpu: "4100m", memory: "64Mi"}'
    pods "$SPACE" heavy 1 ".spec.runtimeClassName = \"$E2E_SYSTEM-heavy\""
    for name in init beside whole heavy; do waits "$name-0" "3 Insufficient cpu"; done
    nodes filters-roomy 4 4100m
    for name in init beside whole heavy; do starts "$name-0" filters-roomy-0 filters-roomy-1 filters-roomy-2 filters-roomy-3; done
    for i in 0 1 2 3; do equal "$(count_on "filters-roomy-$i")" 1; done
}

@test "filters: a node takes no more pods than it says" {
    nodes filters-tiny 1 4 32Gi '.status.allocatable.pods = "1" | .status.capacity.pods = "1"'
    pods "$SPACE" tenant 1 "$(on filters-tiny-0)"
    starts tenant-0 filters-tiny-0
    pods "$SPACE" crowded 1 "$(on filters-tiny-0) | $(asking 0 0)"
    waits crowded-0 "1 Too many pods, 3 node(s) didn't match Pod's node affinity/selector" 4
    remove tenant-0
    starts crowded-0 filters-tiny-0
}

@test "filters: a pod waits for a resource that no node offers until one does" {
    fpga='.spec.containers[0].resources |= (.requests["example.com/fpga"] = "2" | .limits["example.com/fpga"] = "2")'
    pods "$SPACE" fpga 2 "$fpga"
    for i in 0 1; do waits "fpga-$i" "3 Insufficient example.com/fpga"; done
    offers filters-1 '{"example.com/fpga": "1"}'
    offers filters-2 '{"example.com/fpga": "3"}'
    eventually all_bound "$SPACE" 1
    equal "$(count_on filters-2)" 1
    offers filters-2 '{"example.com/fpga": "4"}'
    eventually all_bound "$SPACE" 2
    starts fpga-1 filters-2
}

# --- what stands elsewhere ---------------------------------------------------------------------

# spread KEY [FIELDS]: not more than one pod of its group above the others, by KEY.
spread() {
    printf '.spec.topologySpreadConstraints = [{topologyKey: "%s", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule",
        labelSelector: {matchLabels: {group: .metadata.labels.group}}} + %s]' "$1" "${2:-{\}}"
}

# device_class NAME RESOURCE
device_class() {
    jq -n --arg name "$1" --arg resource "$2" --arg id "$E2E_ID" '{apiVersion: "resource.k8s.io/v1", kind: "DeviceClass",
        metadata: {name: $name, labels: {"yunikorn-e2e": $id}}, spec: {extendedResourceName: $resource}}' | kubectl create -f - >/dev/null
}

@test "filters: a resource of a device class is waited for, and the class is named" {
    device_class gpus e2e.example/gpu
    pods "$SPACE" device 1 '.spec.containers[0].resources = {requests: {cpu: "100m", "e2e.example/gpu": "1"}, limits: {"e2e.example/gpu": "1"}}'
    waits device-0 "3 Insufficient e2e.example/gpu. e2e.example/gpu comes from DeviceClass 'gpus', which this scheduler does not allocate"
    kubectl patch node filters-1 --subresource=status --type=merge \
        -p '{"status": {"capacity": {"e2e.example/gpu": "1"}, "allocatable": {"e2e.example/gpu": "1"}}}' >/dev/null
    eventually is_on "$SPACE" device-0 filters-1 # a device plugin offers it: no allocation is needed
    kubectl delete deviceclasses gpus >/dev/null
    kubectl patch node filters-1 --subresource=status --type=merge \
        -p '{"status": {"capacity": {"e2e.example/gpu": null}, "allocatable": {"e2e.example/gpu": null}}}' >/dev/null
}

@test "filters: a spread constraint holds a pod until its zone, a new node or an old one makes it even" {
    even=".metadata.labels.group = \"even\" | $(spread zone)"
    uneven="1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints"
    cordon filters-0 # the only one of zone a, which stays a zone
    pods "$SPACE" first 1 "$even"
    starts first-0 filters-1 filters-2
    pods "$SPACE" second 3 "$even"
    for i in 0 1 2; do waits "second-$i" "$uneven"; done
    # One goes, and another takes its place.
    remove first-0
    eventually all_bound "$SPACE" 1
    # A new node in the other zone, with room for one: then one more fits here, too.
    nodes filters-late 1 100m 32Gi '.metadata.labels.zone = "a"'
    eventually all_bound "$SPACE" 3
    equal "$(count_on filters-late-0) $(count_on filters-1 filters-2)" "1 2"
    pods "$SPACE" third 2 "$even | $(asking 3800m 64Mi)"
    for i in 0 1; do waits "third-$i" "1 Insufficient cpu, $uneven" 4; done
    kubectl uncordon filters-0 >/dev/null
    eventually all_bound "$SPACE" 5
    equal "$(count_on filters-0) $(count_on filters-1 filters-2)" "1 3"
}

@test "filters: nodes without the topology label are no domain, and too few domains are none" {
    missing="node(s) didn't match pod topology spread constraints (missing required label)"
    pods "$SPACE" racked0 1 ".metadata.labels.group = \"racked\" | $(spread rack '{minDomains: 2}')"
    waits racked0-0 "3 $missing"
    kubectl label node filters-2 rack=one >/dev/null
    starts racked0-0 filters-2
    pods "$SPACE" racked1 1 ".metadata.labels.group = \"racked\" | $(spread rack '{minDomains: 2}')"
    waits racked1-0 "1 node(s) didn't match pod topology spread constraints, 2 $missing"
    kubectl label node filters-1 rack=one >/dev/null # the same rack is no help
    pods "$SPACE" witness 1
    starts witness-0 filters-0 filters-1 filters-2
    run ! is_bound "$SPACE" racked1-0
    kubectl label --overwrite node filters-1 rack=two >/dev/null
    starts racked1-0 filters-1
}

# near|away GROUP KEY [FIELDS]: where pods of that group are, or are not, by KEY.
near() { term podAffinity "$@"; }
away() { term podAntiAffinity "$@"; }
term() {
    printf '.spec.affinity.%s.requiredDuringSchedulingIgnoredDuringExecution = [{topologyKey: "%s",
        labelSelector: {matchLabels: {group: "%s"}}} + %s]' "$1" "$3" "$2" "${4:-{\}}"
}

@test "filters: a pod waits for the company it wants" {
    pods "$SPACE" guest 2 "$(near host zone)"
    for i in 0 1; do waits "guest-$i" "3 node(s) didn't match pod affinity rules"; done
    pods "$SPACE" host 1 "$(on filters-0)"
    starts host-0 filters-0
    for i in 0 1; do starts "guest-$i" filters-0; done
    # Where the key is missing, no company helps.
    pods "$SPACE" lost 1 "$(near host rack)"
    waits lost-0 "3 node(s) didn't match pod affinity rules"
    kubectl label node filters-0 filters-1 rack=long >/dev/null
    starts lost-0 filters-0 filters-1
}

@test "filters: the first of a group goes ahead, the others follow it" {
    pods "$SPACE" flock 4 "$(near flock kubernetes.io/hostname) | $(asking 1900m 64Mi)"
    eventually all_bound "$SPACE" 2
    node="$(kubectl -n "$SPACE" get pods -o json | jq -r '[.items[].spec.nodeName | values] | unique | join(" ")')"
    equal "$(wc -w <<<"$node")" 1 "nodes of the flock: $node"
    for name in $(unbound); do waits "$name" "1 Insufficient cpu, 2 node(s) didn't match pod affinity rules"; done
    remove "$(bound | head -n 1)"
    eventually all_bound "$SPACE" 2
    equal "$(count_on "$node")" 2
    # All gone: the one that is left starts again, on any node.
    last="$(unbound)"
    for name in $(bound); do remove "$name"; done
    starts "$last" filters-0 filters-1 filters-2
}

@test "filters: pods that avoid each other need a node each" {
    pods "$SPACE" apart 4 "$(away apart kubernetes.io/hostname)"
    eventually all_bound "$SPACE" 3
    equal "$(count_on filters-0)$(count_on filters-1)$(count_on filters-2)" 111
    fourth="$(unbound)"
    waits "$fourth" "3 node(s) didn't match pod anti-affinity rules"
    pods "$SPACE" zoned 1 "$(away apart zone)"
    waits zoned-0 "3 node(s) didn't match pod anti-affinity rules"
    nodes filters-extra 1
    starts "$fourth" filters-extra-0
    # This node has no zone: it cannot be in the wrong one.
    starts zoned-0 filters-extra-0
    pods "$SPACE" fifth 1 "$(away apart kubernetes.io/hostname)"
    waits fifth-0 "4 node(s) didn't match pod anti-affinity rules" 4
    # One that stands is of their group no more.
    kubectl -n "$SPACE" label --overwrite pod apart-0 group=others >/dev/null
    starts fifth-0 "$(node_of "$SPACE" apart-0)"
}

@test "filters: pods that stand are left alone by those they avoid" {
    pods "$SPACE" loner 2 "$(away crowd zone) | .spec.nodeSelector = {\"kubernetes.io/hostname\": (if .metadata.name == \"loner-0\" then \"filters-0\" else \"filters-1\" end)}"
    eventually all_bound "$SPACE" 2
    pods "$SPACE" crowd 2
    for i in 0 1; do waits "crowd-$i" "3 node(s) didn't satisfy existing pods anti-affinity rules"; done
    # One that waits is of that group no more.
    kubectl -n "$SPACE" label --overwrite pod crowd-1 group=few >/dev/null
    starts crowd-1 filters-0 filters-1 filters-2
    remove loner-0
    starts crowd-0 filters-0
    # And the other way round: who comes back finds them there.
    pods "$SPACE" shy 1 "$(away crowd zone) | $(on filters-0)"
    waits shy-0 "1 node(s) didn't match pod anti-affinity rules, 2 node(s) didn't match Pod's node affinity/selector"
}

@test "filters: a namespace gets the label that a term looks for, or loses it" {
    other="$(namespace filters-other)"
    team='{namespaceSelector: {matchLabels: {team: "blue"}}}'
    # An application belongs to one namespace, so this one has another id.
    pods "$other" host 1 "$(on filters-0) | .metadata.labels[\"yunikorn.apache.org/app-id\"] = \"host-elsewhere\""
    eventually is_bound "$other" host-0
    pods "$SPACE" guest 1 "$(near host zone "$team")"
    waits guest-0 "3 node(s) didn't match pod affinity rules"
    kubectl label namespace "$other" team=blue >/dev/null
    starts guest-0 filters-0
    pods "$SPACE" hermit 1 "$(away host zone "$team") | $(on filters-0)"
    waits hermit-0 "1 node(s) didn't match pod anti-affinity rules, 2 node(s) didn't match Pod's node affinity/selector"
    # Its own namespace is in the scope only if that matches, too.
    pods "$SPACE" host 1 "$(on filters-0)"
    starts host-0 filters-0
    kubectl label namespace "$other" team- >/dev/null
    starts hermit-0 filters-0
}

# --- all at once -------------------------------------------------------------------------------

@test "filters: many reasons are reported together, sorted as texts" {
    nodes filters-small 11 1 1Gi '.metadata.labels.zone = "c"'
    kubectl taint node filters-1 e2e=a:NoSchedule >/dev/null
    pods "$SPACE" holder 1 "$(on filters-2) | .spec.containers[0].ports = [$port]"
    starts holder-0 filters-2
    cordon filters-0
    kubectl label node filters-small-10 special=yes >/dev/null
    pods "$SPACE" greedy 1 "$(asking 2 2Gi) | .spec.containers[0].ports = [$port] |
        .spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms =
            [{matchExpressions: [{key: \"special\", operator: \"DoesNotExist\"}]}]"
    waits greedy-0 "1 node(s) didn't have free ports for the requested pod ports, 1 node(s) didn't match Pod's node affinity/selector, \
1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 10 Insufficient cpu, 10 Insufficient memory" 14
    kubectl uncordon filters-0
    starts greedy-0 filters-0
}
