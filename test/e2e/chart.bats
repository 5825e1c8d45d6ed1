# SPDX-License-Identifier: Apache-2.0
# The chart and the plain manifests on a real API server. What they render is tested in test/chart.

# shellcheck disable=SC2030,SC2031 # `home`, the namespace of a test's release, is set in each test

bats_require_minimum_version 1.5.0
load lib/e2e
load lib/original

CHART="$REPO/deploy/helm/yunikorn"
MANIFESTS="$REPO/deploy/manifests"

# The webhook configurations belong to the release of each test.
setup_file() { admission_away; }

teardown_file() {
    nodes_delete helm
    admission_back
}

teardown() {
    # A test that failed would leave objects of the cluster in the way of the next one.
    [ -z "${ADMISSION_PID:-}" ] || end_admission
    [ -z "${home:-}" ] || helm uninstall yunikorn --namespace "$home" --ignore-not-found >/dev/null
    delete_hooked
    tidy
}

# template [HELM ARGS...]
template() { helm template yunikorn "$CHART" --namespace "$E2E_SYSTEM" "$@"; }

# rendered: the objects of the chart as a JSON list.
rendered() {
    template --no-hooks | kubectl create --dry-run=client -o json -f - |
        jq -s '[.[] | if .kind == "List" then .items[] else . end]'
}

# manifest FILE: in the suite's namespace instead of the one it names.
manifest() { sed "s/namespace: yunikorn\$/namespace: $E2E_SYSTEM/" "$MANIFESTS/$1"; }

FILES=(yunikorn-rbac.yaml yunikorn-configs.yaml scheduler.yaml admission-controller-rbac.yaml
    admission-controller-secrets.yaml admission-controller.yaml)

@test "chart: the API server accepts every object" {
    template | kubectl apply --dry-run=server -f -
    template --set replicas=1,antiAffinity=hard,hostNetwork=true,embedAdmissionController=false \
        --set restTLS.secretName=tls,restTLS.clientCA=true,networkPolicy.enabled=true,ldapSecretName=directory |
        kubectl apply --dry-run=server -f -
    template -f "$DATA/values-1.9.yaml" | kubectl apply --dry-run=server -f -
}

@test "chart: the pods satisfy the restricted pod security standard" {
    restricted="$(namespace restricted)"
    kubectl label namespace "$restricted" pod-security.kubernetes.io/enforce=restricted
    for name in yunikorn-scheduler yunikorn-admission-controller; do
        rendered | jq --arg namespace "$restricted" --arg name "$name" '.[] |
            select(.kind == "Deployment" and .metadata.name == $name) | .spec.template * {apiVersion: "v1", kind: "Pod",
            metadata: {name: "restricted", namespace: $namespace}} | del(.spec.serviceAccountName)' |
            kubectl create --dry-run=server -f -
    done
}

@test "manifests: the API server accepts every object" {
    for file in "${FILES[@]}"; do
        manifest "$file" | kubectl apply --dry-run=server -f -
    done
}

