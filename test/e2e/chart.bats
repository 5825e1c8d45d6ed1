# SPDX-License-Identifier: Apache-2.0
# The chart and the plain manifests: what they render, and what a real API server says to it.

bats_require_minimum_version 1.5.0
load lib/e2e

CHART="$REPO/deploy/helm/yunikorn"
MANIFESTS="$REPO/deploy/manifests"

teardown() { tidy; }

# rendered [HELM ARGS...]: the objects of the chart, or of that in $FROM, as a JSON list.
rendered() {
    helm template yunikorn "${FROM:-$CHART}" --namespace "$E2E_SYSTEM" "$@" | kubectl create --dry-run=client -o json -f - |
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
ClusterRole/yunikorn-scheduler-core
ClusterRole/yunikorn-scheduler-gangs
ClusterRole/yunikorn-scheduler-preemption
ClusterRoleBinding/yunikorn-scheduler-core
ClusterRoleBinding/yunikorn-scheduler-gangs
ClusterRoleBinding/yunikorn-scheduler-preemption
ConfigMap/yunikorn-defaults
Deployment/yunikorn-scheduler
Role/yunikorn-scheduler-config
RoleBinding/yunikorn-scheduler-config
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

# before DIR: a chart as it is left by --reuse-values, with the values of the release before as its own.
before() {
    cp -r "$CHART" "$1"
    cp "$BATS_TEST_DIRNAME/data/values-1.8-defaults.yaml" "$1/values.yaml"
}

@test "chart: the values of 1.8 are taken by --reuse-values" {
    before "$BATS_TEST_TMPDIR/reused"
    FROM="$BATS_TEST_TMPDIR/reused"
    container="$(one Deployment | jq '.spec.template.spec.containers[0]')"
    equal "$(jq -c .args <<<"$container")" '["scheduler","--web-port=9080"]'
    equal "$(jq -r '.resources.limits.memory' <<<"$container")" 2Gi
    equal "$(one Deployment --set replicas=2 | jq -c '.spec.template.spec.containers[0].args[3:]')" \
        '["--leader-elect-lease-duration=15s","--leader-elect-renew-deadline=10s","--leader-elect-retry-period=2s"]'
    equal "$(one ClusterRole --set rbac.gangs=false | jq -r .metadata.name | sort | paste -sd ' ')" \
        "yunikorn-scheduler-core yunikorn-scheduler-preemption"
}

@test "chart: an image of Apache's is replaced, others are taken" {
    image() { one Deployment "$@" | jq -r '.spec.template.spec.containers[0] | "\(.image) \(.imagePullPolicy)"'; }
    default="$(image)"
    for name in apache/yunikorn docker.io/apache/yunikorn mirror.example:5000/hub/apache/yunikorn; do
        equal "$(image --set image.repository=$name,image.tag=scheduler-1.9.0,image.pullPolicy=Always)" "$default"
    done
    equal "$(image -f "$BATS_TEST_DIRNAME/data/values-1.8-defaults.yaml")" "$default"
    for name in example/yunikorn not-apache/yunikorn apache/yunikorn-fork; do
        equal "$(image --set image.repository=$name,image.tag=1,image.pullPolicy=Always)" "$name:1 Always"
    done
}

@test "chart: a tag of Apache's is replaced with the default repository" {
    image() { one Deployment "$@" | jq -r '.spec.template.spec.containers[0] | "\(.image) \(.imagePullPolicy)"'; }
    default="$(image)"
    for tag in scheduler-1.9.0 scheduler-1.3.0 scheduler-1.9.0-amd64 scheduler-1.10.2-rc1 scheduler-plugin-1.6.0; do
        equal "$(image --set image.tag=$tag,image.pullPolicy=Always)" "$default"
        equal "$(image --set image.repository=example/yunikorn,image.tag=$tag)" "example/yunikorn:$tag IfNotPresent"
    done
    for tag in scheduler-latest scheduler-1 scheduler-1.9 scheduler-1.9.0x my-scheduler-1.9.0 1.9.0; do
        equal "$(image --set-string image.tag=$tag)" "yunikorn:$tag IfNotPresent"
    done
    for name in apache/yunikorn@sha256 docker.io/apache/yunikorn@sha256 apache/yunikorn:scheduler-1.9.0; do
        equal "$(image --set "image.repository=$name,image.pullPolicy=Always")" "$default"
    done
}

@test "chart: the notes name an image that is replaced" {
    notes() {
        helm install yunikorn "$CHART" --namespace "$E2E_SYSTEM" --dry-run=client --take-ownership "$@" |
            sed '1,/^NOTES:/d'
    }
    contains "$(notes --set image.tag=scheduler-1.9.0)" 'WARNING: image.tag is scheduler-1.9.0,'
    contains "$(notes --set image.repository=apache/yunikorn@sha256)" 'WARNING: image.repository is apache/yunikorn@sha256,'
    for other in image.tag=scheduler-latest image.repository=example/yunikorn,image.tag=scheduler-1.9.0; do
        output="$(notes --set "$other")"
        contains "$output" 'The scheduler is installed'
        [[ "$output" != *"WARNING: image"* ]] || fail "$output"
    done
}

@test "chart: plugin mode of 1.3 to 1.8 changes nothing" {
    diff <(rendered) <(rendered --set enableSchedulerPlugin=true --set pluginImage.repository=apache/yunikorn \
        --set pluginImage.tag=scheduler-plugin-1.6.0)
}

@test "chart: the rights are ordinary objects" {
    equal "$(rendered --set replicas=2 | jq '[.[] | select(.metadata.annotations["helm.sh/hook"])] | length')" 0
}

@test "chart: rights for gangs and for preemption can be left out" {
    deletes() { one ClusterRole "$@" | jq -r 'select([.rules[].verbs[]] | index("delete")) | .metadata.name' | paste -sd ' '; }
    equal "$(deletes)" "yunikorn-scheduler-gangs yunikorn-scheduler-preemption"
    equal "$(deletes --set rbac.gangs=false)" yunikorn-scheduler-preemption
    equal "$(deletes --set rbac.preemption=false)" yunikorn-scheduler-gangs
    equal "$(deletes --set rbac.gangs=false,rbac.preemption=false)" ""
    equal "$(one ClusterRoleBinding --set rbac.gangs=false | jq -r .roleRef.name | paste -sd ' ')" \
        "yunikorn-scheduler-core yunikorn-scheduler-preemption"
    equal "$(one ConfigMap --set rbac.gangs=false | jq -r '.data["service.disableGangScheduling"]')" true
    equal "$(one ConfigMap | jq -r '.data["service.disableGangScheduling"]')" null
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
    for wrong in 15 abc 15x '' '15 s' -15s s; do
        for key in leaseDuration renewDeadline retryPeriod; do
            run ! helm template yunikorn "$CHART" --set-string "leaderElection.$key=$wrong"
            contains "$output" "$key"
        done
    done
    equal "$(one Deployment --set replicas=2 --set leaderElection.leaseDuration=1m30.5s |
        jq -r '.spec.template.spec.containers[0].args[3]')" --leader-elect-lease-duration=1m30.5s
    helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" --set replicas=2 | kubectl apply --dry-run=server -f -
}

