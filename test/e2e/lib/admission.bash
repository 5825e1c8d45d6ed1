# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The admission controller under test: processes of ours with the service account and the Service of the chart, in front
# of which an EndpointSlice stands for the pods. API servers find it through the Service, as in a cluster. They refuse
# EndpointSlices with loopback addresses; on a machine that has no other address they get a URL.
#
# The controller runs beside all tests unless E2E_ADMISSION=0. It lets the tests, who are users of the group
# system:masters, set user.info (suite_install).
#
#   ADMISSION_NAMESPACE   of the release: E2E_SYSTEM unless set

ADMISSION_MUTATIONS=mutatingwebhookconfigurations/yunikorn-admission-controller-mutations
ADMISSION_VALIDATIONS=validatingwebhookconfigurations/yunikorn-admission-controller-validations

admission_namespace() { echo "${ADMISSION_NAMESPACE:-$E2E_SYSTEM}"; }

admission_dir() { echo "$E2E_DIR/admission/$(admission_namespace)"; }

# Of the start that was last.
admission_log() { cat "$(admission_dir)/replica-${1:-1}.log"; }

# The first address of this machine that is not loopback; "": none.
admission_address() { hostname -I 2>/dev/null | tr ' ' '\n' | grep -m 1 -E '^[0-9.]+$' || true; }

# Where replicas listen.
admission_host() {
    local address
    address="$(admission_address)"
    echo "${address:-127.0.0.1}"
}

# The kubeconfig of the chart's account.
admission_install() {
    mkdir -p "$(admission_dir)"
    kubectl -n "$(admission_namespace)" create token yunikorn-admission-controller --duration 6h >"$(admission_dir)/token"
    kubeconfig_with "$(jq -n --rawfile token "$(admission_dir)/token" '{token: ($token | rtrimstr("\n"))}')" \
        >"$(admission_dir)/kubeconfig"
    free_port >"$(admission_dir)/port"
    admission_announce "$(admission_port)"
}

admission_port() { cat "$(admission_dir)/port"; }

# admission_announce PORT [NAME]: the Service leads there. NAME stands for a pod.
admission_announce() {
    [ -n "$(admission_address)" ] || return 0
    jq -n --arg name "${2:-admission}" --arg namespace "$(admission_namespace)" --arg address "$(admission_address)" --argjson port "$1" '{
        apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4",
        metadata: {name: $name, namespace: $namespace, labels: {
            "kubernetes.io/service-name": "yunikorn-admission-controller-service",
            "endpointslice.kubernetes.io/managed-by": "yunikorn-e2e"}},
        endpoints: [{addresses: [$address], conditions: {ready: true}}],
        ports: [{name: "webhook-api", port: $port, protocol: "TCP"}]}' | kubectl apply -f - >/dev/null
}

admission_unannounce() { kubectl -n "$(admission_namespace)" delete endpointslice "$1" --ignore-not-found >/dev/null; }

# admission_spawn [NUMBER] [PORT]: starts a replica and does not wait. Only the first one is announced.
admission_spawn() {
    local number="${1:-1}" state url=()
    state="$(admission_dir)/replica-$number"
    [ -n "$(admission_address)" ] || url=(--webhook-url "https://127.0.0.1:$(admission_port)")
    rm -f "$state".*
    echo "${2:-$(admission_port)}" >"$state.port"
    echo "$E2E_DIR/log/admission-$(basename "${BATS_TEST_FILENAME:-suite}" .bats)-$number.log" >"$state.log"
    # shellcheck disable=SC2016 # for the inner shell
    setsid bash -c '"$@" & echo $! >"$0.pid"; wait $!; echo $? >"$0.exit"' "$state" \
        "$YK_BINARY" admission-controller --kubeconfig "$(admission_dir)/kubeconfig" --namespace "$(admission_namespace)" \
        --bind-address "$(admission_host)" --port "$(cat "$state.port")" "${url[@]}" \
        --shutdown-delay "${ADMISSION_DELAY:-100ms}" >>"$(admission_log "$number")" 2>&1 </dev/null 3>&- &
    wait_until 5 test -s "$state.pid" || fail "the admission controller was not started"
}

admission_pid() { cat "$(admission_dir)/replica-${1:-1}.pid"; }

admission_alive() { [ -s "$(admission_dir)/replica-${1:-1}.pid" ] && [ ! -s "$(admission_dir)/replica-${1:-1}.exit" ]; }

admission_get() {
    local state
    state="$(admission_dir)/replica-${2:-1}"
    curl -sk --noproxy '*' --max-time 5 "https://$(admission_host):$(cat "$state.port")$1" "${@:3}"
}

admission_installed() { grep -q "webhook configurations are in order" "$(admission_log "${1:-1}")"; }

# admission_start [NUMBER] [PORT]: it serves, and the webhook configurations are there, when this returns.
admission_start() {
    rm -f "$E2E_DIR/log/admission-$(basename "${BATS_TEST_FILENAME:-suite}" .bats)-${1:-1}.log"
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

# Ends what runs, and removes the webhooks.
admission_cleanup() {
    local pid
    for pid in "$(admission_dir)"/replica-*.pid; do
        [ ! -s "$pid" ] || [ -s "${pid%.pid}.exit" ] || kill -9 "$(cat "$pid")" 2>/dev/null || true
    done
    kubectl delete "$ADMISSION_MUTATIONS" "$ADMISSION_VALIDATIONS" --ignore-not-found >/dev/null 2>&1 || true
}

# --- beside all tests --------------------------------------------------------------------------

# For files that cannot run beside the controller of the suite: in setup_file and teardown_file.
admission_away() {
    [ "$E2E_ADMISSION" = 0 ] || admission_cleanup
}

admission_back() {
    [ "$E2E_ADMISSION" = 0 ] || admission_start
}

# unreviewed COMMAND...: with the webhook of queue configurations out of the way. The controller keeps a selector.
unreviewed() {
    local status=0
    [ "$E2E_ADMISSION" = 1 ] || {
        "$@"
        return
    }
    admission_review_configs '{"matchLabels": {"yunikorn-e2e-reviewed": "yes"}}'
    eventually kubectl -n "$E2E_SYSTEM" apply --dry-run=server -f "$E2E_LIB/../data/faulty-configs.yaml"
    "$@" || status=$?
    admission_review_configs null
    return "$status"
}

# admission_review_configs SELECTOR: of namespaces, null: all.
admission_review_configs() {
    kubectl patch "$ADMISSION_VALIDATIONS" --type json \
        -p "[{\"op\": \"add\", \"path\": \"/webhooks/0/namespaceSelector\", \"value\": $1}]" >/dev/null
}

# The certificate that a replica serves.
admission_serial() {
    openssl s_client -connect "$(admission_host):$(cat "$(admission_dir)/replica-${1:-1}.port")" </dev/null 2>/dev/null |
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
