# SPDX-License-Identifier: Apache-2.0
# Reads over REST with service.web.access: delegated: RBAC of the API server decides who sees what.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    SPACE="$(namespace access)"
    export SPACE
    for who in viewer tenant stranger; do
        kubectl -n "$SPACE" create serviceaccount "$who" >/dev/null
        kubectl -n "$SPACE" create token "$who" >"$E2E_DIR/access-$who.token"
    done
    roles | kubectl apply -f - >/dev/null
    configure delegated
    nodes access 2
    scheduler_start
    pods "$SPACE" research 1 "$(in_queue root.research.a)"
    pods "$SPACE" sales 1 "$(in_queue root.sales)"
    eventually all_bound "$SPACE" 1 group=research
    eventually all_bound "$SPACE" 1 group=sales
}

setup() { own_cluster_only; }

teardown() { tidy; }

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    rm -f "$E2E_DIR"/access-*.token
    roles | kubectl delete --ignore-not-found -f - >/dev/null
    kubectl -n "$E2E_SYSTEM" delete configmap yunikorn-configs >/dev/null
    finish "$SPACE" access
}

roles() {
    jq -n --arg space "$SPACE" '
        def bind($who): {apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding",
            metadata: {name: "access-\($who)"}, roleRef: {apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "access-\($who)"},
            subjects: [{kind: "ServiceAccount", name: $who, namespace: $space}]};
        def role($who; $rule): {apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: {name: "access-\($who)"}, rules: [$rule]};
        {apiVersion: "v1", kind: "List", items: [
            role("viewer"; {nonResourceURLs: ["/ws/*", "/metrics"], verbs: ["get"]}), bind("viewer"),
            role("tenant"; {apiGroups: ["yunikorn.apache.org"], resources: ["queues"], resourceNames: ["root.research"], verbs: ["get"]}),
            bind("tenant")]}'
}

# configure ACCESS
configure() {
    jq -n --arg namespace "$E2E_SYSTEM" --arg access "$1" '{apiVersion: "v1", kind: "ConfigMap",
        metadata: {name: "yunikorn-configs", namespace: $namespace}, data: {"service.web.access": $access,
        "queues.yaml": "partitions: [{name: default, placementrules: [{name: provided}], queues: [{name: root, submitacl: \"*\", queues: [{name: research, queues: [{name: a}, {name: b}]}, {name: sales}]}]}]"}}' |
        kubectl apply -f - >/dev/null
}

# as WHO PATH: the status code, then the body.
as() {
    curl -s --max-time 20 -w '%{http_code} ' -o "$BATS_TEST_TMPDIR/answer" \
        -H "Authorization: Bearer $(cat "$E2E_DIR/access-$1.token")" "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$2"
    cat "$BATS_TEST_TMPDIR/answer"
}

code() { as "$@" | sed -n '1s/ .*//p'; }

account() { echo "system:serviceaccount:$SPACE:$1"; }

PARTITION=/ws/v1/partition/default

@test "access: without a token only probes are answered" {
    equal "$(rest_code /livez)" 200
    equal "$(rest_code /readyz)" 200
    for path in /metrics /ws/v1/clusters "$PARTITION/queues" /ws/v1/events/stream /debug/fullstatedump /version; do
        equal "$(rest_code "$path")" 401 "$path"
    done
}

@test "access: a role on paths is enough for everything below them" {
    contains "$(as viewer "$PARTITION/queues")" '^200 .*root.sales'
    contains "$(as viewer "$PARTITION/applications/active")" '^200 .*sales'
    equal "$(code viewer /metrics)" 200
    contains "$(as viewer /debug/fullstatedump)" "^403 .*user '$(account viewer)' cannot get path '/debug/fullstatedump'"
}

@test "access: a tenant sees its own queues and applications" {
    contains "$(as tenant "$PARTITION/queue/root.research.a")" '^200 .*root.research.a'
    contains "$(as tenant "$PARTITION/application/research")" '^200 .*root.research.a'
    equal "$(code tenant "$PARTITION/queue/root.sales")" 403
    equal "$(code tenant "$PARTITION/application/sales")" 403
    equal "$(code tenant "$PARTITION/nodes")" 403
    equal "$(code tenant /metrics)" 403
    queues="$(as tenant "$PARTITION/queues")"
    contains "$queues" '^200 .*root.research.b'
    run ! grep -q sales <<<"$queues"
    applications="$(as tenant "$PARTITION/applications/active")"
    contains "$applications" '^200 .*research'
    run ! grep -q sales <<<"$applications"
}

