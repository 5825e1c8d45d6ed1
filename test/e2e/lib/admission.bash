# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The admission controller under test: processes of ours that run outside of the cluster, with a service account that
# has the rights of the chart's and no more. API servers reach them by URL.

ADMISSION_MUTATIONS=mutatingwebhookconfigurations/yunikorn-admission-controller-mutations
ADMISSION_VALIDATIONS=validatingwebhookconfigurations/yunikorn-admission-controller-validations

admission_dir() { echo "$E2E_DIR/admission"; }

# One log per test file and replica.
admission_log() { echo "$E2E_DIR/log/admission-$(basename "${BATS_TEST_FILENAME:-suite}" .bats)-${1:-1}.log"; }

# Secret, service account, rights and kubeconfig.
admission_install() {
    mkdir -p "$(admission_dir)"
    jq -n --arg namespace "$E2E_SYSTEM" --arg id "$E2E_ID" '
        def object($version; $kind; $name): {apiVersion: $version, kind: $kind,
            metadata: {name: $name, namespace: $namespace, labels: {"yunikorn-e2e": $id}}};
        def rbac: "rbac.authorization.k8s.io/v1";
        def bound($kind; $name): {roleRef: {apiGroup: "rbac.authorization.k8s.io", kind: $kind, name: $name},
            subjects: [{kind: "ServiceAccount", name: "e2e-admission", namespace: $namespace}]};
        object("v1"; "Secret"; "admission-controller-secrets"),
        object("v1"; "ServiceAccount"; "e2e-admission"),
        object(rbac; "ClusterRole"; "e2e-admission-\($id)") + {rules: [
            {apiGroups: ["admissionregistration.k8s.io"],
                resources: ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"], verbs: ["get", "create", "update"]},
            {apiGroups: [""], resources: ["namespaces"], verbs: ["get", "list", "watch"]},
            {apiGroups: ["scheduling.k8s.io"], resources: ["priorityclasses"], verbs: ["get", "list", "watch"]}]},
        object(rbac; "ClusterRoleBinding"; "e2e-admission-\($id)") + bound("ClusterRole"; "e2e-admission-\($id)"),
        object(rbac; "Role"; "e2e-admission") + {rules: [
            {apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"]},
            {apiGroups: [""], resources: ["secrets"], resourceNames: ["admission-controller-secrets"], verbs: ["get", "update"]}]},
        object(rbac; "RoleBinding"; "e2e-admission") + bound("Role"; "e2e-admission")' | kubectl apply -f - >/dev/null
    kubectl -n "$E2E_SYSTEM" create token e2e-admission --duration 6h >"$(admission_dir)/token"
    kubeconfig_with "$(jq -n --rawfile token "$(admission_dir)/token" '{token: ($token | rtrimstr("\n"))}')" \
        >"$(admission_dir)/kubeconfig"
    free_port >"$(admission_dir)/port"
}

admission_port() { cat "$(admission_dir)/port"; }

# admission_spawn [NUMBER] [PORT]: starts a replica and does not wait. All of them are announced with the URL of the first.
admission_spawn() {
    local number="${1:-1}" state
    state="$(admission_dir)/replica-$number"
    rm -f "$state".*
    echo "${2:-$(admission_port)}" >"$state.port"
    # shellcheck disable=SC2016 # for the inner shell
    setsid bash -c '"$@" & echo $! >"$0.pid"; wait $!; echo $? >"$0.exit"' "$state" \
        "$YK_BINARY" admission-controller --kubeconfig "$(admission_dir)/kubeconfig" --namespace "$E2E_SYSTEM" \
        --bind-address 127.0.0.1 --port "$(cat "$state.port")" --webhook-url "https://127.0.0.1:$(admission_port)" \
        --shutdown-delay "${ADMISSION_DELAY:-100ms}" >>"$(admission_log "$number")" 2>&1 </dev/null 3>&- &
    wait_until 5 test -s "$state.pid" || fail "the admission controller was not started"
}

admission_pid() { cat "$(admission_dir)/replica-${1:-1}.pid"; }

admission_get() {
    local state
    state="$(admission_dir)/replica-${2:-1}"
    curl -sk --max-time 5 "https://127.0.0.1:$(cat "$state.port")$1" "${@:3}"
}

admission_installed() { grep -q "webhook configurations are in order" "$(admission_log "${1:-1}")"; }

# admission_start [NUMBER] [PORT]: it serves, and the webhook configurations are there, when this returns.
admission_start() {
    : >"$(admission_log "${1:-1}")"
    admission_spawn "$@"
    eventually admission_installed "${1:-1}" ||
        fail "the admission controller is not ready: $(tail -n 5 "$(admission_log "${1:-1}")")"
}

admission_stop() {
    local number="${1:-1}"
    kill -"${2:-TERM}" "$(admission_pid "$number")"
    within 20 test -s "$(admission_dir)/replica-$number.exit"
    cat "$(admission_dir)/replica-$number.exit"
}

admission_cleanup() {
    local pid
    for pid in "$(admission_dir)"/replica-*.pid; do
        [ ! -s "$pid" ] || [ -s "${pid%.pid}.exit" ] || kill -9 "$(cat "$pid")" 2>/dev/null || true
    done
    kubectl delete "$ADMISSION_MUTATIONS" "$ADMISSION_VALIDATIONS" --ignore-not-found >/dev/null 2>&1 || true
    kubectl delete clusterroles,clusterrolebindings "e2e-admission-$E2E_ID" --ignore-not-found >/dev/null 2>&1 || true
}

# The certificate that a replica serves.
admission_serial() {
    openssl s_client -connect "127.0.0.1:$(cat "$(admission_dir)/replica-${1:-1}.port")" </dev/null 2>/dev/null |
        openssl x509 -noout -serial
}

# What one replica or another has written into an object: names and failure policies of its webhooks.
admission_webhooks() { kubectl get "$1" -o json | jq -c '[.webhooks[] | [.name, .failurePolicy]]'; }

# admission_create_pods NAMESPACE PREFIX COUNT [JQ]: pods that do not name their scheduler; "NAME CODE" per pod.
admission_create_pods() {
    local i
    for ((i = 0; i < $3; i++)); do
        pod_objects "$1" "$2-$i" 1 "del(.spec.schedulerName) | ${4:-.}" |
            curl -s -o /dev/null -w "$2-$i %{http_code}\n" --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" \
                -H 'Content-Type: application/json' --data-binary @- "$CP_SERVER/api/v1/namespaces/$1/pods"
    done
}

scheduler_name() { kubectl -n "$1" get pod "$2" -o 'jsonpath={.spec.schedulerName}'; }
