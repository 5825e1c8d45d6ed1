# SPDX-License-Identifier: Apache-2.0
# The chart and the plain manifests: what they render, and what a real API server says to it.

bats_require_minimum_version 1.5.0
load lib/e2e

CHART="$REPO/deploy/helm/yunikorn"
MANIFESTS="$REPO/deploy/manifests"

teardown() { tidy; }

# rendered [HELM ARGS...]: the chart's objects as a JSON list.
rendered() {
    helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" "$@" | kubectl create --dry-run=client -o json -f - |
        jq -s '[.[] | if .kind == "List" then .items[] else . end]'
}

# one KIND [HELM ARGS...]
one() { rendered "${@:2}" | jq --arg kind "$1" '.[] | select(.kind == $kind)'; }

# manifest FILE: in the suite's namespace instead of the one it names.
manifest() { sed "s/namespace: yunikorn\$/namespace: $E2E_SYSTEM/" "$MANIFESTS/$1"; }

@test "chart: helm lint has nothing to say" {
    helm lint --strict "$CHART"
    helm lint --strict "$CHART" -f "$BATS_TEST_DIRNAME/data/values-1.9.yaml"
}

@test "chart: objects have their known names" {
    run -0 jq -r '.[] | "\(.kind)/\(.metadata.name)"' <(rendered)
    diff <(sort <<<"$output") - <<'LIST'
ClusterRole/yunikorn-scheduler
ClusterRoleBinding/yunikorn-rbac
ConfigMap/yunikorn-defaults
Deployment/yunikorn-scheduler
Role/yunikorn-scheduler
RoleBinding/yunikorn-rbac
Service/yunikorn-service
ServiceAccount/yunikorn-admin
LIST
}

@test "chart: a values file of 1.9 is taken as it is" {
    objects="$(rendered -f "$BATS_TEST_DIRNAME/data/values-1.9.yaml")"
    deployment="$(jq '.[] | select(.kind == "Deployment") | .spec.template.spec' <<<"$objects")"
    equal "$(jq -r '.containers[0].image' <<<"$deployment")" example/yunikorn:scheduler-1.9.0
    equal "$(jq -r '.dnsPolicy' <<<"$deployment")" ClusterFirstWithHostNet
    equal "$(jq -r '.containers | length' <<<"$deployment")" 1
    equal "$(jq -r '.securityContext | "\(.fsGroup) \(.runAsNonRoot)"' <<<"$deployment")" "1000 true"
    equal "$(jq -r '.containers[0].securityContext | "\(.runAsUser) \(.readOnlyRootFilesystem)"' <<<"$deployment")" \
        "1234 true"
    equal "$(jq -r '[.[] | select(.kind == "Ingress")] | length' <<<"$objects")" 1
    kubectl apply --dry-run=server -f - <<<"$(jq '{apiVersion: "v1", kind: "List", items: .}' <<<"$objects")"
}

@test "chart: the Secret with the settings of LDAP is mounted where they are read" {
    spec="$(one Deployment --set ldapSecretName=directory | jq .spec.template.spec)"
    equal "$(jq -r '.volumes[0] | "\(.name) \(.secret.secretName)"' <<<"$spec")" "ldap directory"
    equal "$(jq -r '.containers[0].volumeMounts[0] | "\(.name) \(.mountPath) \(.readOnly)"' <<<"$spec")" \
        "ldap /run/secrets/ldap true"
    equal "$(one Deployment | jq -r '.spec.template.spec | has("volumes")')" false
}

@test "chart: yunikornDefaults become text, deprecated values only fill gaps" {
    data="$(one ConfigMap -f "$BATS_TEST_DIRNAME/data/values-1.9.yaml" | jq .data)"
    equal "$(jq -r '.["service.clusterId"]' <<<"$data")" production
    equal "$(jq -r '.["event.ringBufferCapacity"]' <<<"$data")" 1048576
    equal "$(jq -r '.["service.enableConfigHotRefresh"]' <<<"$data")" true
    equal "$(jq -r '.["service.placeholderImage"]' <<<"$data")" example/pause:3.7
    equal "$(jq -r '.["admissionController.filtering.processNamespaces"]' <<<"$data")" "^team-"
    equal "$(jq -r '.["admissionController.filtering.bypassNamespaces"]' <<<"$data")" '^kube-system$'
    contains "$(jq -r '.["queues.yaml"]' <<<"$data")" '^partitions:'
}