@test "chart: times of the leader election that cannot work are refused" {
    # refused TIMES MESSAGE
    refused() {
        run ! helm template yunikorn "$CHART" --set "$1"
        contains "$output" "$2"
    }
    e=leaderElection
    for key in leaseDuration renewDeadline retryPeriod; do
        for wrong in 0s 0.1ns 99999999999999999h 24h1ns; do
            refused "$e.$key=$wrong" "$e.$key \\($wrong\\) must be longer than 0s and at most 24h"
        done
    done
    for lease in 1s 10s; do
        refused "$e.leaseDuration=$lease" "$e.leaseDuration \\($lease\\) must be longer than renewDeadline \\(10s\\)"
    done
    refused "$e.renewDeadline=1m" "leaseDuration \\(15s\\) must be longer than renewDeadline \\(1m\\)"
    for retry in 20s 10s 9s 8334ms; do
        refused "$e.retryPeriod=$retry" "$e.renewDeadline \\(10s\\) must be longer than 1.2 times retryPeriod \\($retry\\)"
    done
    refused "$e.renewDeadline=12s,$e.retryPeriod=10s" "renewDeadline \\(12s\\) must be longer than 1.2 times"
    for fine in "$e.retryPeriod=8333ms" "$e.leaseDuration=24h,$e.renewDeadline=23h59m" "$e.leaseDuration=10.001s" \
        "$e.leaseDuration=3ms,$e.renewDeadline=2ms,$e.retryPeriod=1µs"; do
        helm template yunikorn "$CHART" --set "$fine" >/dev/null
    done
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
        '[.[] | select(.kind | endswith("Binding")) | [.metadata.name, .roleRef, .subjects]]' \
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
    for kind in pods nodes namespaces priorityclasses.scheduling.k8s.io poddisruptionbudgets.policy deviceclasses.resource.k8s.io; do
        may list "$kind" -A
        may watch "$kind" -A
    done
    may watch configmaps -n "$E2E_SYSTEM"
    may patch configmaps/yunikorn-configs -n "$E2E_SYSTEM"
    may create tokenreviews.authentication.k8s.io
    may create subjectaccessreviews.authorization.k8s.io
    may patch persistentvolumes
    may patch persistentvolumeclaims -n default
    for kind in persistentvolumes persistentvolumeclaims {storageclasses,csinodes,csidrivers,csistoragecapacities,volumeattachments}.storage.k8s.io; do
        may watch "$kind" -A
    done
    for no in "get pods -n default" "get nodes" "create events -n default" "get secrets -n $E2E_SYSTEM" "list configmaps -n default" "update pods -n default" "patch nodes" \
        "get persistentvolumes" "get persistentvolumeclaims -n default" "get storageclasses.storage.k8s.io" \
        "get csinodes.storage.k8s.io" "get csidrivers.storage.k8s.io" "get csistoragecapacities.storage.k8s.io -n default" \
        "get volumeattachments.storage.k8s.io" "update configmaps/yunikorn-configs -n $E2E_SYSTEM" "patch configmaps/yunikorn-defaults -n $E2E_SYSTEM" "create deployments.apps -n default" \
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
    made="$(kubectl get clusterrole yunikorn-scheduler-core -o jsonpath='{.metadata.uid}')"
    helm upgrade yunikorn "$CHART" --namespace "$home" --set yunikornDefaults.log\\.level=DEBUG \
        --set embedAdmissionController=true >"$BATS_TEST_TMPDIR/notes"
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'WARNING: embedAdmissionController'
    equal "$(kubectl -n "$home" get configmap yunikorn-defaults -o 'jsonpath={.data.log\.level}')" DEBUG
    # Changed in place: there is no moment without the rights.
    equal "$(kubectl get clusterrole yunikorn-scheduler-core -o jsonpath='{.metadata.uid}')" "$made"
    helm uninstall yunikorn --namespace "$home"
    eventually equals "" kubectl -n "$home" get deployments,roles,rolebindings,serviceaccounts -l release=yunikorn -o name
    run ! kubectl get clusterrole yunikorn-scheduler-core
    kubectl -n "$home" get configmap yunikorn-defaults
}