@test "kustomize: the API server accepts base and overlays" {
    for folder in "$REPO"/deploy/kustomize/{base,overlays/*}; do
        # Kinds of the Prometheus Operator are not installed here.
        kubectl kustomize "$folder" | sed "s/namespace: yunikorn\$/namespace: $E2E_SYSTEM/" |
            awk 'BEGIN { RS = "\n?---\n"; ORS = "\n---\n" } !/monitoring.coreos.com/' |
            kubectl apply --dry-run=server -f -
    done
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
    may watch mutatingwebhookconfigurations/yunikorn-admission-controller-mutations
    may patch persistentvolumes
    may patch persistentvolumeclaims -n default
    for kind in persistentvolumes persistentvolumeclaims {storageclasses,csinodes,csidrivers,csistoragecapacities,volumeattachments}.storage.k8s.io; do
        may watch "$kind" -A
    done
    for no in "get pods -n default" "get nodes" "create events -n default" "get secrets -n $E2E_SYSTEM" "list configmaps -n default" "update pods -n default" "patch nodes" \
        "get persistentvolumes" "get persistentvolumeclaims -n default" "get storageclasses.storage.k8s.io" \
        "get csinodes.storage.k8s.io" "get csidrivers.storage.k8s.io" "get csistoragecapacities.storage.k8s.io -n default" \
        "list mutatingwebhookconfigurations" "get volumeattachments.storage.k8s.io" "update configmaps/yunikorn-configs -n $E2E_SYSTEM" "patch configmaps/yunikorn-defaults -n $E2E_SYSTEM" "create deployments.apps -n default" \
        "delete persistentvolumes" "create persistentvolumeclaims -n default" "patch csinodes.storage.k8s.io"; do
        # shellcheck disable=SC2086 # words
        if may $no; then fail "the scheduler may $no"; fi
    done
}

@test "role: exactly what the admission controller does" {
    own_cluster_only
    home="$(namespace admission)"
    helm install yunikorn "$CHART" --namespace "$home"
    may() { kubectl auth can-i "$@" --as "system:serviceaccount:$home:yunikorn-admission-controller" -q; }
    for kind in mutating validating; do
        name=mutations
        [ "$kind" = mutating ] || name=validations
        may create "${kind}webhookconfigurations"
        may get "${kind}webhookconfigurations/yunikorn-admission-controller-$name"
        may update "${kind}webhookconfigurations/yunikorn-admission-controller-$name"
    done
    may watch namespaces
    may watch priorityclasses.scheduling.k8s.io
    may watch configmaps -n "$home"
    may get secrets/admission-controller-secrets -n "$home"
    may update secrets/admission-controller-secrets -n "$home"
    for no in "get secrets -n $home" "create secrets -n $home" "get secrets/admission-controller-secrets -n default" \
        "update mutatingwebhookconfigurations" "delete mutatingwebhookconfigurations/yunikorn-admission-controller-mutations" \
        "update validatingwebhookconfigurations/another" "list pods -A" "create pods -n default" "update configmaps -n $home"; do
        # shellcheck disable=SC2086 # words
        if may $no; then fail "the admission controller may $no"; fi
    done
    helm uninstall yunikorn --namespace "$home"
}

# admission_of NAMESPACE: the admission controller as a process with the account of the chart's release there.
admission_of() {
    kubectl -n "$1" create token yunikorn-admission-controller >"$BATS_TEST_TMPDIR/token"
    kubeconfig_with "$(jq -n --rawfile token "$BATS_TEST_TMPDIR/token" '{token: ($token | rtrimstr("\n"))}')" \
        >"$BATS_TEST_TMPDIR/kubeconfig"
    local port
    port="$(free_port)"
    "$YK_BINARY" admission-controller --kubeconfig "$BATS_TEST_TMPDIR/kubeconfig" --namespace "$1" --bind-address 127.0.0.1 \
        --port "$port" --webhook-url "https://127.0.0.1:$port" --shutdown-delay 0s >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
    ADMISSION_PID=$!
}

# Without its webhooks: they would make the API server refuse pods of other tests.
end_admission() {
    stop_pid "$ADMISSION_PID" || true
    kubectl delete --ignore-not-found mutatingwebhookconfiguration/yunikorn-admission-controller-mutations \
        validatingwebhookconfiguration/yunikorn-admission-controller-validations
}

mutated() { [ "$(kubectl -n "$1" create --dry-run=server -o jsonpath='{.spec.schedulerName}' -f "$BATS_TEST_TMPDIR/pod")" = yunikorn ]; }

@test "role: the admission controller works with the permissions of the chart, also across an upgrade" {
    own_cluster_only
    home="$(namespace controller)"
    helm install yunikorn "$CHART" --namespace "$home" >/dev/null
    # The API server reads its own roles a moment after they are written.
    within 20 kubectl auth can-i get secrets/admission-controller-secrets -n "$home" -q \
        --as "system:serviceaccount:$home:yunikorn-admission-controller"
    admission_of "$home"
    printf 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n' >"$BATS_TEST_TMPDIR/pod"
    within 60 mutated default || fail "$(tail -n 5 "$BATS_TEST_TMPDIR/log")"
    secret="$(kubectl -n "$home" get secret admission-controller-secrets -o jsonpath='{.data}')"
    equal "$(jq 'keys | length' <<<"$secret")" 4
    helm upgrade yunikorn "$CHART" --namespace "$home" --set podLabels.a=b >/dev/null
    equal "$(kubectl -n "$home" get secret admission-controller-secrets -o jsonpath='{.data}')" "$secret"
    mutated default
    # Not 403 alone: it may be in a time, a port or a revision.
    refused="$(grep -i forbidden "$BATS_TEST_TMPDIR/log")" || return 0
    fail "refused: $refused"
}

@test "role: what users of the REST interface may do" {
    own_cluster_only
    home="$(namespace users)"
    helm install yunikorn "$CHART" --namespace "$home" >/dev/null
    for role in viewer operator metrics-reader; do
        kubectl -n "$home" create serviceaccount "$role"
        kubectl create clusterrolebinding "e2e-$E2E_ID-$role" --clusterrole "yunikorn-$role" --serviceaccount "$home:$role"
        kubectl label clusterrolebinding "e2e-$E2E_ID-$role" "yunikorn-e2e=$E2E_ID"
    done
    may() { kubectl auth can-i "$2" "$3" --as "system:serviceaccount:$home:$1" -q; }
    for user in viewer operator metrics-reader; do may "$user" get /ws/v1/metrics; done
    for user in viewer operator; do may "$user" get /ws/v1/partition/default/queues; done
    may operator get /debug/fullstatedump
    may operator post /ws/v1/validate-conf
    for no in "viewer get /debug/fullstatedump" "viewer post /ws/v1/validate-conf" "viewer get /metrics" "operator get /debug/pprof/heap" "metrics-reader get /ws/v1/config" \
        "operator put /ws/v1/config" "operator get /logs"; do
        # shellcheck disable=SC2086 # words
        if may $no; then fail "may: $no"; fi
    done
    kubectl delete clusterrolebinding -l "yunikorn-e2e=$E2E_ID,!app"
}

uid() { kubectl get "$@" -o jsonpath='{.metadata.uid}'; }

@test "chart: helm install, upgrade and uninstall" {
    own_cluster_only
    home="$(namespace release)"
    helm install yunikorn "$CHART" --namespace "$home" >"$BATS_TEST_TMPDIR/notes"
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'The admission controller assigns new pods'
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'delete --ignore-not-found mutatingwebhookconfiguration'
    kubectl -n "$home" get deployment/yunikorn-{scheduler,admission-controller} configmap/yunikorn-defaults \
        service/yunikorn-service service/yunikorn-admission-controller-service poddisruptionbudget/yunikorn-scheduler
    made="$(uid clusterrole yunikorn-scheduler-core)"
    # The admission controller keeps its certificate authorities in the Secret.
    kubectl -n "$home" patch secret admission-controller-secrets --type merge -p '{"data": {"cacert1.pem": "YQ=="}}'
    helm upgrade yunikorn "$CHART" --namespace "$home" --set yunikornDefaults.log\\.level=DEBUG >/dev/null
    equal "$(kubectl -n "$home" get configmap yunikorn-defaults -o 'jsonpath={.data.log\.level}')" DEBUG
    equal "$(kubectl -n "$home" get secret admission-controller-secrets -o 'jsonpath={.data.cacert1\.pem}')" YQ==
    # Changed in place: there is no moment without the permissions.
    equal "$(uid clusterrole yunikorn-scheduler-core)" "$made"
    helm upgrade yunikorn "$CHART" --namespace "$home" --set embedAdmissionController=false >"$BATS_TEST_TMPDIR/notes"
    contains "$(cat "$BATS_TEST_TMPDIR/notes")" 'There is no admission controller'
    run ! kubectl -n "$home" get deployment/yunikorn-admission-controller
    helm uninstall yunikorn --namespace "$home"
    eventually equals "" kubectl -n "$home" get deployments,roles,rolebindings -l release=yunikorn -o name
    run ! kubectl get clusterrole yunikorn-scheduler-core
    kubectl -n "$home" get configmap yunikorn-defaults
    # What an uninstallation keeps does not stand in the way of the next installation.
    helm install yunikorn "$CHART" --namespace "$home" >/dev/null
    helm uninstall yunikorn --namespace "$home"
}

@test "chart: helm test passes with a scheduler and fails without one" {
    own_cluster_only
    nodes helm 1
    scheduler_start
    home="$(namespace helmtest)"
    helm install yunikorn "$CHART" --namespace "$home" --set helmTest.timeoutSeconds=60 >/dev/null
    helm test yunikorn --namespace "$home"
    equal "$(kubectl -n "$home" get jobs -o name)" ""
    scheduler_stop
    helm upgrade yunikorn "$CHART" --namespace "$home" --set helmTest.timeoutSeconds=2 >/dev/null
    run ! helm test yunikorn --namespace "$home"
    helm uninstall yunikorn --namespace "$home"
}

# binds_while COMMAND...: sends bindings as the scheduler of $home while the command runs, and prints how many answers
# there were of each HTTP code. The pods do not exist: 404 is the answer to an account that may bind.
binds_while() {
    local token pid
    token="$(kubectl -n "$home" create token yunikorn-admin)"
    stdbuf -oL curl -s --cacert "$CP_CA" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        -d '{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "none"}, "target": {"kind": "Node", "name": "none"}}' \
        -w '%{http_code}\n' -o /dev/null "$CP_SERVER/api/v1/namespaces/$home/pods/none/binding?x=[1-1000000]" \
        >"$BATS_TEST_TMPDIR/codes" 2>/dev/null 3>&- &
    pid=$!
    "$@"
    kill "$pid"
    wait "$pid" || true
    sed '$d' "$BATS_TEST_TMPDIR/codes" | sort | uniq -c | awk '{ print $2 }' | paste -sd ' '
}

# upgrades CHART: five in a row, each of which changes the objects.
upgrades() {
    local i
    for i in 1 2 3 4 5; do
        helm upgrade yunikorn "$1" --namespace "$home" --set podLabels.round="r$i" >/dev/null 2>&1
    done
}

@test "chart: upgrades leave the permissions of the scheduler uninterrupted" {
    own_cluster_only
    home="$(namespace uninterrupted)"
    helm install yunikorn "$CHART" --namespace "$home" >/dev/null
    eventually equals 404 binds_while sleep 0.5
    equal "$(binds_while upgrades "$CHART")" 404
    [ "$(wc -l <"$BATS_TEST_TMPDIR/codes")" -gt 200 ]
    # Hooks, as the charts of Apache YuniKorn have, would interrupt them: the method notices it.
    cp -r "$CHART" "$BATS_TEST_TMPDIR/hooks"
    sed -i '/^metadata:/,/^  labels:/s|^  name: yunikorn-scheduler-core|&\n  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}|' \
        "$BATS_TEST_TMPDIR/hooks/templates/rbac.yaml"
    equal "$(binds_while upgrades "$BATS_TEST_TMPDIR/hooks")" "403 404"
}

# The commands in the notes that mention WORD.
commands_of() {
    awk -v word="$1" '/^  kubectl/ { text = ""; on = 1 } on { text = text $0 "\n" }
        on && !/\\$/ { if (text ~ word) printf "%s", text; on = 0 }' "$BATS_TEST_TMPDIR/notes"
}

strategy() { kubectl -n "$home" get deployment yunikorn-scheduler -o jsonpath='{.spec.strategy.type}'; }

may_bind() {
    kubectl auth can-i create pods --subresource=binding -n default --as "system:serviceaccount:$home:yunikorn-admin" -q
}

upgrade_from() {
    original "$1"
    helm install yunikorn "$ORIGINAL" --namespace "$home"
    account="$(uid -n "$home" serviceaccount yunikorn-admin)"
    helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >"$BATS_TEST_TMPDIR/notes"
    equal "$(uid -n "$home" serviceaccount yunikorn-admin)" "$account"
    may_bind
    equal "$(kubectl -n "$home" get deployments -o json | jq -c '[.items[].spec.template.spec.containers[].image] | unique')" \
        '["yunikorn:0.1.0"]'
    # The scheduler of the chart before does not take part in the election: it ends before others start.
    equal "$(strategy)" Recreate
    notes="$(cat "$BATS_TEST_TMPDIR/notes")"
    contains "$notes" 'WARNING: image.repository is apache/yunikorn'
    contains "$notes" 'WARNING: admissionController.image.repository is apache/yunikorn'
    contains "$notes" 'NOTE: the scheduler that was running did not take part'
    contains "$notes" 'WARNING: enableWebService'
}

left_by_hooks() {
    kubectl get clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts -A -o json | jq -r --arg home "$home" '.items[] |
        select(.metadata.annotations["helm.sh/hook"] and (.metadata.namespace // $home) == $home) | "\(.kind)/\(.metadata.name)"' | sort
}

@test "chart: an upgrade from the charts 1.8 and 1.9 with --reuse-values, and what the notes say" {
    own_cluster_only
    for release in 1.8 1.9; do
        home="$(namespace "upgrade-${release//./}")"
        upgrade_from "$release"
        # The commands of the notes remove what hooks created, and let the release adopt the accounts.
        bash -euc "$(commands_of 'delete|label|annotate')"
        equal "$(left_by_hooks | paste -sd ' ')" "ServiceAccount/yunikorn-admin ServiceAccount/yunikorn-admission-controller"
        may_bind
        helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >"$BATS_TEST_TMPDIR/notes"
        equal "$(helm -n "$home" get manifest yunikorn | grep -c '^kind: ServiceAccount')" 2
        equal "$(uid -n "$home" serviceaccount yunikorn-admin)" "$account"
        equal "$(commands_of 'delete|label|annotate')" ""
        equal "$(strategy)" RollingUpdate
        helm uninstall yunikorn --namespace "$home"
    done
}

@test "chart: webhooks that an admission controller left are listed" {
    own_cluster_only
    home="$(namespace webhooks)"
    kubectl create -f - <<'YAML'
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: yunikorn-admission-controller-mutations}
YAML
    helm install yunikorn "$CHART" --namespace "$home" --set embedAdmissionController=false >"$BATS_TEST_TMPDIR/notes"
    bash -euc "$(commands_of webhookconfiguration)"
    run ! kubectl get mutatingwebhookconfiguration yunikorn-admission-controller-mutations
    helm upgrade yunikorn "$CHART" --namespace "$home" --set embedAdmissionController=false >"$BATS_TEST_TMPDIR/notes"
    equal "$(commands_of webhookconfiguration)" ""
    helm uninstall yunikorn --namespace "$home"
}

@test "chart: --take-ownership works as well" {
    own_cluster_only
    home="$(namespace ownership)"
    original 1.9
    helm install yunikorn "$ORIGINAL" --namespace "$home"
    helm upgrade yunikorn "$CHART" --namespace "$home" --take-ownership >/dev/null
    may_bind
}

# The account that the pods of the chart need, and the roles that its hooks create.
original_works() {
    kubectl -n "$home" get serviceaccount/yunikorn-admin serviceaccount/yunikorn-admission-controller \
        role/yunikorn-scheduler rolebinding/yunikorn-rbac
    kubectl get clusterrole/yunikorn-scheduler clusterrolebinding/yunikorn-rbac-kube-scheduler
    equal "$(kubectl -n "$home" get deployment yunikorn-scheduler -o jsonpath='{.spec.template.spec.containers[0].image}')" \
        apache/yunikorn:scheduler-1.9.0
    equal "$(strategy)" RollingUpdate
    run ! kubectl get clusterrole yunikorn-scheduler-core
}

@test "chart: back to the chart 1.9, from an upgrade and from an installation" {
    own_cluster_only
    home="$(namespace back)"
    upgrade_from 1.9
    helm rollback yunikorn 1 --namespace "$home"
    original_works
    helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >"$BATS_TEST_TMPDIR/notes"
    bash -euc "$(commands_of 'delete|label|annotate')"
    helm upgrade yunikorn "$CHART" --namespace "$home" --reuse-values >/dev/null
    # The hooks of their chart run at an upgrade and not at a rollback.
    helm upgrade yunikorn "$ORIGINAL" --namespace "$home" --reset-values >/dev/null
    original_works
    helm uninstall yunikorn --namespace "$home"
    kubectl -n "$home" delete serviceaccounts,roles,rolebindings --all

    helm install yunikorn "$CHART" --namespace "$home" --set service.type=NodePort >/dev/null
    helm upgrade yunikorn "$ORIGINAL" --namespace "$home" --reset-values >/dev/null
    original_works
}

# template_command NAMESPACE: the one of docs/install.md that applies what Helm renders.
template_command() {
    sed -n '/^helm template yunikorn .*kubectl apply/p' "$REPO/docs/install.md" | sed "s/--namespace yunikorn /--namespace $1 /"
}

@test "chart: helm template and kubectl apply install it as docs/install.md says" {
    own_cluster_only
    home="$(namespace rendered)"
    command="$(template_command "$home")"
    contains "$command" "namespace $home --no-hooks"
    (cd "$REPO" && bash -euc "$command")
    kubectl -n "$home" get deployment/yunikorn-{scheduler,admission-controller} service/yunikorn-service
    equal "$(kubectl -n "$home" get jobs -o name)" ""
    equal "$(kubectl -n "$home" get configmap yunikorn-defaults -o 'jsonpath={.data.service\.trustUserInfo}')" webhook
    may_bind
    # It leaves nothing to mend, and nothing to know.
    equal "$("$YK_BINARY" migrate check --namespace "$home")" "0 errors, 0 warnings, 0 infos"
    (cd "$REPO" && bash -euc "${command/kubectl apply -f -/kubectl delete -f -}")
}

# removal_commands NAMESPACE: those of docs/install.md that remove the scheduler from a namespace that stays.
removal_commands() {
    awk '/^```sh$/ { text = ""; next }
        /^```$/ { if (text ~ /helm uninstall/) printf "%s", text; text = ""; next }
        { text = text $0 "\n" }' "$REPO/docs/install.md" | sed "/^helm uninstall/d; /delete namespace/d; s/-n yunikorn /-n $1 /"
}

# manifest_in NAMESPACE FILE
manifest_in() { sed "s/namespace: yunikorn\$/namespace: $1/" "$MANIFESTS/$2"; }

@test "manifests: the commands of docs/install.md remove all of them from a namespace that stays" {
    own_cluster_only
    home="$(namespace manifests)"
    for file in "${FILES[@]}"; do
        manifest_in "$home" "$file" | kubectl apply -f -
    done
    removal="$(removal_commands "$home")"
    contains "$removal" 'delete .*clusterrole'
    bash -euc "$removal"
    for file in "${FILES[@]}"; do
        equal "$(manifest_in "$home" "$file" | kubectl get --ignore-not-found -o name -f -)" ""
    done
}