@test "chart: ConfigMap yunikorn-defaults survives an uninstall" {
    equal "$(one ConfigMap | jq -r '.metadata.annotations["helm.sh/resource-policy"]')" keep
}

@test "chart: a misspelt value is refused by name" {
    run ! helm template yunikorn "$CHART" --set yunikornDefault.a=b
    contains "$output" yunikornDefault
    run ! helm template yunikorn "$CHART" --set service.port=http
    contains "$output" port
}

@test "chart: security defaults can be overridden, key by key, and taken away" {
    spec="$(one Deployment --set podSecurityContext.runAsUser=7 --set schedulerSecurityContext.capabilities=null |
        jq .spec.template.spec)"
    equal "$(jq -r '.securityContext.runAsUser' <<<"$spec")" 7
    equal "$(jq -r '.securityContext.runAsNonRoot' <<<"$spec")" true
    equal "$(jq -r '.containers[0].securityContext.capabilities' <<<"$spec")" null
}

@test "chart: further environment reaches the scheduler" {
    env="$(one Deployment --set-json 'extraEnv=[{"name": "DISABLE_RESERVATION", "value": "true"}]' |
        jq -c '.spec.template.spec.containers[0].env[1]')"
    equal "$env" '{"name":"DISABLE_RESERVATION","value":"true"}'
}

@test "chart: probes ask the paths the scheduler serves" {
    container="$(one Deployment | jq '.spec.template.spec.containers[0]')"
    equal "$(jq -r '"\(.livenessProbe.httpGet.path) \(.readinessProbe.httpGet.path)"' <<<"$container")" "/livez /readyz"
    equal "$(one Deployment | jq -r .spec.strategy.type)" Recreate
}

@test "chart: several replicas elect a leader" {
    alone="$(one Deployment | jq .spec)"
    equal "$(jq -c '[.replicas, .template.spec.containers[0].args]' <<<"$alone")" '[1,["scheduler","--web-port=9080"]]'
    several="$(one Deployment --set replicas=3 --set leaderElection.leaseDuration=30s | jq .spec)"
    equal "$(jq -r '"\(.replicas) \(.strategy.type)"' <<<"$several")" "3 RollingUpdate"
    equal "$(jq -c '.template.spec.containers[0].args[2:]' <<<"$several")" \
        '["--leader-elect","--leader-elect-lease-duration=30s","--leader-elect-renew-deadline=10s","--leader-elect-retry-period=2s"]'
    equal "$(one Deployment --set leaderElection.enabled=true | jq -r .spec.strategy.type)" RollingUpdate
    equal "$(one Deployment --set leaderElection.enabled=false | jq -r .spec.strategy.type)" Recreate
    run ! helm template yunikorn "$CHART" --set replicas=2 --set leaderElection.enabled=false
    contains "$output" 'replicas above 1 need leaderElection'
    run ! helm template yunikorn "$CHART" --set leaderElection.leaseDuration=15
    contains "$output" leaseDuration
    helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" --set replicas=2 | kubectl apply --dry-run=server -f -
}

@test "chart: TLS of the REST interface" {
    equal "$(one Deployment | jq -r '.spec.template.spec.volumes // "none"')" none
    tls=(--set restTLS.secretName=rest-tls --set restTLS.clientCA=true --set restTLS.minVersion=1.3)
    spec="$(one Deployment "${tls[@]}" | jq '.spec.template.spec')"
    equal "$(jq -r '.volumes[0].secret.secretName' <<<"$spec")" rest-tls
    equal "$(jq -r '.containers[0].livenessProbe.httpGet.scheme' <<<"$spec")" HTTPS
    data="$(one ConfigMap "${tls[@]}" | jq .data)"
    folder="$(jq -r '.containers[0].volumeMounts[0].mountPath' <<<"$spec")"
    equal "$(jq -r '.["service.web.tls.certFile"]' <<<"$data")" "$folder/tls.crt"
    equal "$(jq -r '.["service.web.tls.clientCaFile"]' <<<"$data")" "$folder/ca.crt"
    equal "$(jq -r '.["service.web.tls.minVersion"]' <<<"$data")" 1.3
    helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" "${tls[@]}" | kubectl apply --dry-run=server -f -
    both="$(one Deployment "${tls[@]}" --set ldapSecretName=directory | jq '.spec.template.spec')"
    equal "$(jq -c '[.volumes[].name], [.containers[0].volumeMounts[].name]' <<<"$both" | sort -u)" '["ldap","rest-tls"]'
}

@test "chart: the API server accepts every object" {
    helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" | kubectl apply --dry-run=server -f -
}

