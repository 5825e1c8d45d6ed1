# SPDX-License-Identifier: Apache-2.0
# `yunikorn migrate check` on a real API server: what it finds after an installation of a chart of Apache YuniKorn, and that
# its commands and values mend it.

bats_require_minimum_version 1.5.0
load lib/e2e
load lib/original

CHART="$REPO/deploy/helm/yunikorn"

# The releases of these tests have webhooks of the same names as the suite's controller.
setup_file() { admission_away; }

teardown_file() { admission_back; }

teardown() {
    [ -z "${home:-}" ] || helm uninstall yunikorn --namespace "$home" --ignore-not-found >/dev/null
    kubectl delete --ignore-not-found mutatingwebhookconfiguration/yunikorn-admission-controller-mutations \
        validatingwebhookconfiguration/yunikorn-admission-controller-validations customresourcedefinition/servicemonitors.monitoring.coreos.com
    delete_hooked
    tidy
}

# check [ARGS...]: the report as JSON in $BATS_TEST_TMPDIR/report; the exit code of the command.
check() { "$YK_BINARY" migrate check --output json "$@" >"$BATS_TEST_TMPDIR/report"; }

ids() { jq -r '[.findings[].id] | unique | join(" ")' "$BATS_TEST_TMPDIR/report"; }

# about ID: kind, namespace and name of its findings.
about() { jq -r --arg id "$1" '.findings[] | select(.id == $id) | "\(.kind) \(.namespace)/\(.name)"' "$BATS_TEST_TMPDIR/report" | sort -u | paste -sd ','; }

# commands [ID REGEX]: what the report advises to run.
commands() {
    jq -r --arg id "${1:-.}" '.findings[] | select(.id | test($id)) | .command | select(. != "")' "$BATS_TEST_TMPDIR/report" | awk '!seen[$0]++'
}

# values: what it advises to set, as arguments of helm.
values() { jq -r '[.findings[].values | select(. != "")] | unique | join(" ")' "$BATS_TEST_TMPDIR/report"; }

# clean [ARGS...]: nothing above info.
clean() { check "$@" || fail "$(jq -c '.findings[], .unchecked[]' "$BATS_TEST_TMPDIR/report")"; }

# What the controller of 1.9 creates at its start.
old_webhooks() {
    jq -n --arg home "$1" '[["Mutating", "mutations", "mutate-pods", "/mutate", "pods"],
        ["Validating", "validations", "validate-conf", "/validate-conf", "configmaps"]][] | {
            apiVersion: "admissionregistration.k8s.io/v1", kind: "\(.[0])WebhookConfiguration",
            metadata: {name: "yunikorn-admission-controller-\(.[1])", labels: {app: "yunikorn"}},
            webhooks: [{name: "admission-webhook.yunikorn.\(.[2])", failurePolicy: "Ignore", sideEffects: "None",
                admissionReviewVersions: ["v1"], timeoutSeconds: 1,
                clientConfig: {service: {name: "yunikorn-admission-controller-service", namespace: $home, path: .[3], port: 443}},
                rules: [{operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: [.[4]]}]}]}' |
        kubectl create -f -
}

# workload NAMESPACE NAME: a Deployment whose pods the old controller sent to YuniKorn. It has none: they would come and go.
workload() {
    kubectl create -f - <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $2, namespace: $1}
spec:
  replicas: 0
  selector: {matchLabels: {w: $2}}
  template:
    metadata: {labels: {w: $2, yunikorn.apache.org/app-id: $2}}
    spec: {containers: [{name: a, image: a, env: [{name: URL, value: "http://yunikorn-service.$home:9080"}]}]}
YAML
}

# The kind of the Prometheus Operator.
service_monitor_kind() {
    kubectl create -f - <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: servicemonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  names: {kind: ServiceMonitor, listKind: ServiceMonitorList, plural: servicemonitors, singular: servicemonitor}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
YAML
    kubectl wait --for condition=established --timeout 30s customresourcedefinition/servicemonitors.monitoring.coreos.com
    eventually kubectl get servicemonitors
}

service_monitors() {
    service_monitor_kind
    eventually kubectl create -f - <<YAML
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: yunikorn, namespace: $1}
spec: {selector: {matchLabels: {app: yunikorn}}, endpoints: [{port: yunikorn-core, path: /ws/v1/metrics}]}
YAML
}