# removal_commands NAMESPACE: those of docs/install.md that remove the scheduler from a namespace that stays.
removal_commands() {
    awk '/^```sh$/ { text = ""; next }
        /^```$/ { if (text ~ /helm uninstall/) printf "%s", text; text = ""; next }
        { text = text $0 "\n" }' "$REPO/docs/install.md" | sed "/^helm uninstall/d; /delete namespace/d; s/-n yunikorn /-n $1 /"
}

# manifest_in NAMESPACE FILE
manifest_in() { sed "s/namespace: yunikorn\$/namespace: $1/" "$MANIFESTS/$2.yaml"; }

@test "manifests: the commands of docs/install.md remove all of them from a namespace that stays" {
    own_cluster_only
    home="$(namespace manifests)"
    for file in yunikorn-rbac yunikorn-configs scheduler leader-election; do
        manifest_in "$home" "$file" | kubectl apply -f -
    done
    removal="$(removal_commands "$home")"
    contains "$removal" 'delete .*clusterrole'
    bash -euc "$removal"
    for file in yunikorn-rbac yunikorn-configs scheduler leader-election; do
        equal "$(manifest_in "$home" "$file" | kubectl get --ignore-not-found -o name -f -)" ""
    done
}

# What the original chart leaves in the cluster: rights and service account were made by hooks.
original_chart() {
    mkdir -p "$1/templates"
    cp "$BATS_TEST_DIRNAME/data/values-1.8-defaults.yaml" "$1/values.yaml"
    printf 'apiVersion: v1\nname: yunikorn\nversion: 1.8.0\n' >"$1/Chart.yaml"
    cat >"$1/templates/rbac.yaml" <<'TEMPLATE'
apiVersion: v1
kind: ServiceAccount
metadata:
  name: yunikorn-admin
  annotations: {helm.sh/hook: pre-install}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: yunikorn-rbac
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: yunikorn-scheduler}
subjects: [{kind: ServiceAccount, name: yunikorn-admin, namespace: "{{ .Release.Namespace }}"}]
TEMPLATE
}

@test "chart: an upgrade from the original chart with --reuse-values" {
    own_cluster_only
    home="$(namespace upgrade)"
    original_chart "$BATS_TEST_TMPDIR/original"
    helm install yunikorn "$BATS_TEST_TMPDIR/original" --namespace "$home"
    account="$(kubectl -n "$home" get serviceaccount yunikorn-admin -o jsonpath='{.metadata.uid}')"
    helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >"$BATS_TEST_TMPDIR/notes"
    equal "$(kubectl -n "$home" get serviceaccount yunikorn-admin -o jsonpath='{.metadata.uid}')" "$account"
    kubectl auth can-i create pods --subresource=binding -n default --as "system:serviceaccount:$home:yunikorn-admin" -q
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'WARNING: image.repository is apache/yunikorn'
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'clusterrolebinding/yunikorn-rbac '
    helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >/dev/null
    helm uninstall yunikorn --namespace "$home"
    kubectl delete clusterrolebinding/yunikorn-rbac
}