@test "chart: the pod satisfies the restricted pod security standard" {
    restricted="$(namespace restricted)"
    kubectl label namespace "$restricted" pod-security.kubernetes.io/enforce=restricted
    one Deployment | jq --arg namespace "$restricted" '.spec.template * {apiVersion: "v1", kind: "Pod",
        metadata: {name: "restricted", namespace: $namespace}} | del(.spec.serviceAccountName)' |
        kubectl create --dry-run=server -f -
}

@test "manifests: the API server accepts every object" {
    for file in yunikorn-rbac.yaml leader-election.yaml yunikorn-configs.yaml scheduler.yaml; do
        manifest "$file" | kubectl apply --dry-run=server -f -
    done
}

@test "manifests: say the same as the chart" {
    plain="$(for file in yunikorn-rbac.yaml scheduler.yaml; do manifest "$file"; echo ---; done |
        kubectl create --dry-run=client -o json -f - |
        jq -s '[.[] | if .kind == "List" then .items[] else . end]')"
    for part in '.[] | select(.kind == "ClusterRole") | .rules' '.[] | select(.kind == "Role") | .rules' \
        '.[] | select(.kind == "Service") | .spec.ports' \
        '.[] | select(.kind == "Deployment") | .spec.template.spec'; do
        diff <(jq -S "$part" <<<"$plain") <(rendered | jq -S "$part")
    done
    lease='[.[] | select(.metadata.name | endswith("-lease")) | {kind, rules, roleRef, subjects}] | sort_by(.kind)'
    diff <(manifest leader-election.yaml | kubectl create --dry-run=client -o json -f - |
        jq -s '[.[] | if .kind == "List" then .items[] else . end]' | jq -S "$lease") \
        <(rendered --set replicas=2 | jq -S "$lease")
}

@test "role: exactly what the scheduler does" {
    may() { kubectl auth can-i "$@" --as "system:serviceaccount:$E2E_SYSTEM:yunikorn-admin" -q; }
    may create pods --subresource=binding -n default
    may patch pods --subresource=status -n default
    may create pods -n default
    may delete pods -n default
    may update pods --subresource=finalizers -n default
    may create events.events.k8s.io -n default
    may patch events.events.k8s.io -n default
    for kind in pods nodes namespaces priorityclasses.scheduling.k8s.io poddisruptionbudgets.policy; do
        may list "$kind" -A
        may watch "$kind" -A
    done
    may watch configmaps -n "$E2E_SYSTEM"
    may patch configmaps/yunikorn-configs -n "$E2E_SYSTEM"
    may create tokenreviews.authentication.k8s.io
    may patch persistentvolumes
    may patch persistentvolumeclaims -n default
    for kind in persistentvolumes persistentvolumeclaims {storageclasses,csinodes,csidrivers,csistoragecapacities,volumeattachments}.storage.k8s.io; do
        may watch "$kind" -A
    done
    for no in "get pods -n default" "get nodes" "create events -n default" "get secrets -n $E2E_SYSTEM" "list configmaps -n default" "update pods -n default" "patch nodes" \
        "update configmaps/yunikorn-configs -n $E2E_SYSTEM" "patch configmaps/yunikorn-defaults -n $E2E_SYSTEM" "create deployments.apps -n default" \
        "delete persistentvolumes" "create persistentvolumeclaims -n default" "patch csinodes.storage.k8s.io"; do
        # shellcheck disable=SC2086 # words
        if may $no; then fail "the scheduler may $no"; fi
    done
}

@test "chart: helm install, upgrade and uninstall" {
    own_cluster_only
    home="$(namespace release)"
    helm install yunikorn "$CHART" --namespace "$home"
    kubectl -n "$home" get deployment/yunikorn-scheduler service/yunikorn-service configmap/yunikorn-defaults
    helm upgrade yunikorn "$CHART" --namespace "$home" --set yunikornDefaults.log\\.level=DEBUG \
        --set embedAdmissionController=true >"$BATS_TEST_TMPDIR/notes"
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'WARNING: embedAdmissionController'
    equal "$(kubectl -n "$home" get configmap yunikorn-defaults -o 'jsonpath={.data.log\.level}')" DEBUG
    helm uninstall yunikorn --namespace "$home"
    eventually equals "" kubectl -n "$home" get deployments -o name
    kubectl -n "$home" get configmap yunikorn-defaults
    kubectl delete clusterrole/yunikorn-scheduler clusterrolebinding/yunikorn-rbac
}