ingress() {
    kubectl create -f - <<YAML
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: page, namespace: $1}
spec: {rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: yunikorn-service, port: {number: 9889}}}}]}}]}
YAML
}

# A second scheduler of the same name, in a namespace of its own.
second_scheduler() {
    kubectl -n "$home" get deployment yunikorn-scheduler -o json |
        jq --arg ns "$1" '{apiVersion, kind, metadata: {name: "old", namespace: $ns}, spec}' | kubectl create -f -
}

# What users have in a cluster with YuniKorn and must look at.
populate() {
    workload "$work" batch
    ingress "$home"
    service_monitors "$home"
    kubectl -n "$work" create configmap prometheus --from-literal=prometheus.yml="targets: ['yunikorn-service.$home:9080']"
    second_scheduler "$other"
    pods "$work" shared 1
    pods "$other" shared 1
    pods "$work" lonely 1 '.metadata.annotations["yunikorn.apache.org/task-group-name"] = "tg-a" |
        .metadata.annotations["yunikorn.apache.org/placeholder"] = "true"'
    pods "$work" strayed 1 '.spec.schedulerName = "default-scheduler"'
    kubectl -n "$home" create configmap yunikorn-configs --from-literal=service.unknown=x --from-literal=queues.yaml='
partitions: [{name: default, queues: [{name: root, submitacl: "*", queues: [{name: a, properties: {application.sort.policy: stateaware}}]}]}]'
}

@test "migrate: what is found after an installation of the charts 1.8 and 1.9, and mended by what is advised" {
    own_cluster_only
    for release in 1.8 1.9; do
        home="$(namespace "moving-${release//./}")" work="$(namespace "work-${release//./}")" other="$(namespace "other-${release//./}")"
        original "$release"
        helm install yunikorn "$ORIGINAL" --namespace "$home"
        populate
        old_webhooks "$home"
        helm -n "$home" get values -a yunikorn >"$BATS_TEST_TMPDIR/values"
        run -1 check --values "$BATS_TEST_TMPDIR/values" --cluster
        equal "$(jq -c .unchecked "$BATS_TEST_TMPDIR/report")" '[]'
        equal "$(jq -r .namespace "$BATS_TEST_TMPDIR/report")" "$home"
        # The values bring an admission controller: the Deployment will be routed.
        equal "$(ids)" "account-not-adopted application-in-namespaces config-warning ingress-to-rest old-scheduler placeholders-alone pod-waits-elsewhere queue-differs rest-client rest-client-workload roles-ahead schedulers-with-one-name scraped-over-http value-host-network value-image value-resources value-rest value-web webhook-unserved"
        equal "$(about schedulers-with-one-name)" "Deployment $other/old"
        equal "$(about application-in-namespaces | grep -o '[^/]*$')" shared
        equal "$(about placeholders-alone)" "Pod $work/lonely-0"
        equal "$(about pod-waits-elsewhere)" "Pod $work/strayed-0"
        equal "$(about rest-client)" "ConfigMap $work/prometheus"
        equal "$(about rest-client-workload)" "Deployment $work/batch"
        equal "$(about ingress-to-rest)" "Ingress $home/page"
        equal "$(about scraped-over-http)" "ServiceMonitor $home/yunikorn"
        equal "$(about webhook-unserved)" "MutatingWebhookConfiguration /yunikorn-admission-controller-mutations,ValidatingWebhookConfiguration /yunikorn-admission-controller-validations"

        # What is advised, and then the upgrade with what is advised for it.
        set_values="$(values)"
        bash -euxc "$(commands)"
        kubectl -n "$home" create configmap yunikorn-configs --dry-run=client -o yaml --from-literal=queues.yaml='
partitions: [{name: default, queues: [{name: root, submitacl: "*", queues: [{name: a}]}]}]' | kubectl replace -f -
        eval "helm upgrade yunikorn '$CHART' --namespace '$home' --reuse-values $set_values"
        helm -n "$home" get values -a yunikorn >"$BATS_TEST_TMPDIR/values"
        equal "$(kubectl -n "$work" get pod strayed-0 -o 'jsonpath={.spec.schedulerName}')" yunikorn
        # Only now the roles of the hooks are unused, and the template is looked at without an admission controller.
        run -1 check
        equal "$(ids)" "pod-unrouted role-left"
        equal "$(jq '[.findings[] | select(.id == "role-left")] | length' "$BATS_TEST_TMPDIR/report")" 10
        bash -euxc "$(commands)"
        eventually clean --values "$BATS_TEST_TMPDIR/values" --cluster
        equal "$(kubectl -n "$work" get deployment batch -o 'jsonpath={.spec.template.spec.schedulerName}')" yunikorn
        helm uninstall yunikorn --namespace "$home"
        kubectl delete customresourcedefinition servicemonitors.monitoring.coreos.com
        for namespace in "$home" "$work" "$other"; do kubectl -n "$namespace" delete deployments,pods --all --force --grace-period=0; done
        kubectl -n "$home" delete serviceaccounts,ingresses,configmaps --all
        kubectl -n "$work" delete configmaps --all
        home=""
    done
}

@test "migrate: an admission controller that answers sends pods to the scheduler, where its settings and annotations say so" {
    own_cluster_only
    home="$(namespace served)" work="$(namespace routed)" other="$(namespace bypassed)"
    original 1.9
    helm install yunikorn "$ORIGINAL" --namespace "$home" --set 'yunikornDefaults.admissionController\.filtering\.bypassNamespaces=^never$'
    old_webhooks "$home"
    # What the endpoint slice controller makes of a pod that is ready.
    jq -n --arg home "$home" '{apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4",
        metadata: {name: "admission", namespace: $home, labels: {"kubernetes.io/service-name": "yunikorn-admission-controller-service"}},
        ports: [{port: 9089}], endpoints: [{addresses: ["10.255.255.1"], conditions: {ready: true}}]}' | kubectl create -f -
    kubectl annotate namespace "$other" yunikorn.apache.org/namespace.enableYuniKorn=false
    workload "$work" inside
    workload "$other" outside
    jq -n '{spec: {suspend: true, template: {metadata: {labels: {"yunikorn.apache.org/app-id": "a"}},
        spec: {restartPolicy: "Never", containers: [{name: "a", image: "a"}]}}}} as $job |
        ({apiVersion: "batch/v1", kind: "Job", metadata: {name: "job"}} + $job),
        {apiVersion: "batch/v1", kind: "CronJob", metadata: {name: "cron"},
         spec: {schedule: "0 0 1 1 *", suspend: true, jobTemplate: $job}}' | kubectl -n "$other" create -f -
    run -1 check
    run ! grep webhook-unserved "$BATS_TEST_TMPDIR/report"
    equal "$(about pod-unrouted)" "CronJob $other/cron,Deployment $other/outside,Job $other/job"
    bash -euxc "$(commands pod-unrouted)"
    run -1 check
    equal "$(about pod-unrouted)" ""
    equal "$(kubectl -n "$other" get job job -o 'jsonpath={.spec.template.spec.schedulerName} {.spec.suspend}')" "yunikorn true"
    kubectl -n "$other" delete jobs,cronjobs --all
    helm uninstall yunikorn --namespace "$home"
    kubectl -n "$work" delete deployments --all
    kubectl -n "$other" delete deployments --all
}