@test "access: a stranger sees nothing" {
    for path in "$PARTITION/queues" "$PARTITION/applications/active" "$PARTITION/application/sales" /metrics; do
        equal "$(code stranger "$path")" 403 "$path"
    done
}

@test "access: a role that is taken away is missed within 15 s" {
    equal "$(code viewer /ws/v1/clusters)" 200
    kubectl delete clusterrolebinding access-viewer >/dev/null
    within 15 equals 403 code viewer /ws/v1/clusters
}

# secure_code TOKEN-OR-"" PATH [CURL ARGS...]
secure_code() {
    curl -sk --max-time 10 -o /dev/null -w '%{http_code}' ${1:+-H "Authorization: Bearer $(cat "$E2E_DIR/access-$1.token")"} \
        "https://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$2" "${@:3}"
}

# The settings and the roles of the chart, from the manifests that are written from it.
installed() {
    kubectl create --dry-run=client -o json -f "$REPO/deploy/manifests/$1" |
        jq --arg namespace "$E2E_SYSTEM" "$2 | if .metadata.namespace then .metadata.namespace = \$namespace else . end" |
        kubectl apply -f - >/dev/null
}

@test "access: as the chart installs it, REST is encrypted and closed" {
    scheduler_stop
    defaults="$(kubectl -n "$E2E_SYSTEM" get configmap yunikorn-defaults -o json | jq 'del(.metadata | .uid, .resourceVersion, .managedFields)')"
    kubectl -n "$E2E_SYSTEM" delete configmap yunikorn-configs >/dev/null
    installed scheduler.yaml 'select(.kind == "ConfigMap")'
    installed yunikorn-rbac.yaml 'select(.rules[0].nonResourceURLs?)'
    for role in viewer metrics-reader; do
        kubectl create clusterrolebinding "access-chart-$role" --clusterrole "yunikorn-$role" --serviceaccount "$SPACE:$role" >/dev/null
    done
    kubectl -n "$SPACE" create serviceaccount metrics-reader >/dev/null
    kubectl -n "$SPACE" create token metrics-reader >"$E2E_DIR/access-metrics-reader.token"
    scheduler_spawn
    within 60 equals 200 secure_code "" /readyz
    run rest /livez
    [ "$status" -ne 0 ]
    for path in /ws/v1/metrics "$PARTITION/queues" /debug/fullstatedump; do
        equal "$(secure_code "" "$path")" 401 "$path"
        equal "$(secure_code stranger "$path")" 403 "$path"
    done
    equal "$(secure_code viewer "$PARTITION/queues")" 200
    equal "$(secure_code viewer /debug/fullstatedump)" 403
    equal "$(secure_code metrics-reader /ws/v1/metrics)" 200
    equal "$(secure_code metrics-reader "$PARTITION/queues")" 403
    # The certificate is for the Service.
    port="$(cat "$E2E_DIR/scheduler.port")" host="yunikorn-service.$E2E_SYSTEM.svc"
    openssl s_client -connect "127.0.0.1:$port" -showcerts </dev/null 2>/dev/null |
        sed -n '/BEGIN/,/END/p' >"$BATS_TEST_TMPDIR/chain"
    equal "$(curl -s --cacert "$BATS_TEST_TMPDIR/chain" --resolve "$host:$port:127.0.0.1" "https://$host:$port/livez")" ok
    # A configuration is compared with the active one.
    printf 'partitions: [{name: default, queues: [{name: root}]}]\n' >"$BATS_TEST_TMPDIR/queues.yaml"
    compare() { "$YK_BINARY" validate --diff "https://localhost:$port" "$@" "$BATS_TEST_TMPDIR/queues.yaml"; }
    compare --token-file "$E2E_DIR/access-viewer.token" --certificate-authority "$BATS_TEST_TMPDIR/chain"
    compare --token-file "$E2E_DIR/access-viewer.token" --insecure-skip-tls-verify
    run ! compare --token-file "$E2E_DIR/access-viewer.token"
    run compare --insecure-skip-tls-verify
    equal "$status" 1
    contains "$output" 'status 401'
    # No secret reaches the log.
    run ! grep -qF -e "$(cat "$E2E_DIR/access-viewer.token")" -e 'PRIVATE KEY' "$(scheduler_log)"
    scheduler_stop
    kubectl replace -f - <<<"$defaults" >/dev/null
    kubectl delete clusterrolebinding access-chart-viewer access-chart-metrics-reader >/dev/null
    kubectl delete clusterrole yunikorn-viewer yunikorn-operator yunikorn-metrics-reader >/dev/null
    configure none
    scheduler_start
}

@test "access: mode none is open, as in 1.9" {
    configure none
    scheduler_stop
    scheduler_start
    equal "$(rest_code "$PARTITION/queues")" 200
}