@test "migrate: an installation of the chart has nothing to mend" {
    own_cluster_only
    home="$(namespace fresh)"
    helm install yunikorn "$CHART" --namespace "$home" >/dev/null
    clean
    equal "$(ids)" ""
    equal "$(jq -r '"\(.namespace) \(.release)"' "$BATS_TEST_TMPDIR/report")" "$home yunikorn"
}

@test "migrate: what may not be read is said, and the rest is checked" {
    own_cluster_only
    home="$(namespace rights)"
    kubectl -n "$home" create serviceaccount reader
    kubectl create clusterrole "e2e-$E2E_ID-reader" --verb list --resource deployments.apps,pods
    kubectl create clusterrolebinding "e2e-$E2E_ID-reader" --clusterrole "e2e-$E2E_ID-reader" --serviceaccount "$home:reader"
    kubectl label clusterrole,clusterrolebinding "e2e-$E2E_ID-reader" "yunikorn-e2e=$E2E_ID"
    kubectl -n "$home" create token reader >"$BATS_TEST_TMPDIR/token"
    kubeconfig_with "$(jq -n --rawfile token "$BATS_TEST_TMPDIR/token" '{token: ($token | rtrimstr("\n"))}')" \
        >"$BATS_TEST_TMPDIR/kubeconfig"
    pods "$home" strayed 1 '.spec.schedulerName = "default-scheduler"'
    run -1 check --kubeconfig "$BATS_TEST_TMPDIR/kubeconfig" --namespace "$home"
    contains "$(ids)" pod-waits-elsewhere
    unchecked="$(jq -r '.unchecked[] | "\(.what): \(.reason)"' "$BATS_TEST_TMPDIR/report")"
    contains "$unchecked" 'namespaces: namespaces is forbidden'
    contains "$unchecked" 'Secret admission-controller-secrets: .* is forbidden'
    run ! grep -E '^(pods|deployments):' <<<"$unchecked"
    # Nothing was found, and not everything was checked.
    kubectl -n "$home" delete pods --all --force --grace-period=0
    eventually no_findings
    kubectl delete clusterrole,clusterrolebinding "e2e-$E2E_ID-reader"
}

no_findings() {
    run check --kubeconfig "$BATS_TEST_TMPDIR/kubeconfig" --namespace "$home"
    [ "$status" -eq 1 ] && [ "$(ids)" = "" ]
}

@test "migrate: long lists are read in pages, whole" {
    own_cluster_only
    home="$(namespace pages)"
    pods "$home" many 1100
    run -1 check --namespace "$home"
    equal "$(jq -r '.findings[] | select(.id == "no-scheduler") | .message' "$BATS_TEST_TMPDIR/report" | grep -o '^[0-9]* pods')" "1100 pods"
}

# Something for each check of values that advises one.
all_values() {
    cat <<'YAML'
image: {repository: docker.io/apache/yunikorn, tag: scheduler-1.7.0}
admissionController:
  image: {repository: apache/yunikorn, tag: admission-1.7.0}
  hostNetwork: true
  goGC: 50
  nodeSelector: {beta.kubernetes.io/arch: amd64}
  resources: {requests: {memory: 500Mi}}
enableWebService: true
enableSchedulerPlugin: true
operatorPlugins: spark-k8s-operator
replicaCount: 1
nodeSelector: {node-role.kubernetes.io/master: ""}
ingress: {enabled: true}
service: {type: NodePort}
podAnnotations: {prometheus.io/scrape: "true"}
resources: {requests: {memory: 1Gi}}
goMemoryLimit: 1GiB
hostNetwork: true
YAML
}

@test "migrate: the chart accepts the values that are advised, and they mend what was found" {
    own_cluster_only
    service_monitor_kind
    all_values >"$BATS_TEST_TMPDIR/all.yaml"
    for file in "$BATS_TEST_TMPDIR/all.yaml" "$DATA"/values-1.{8,9}-defaults.yaml "$DATA/values-1.9.yaml"; do
        run -1 check --values "$file"
        # All rows are seen: those without a value to set say what to do in words.
        [ "$file" != "$BATS_TEST_TMPDIR/all.yaml" ] || equal "$(ids)" "value-go value-host-network value-image value-ingress value-node-selector value-operators value-plugin value-replicas value-resources value-rest value-scrape value-service value-web"
        eval "helm install yunikorn '$CHART' --dry-run=client -o json -f '$file' $(values)" |
            jq .config >"$BATS_TEST_TMPDIR/mended"
        run check --values "$BATS_TEST_TMPDIR/mended"
        equal "$(jq -c '[.findings[] | select(.values != "" or (.id | test("^value-") and . != "value-deprecated" and . != "value-affinity")) | .id]' "$BATS_TEST_TMPDIR/report")" '[]'
    done
    # What has no effect is nothing that the chart would refuse, and the other way round.
    run -1 check --values - <<<'{rest: {access: none}, notAKey: 1}'
    equal "$(ids)" value-refused
    run ! helm template yunikorn "$CHART" --set notAKey=1
    contains "$output" notAKey
}

@test "migrate: command lines" {
    run -2 "$YK_BINARY" migrate
    run -2 "$YK_BINARY" migrate look
    run -2 "$YK_BINARY" migrate check --output xml
    run -1 "$YK_BINARY" migrate check --values "$BATS_TEST_TMPDIR/none"
    contains "$output" none
    run -1 "$YK_BINARY" migrate check --kubeconfig "$BATS_TEST_TMPDIR/none"
    run -1 "$YK_BINARY" migrate check --context none
    contains "$output" "there is no context 'none'"
    run -0 "$YK_BINARY" migrate check --values - <<<'rest: {access: none}'
    equal "$output" "0 errors, 0 warnings, 0 infos"
}
