# SPDX-License-Identifier: Apache-2.0
# What goes wrong around the scheduler: it says so, loses nothing, and carries on.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    nodes trouble 4
    SPACE="$(namespace trouble)"
    export SPACE
}

setup() { own_cluster_only; }

teardown() {
    tidy
    scheduler_cleanup
    [ "$E2E_EXTERNAL" = 1 ] || cp_running kube-apiserver || cp_start_apiserver_again "$CP_DIR"
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
    namespace_delete "$SPACE"
    nodes_delete trouble
    nodes_delete new
}

# log_since LINE: what the scheduler wrote from that line of its log on.
log_since() { tail -n "+$(($1 + 1))" "$(scheduler_log)" 2>/dev/null; }

log_lines() { if [ -e "$(scheduler_log)" ]; then wc -l <"$(scheduler_log)"; else echo 0; fi; }

# logged LINE REGEX
logged() { log_since "$1" | grep -Eqi -- "$2"; }

is_ready() { [ "$(rest_code /readyz)" = 200 ]; }

is_unready() { [ "$(rest_code /readyz)" != 200 ]; }

@test "API server down at start: it waits, says for what, and begins when it comes" {
    pods "$SPACE" early 5
    mark="$(log_lines)"
    cp_stop_apiserver "$CP_DIR"
    scheduler_spawn
    eventually logged "$mark" "${CP_SERVER##*/}|connection refused|could ?n.t connect|failed to connect"
    scheduler_alive
    is_unready
    cp_start_apiserver_again "$CP_DIR"
    within 60 is_ready
    within 60 all_bound "$SPACE" 5 group=early
    scheduler_stop
}

@test "API server away for 10 s in the middle: nothing lost, nothing twice, the same process" {
    scheduler_start
    pid="$(scheduler_pid)"
    outage="$(namespace outage)"
    pods "$outage" before 40
    cp_restart_apiserver "$CP_DIR" 10
    pods "$outage" after 40
    within 60 all_bound "$outage" 80
    bound_once "$outage" 80
    equal "$(scheduler_pid)" "$pid"
    scheduler_stop
}

@test "history compacted while it was not looking (410): it reads everything again" {
    scheduler_start
    history="$(namespace history)"
    pods "$history" old 10
    eventually all_bound "$history" 10
    revision="$(kubectl get --raw /api/v1/pods | jq -r .metadata.resourceVersion)"
    # It sleeps while pods come and go, a node comes, and the past is thrown away.
    kill -STOP "$(scheduler_pid)"
    kubectl -n "$history" delete pods old-0 old-1 --wait=false
    pods "$history" new 10 '.spec.nodeSelector = {"e2e-group": "new"}'
    nodes new 1
    cp_compact "$CP_DIR"
    cp_restart_apiserver "$CP_DIR"
    # That much is sure: who asks for what was then, gets 410.
    contains "$(curl -s --max-time 10 --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" \
        "$CP_SERVER/api/v1/pods?watch=true&resourceVersion=$revision&timeoutSeconds=5")" '"code": ?410'
    kill -CONT "$(scheduler_pid)"
    within 60 all_bound "$history" 10 group=new
    eventually equals 8 application_size "root.$history" old
    scheduler_stop
}

application_size() {
    rest "/ws/v1/partition/default/queue/$1/application/$2" | jq '.allocations | length'
}

@test "invalid queues.yaml at start: a clear message and a non-zero exit" {
    mark="$(log_lines)"
    unreviewed queues <<<$'partitions:\n  - name: default\n    queues:\n      - name: root\n        colour: red'
    scheduler_spawn
    code="$(scheduler_exit_code 30)"
    [ "$code" -ne 0 ] || fail "it ended with 0"
    [ "$code" -lt 128 ] || fail "it crashed with $code"
    contains "$(log_since "$mark")" 'queues\.yaml'
    contains "$(log_since "$mark")" 'colour'
    queues_by_label
}

@test "a certificate it does not know: a clear message, and no pod touched" {
    mark="$(log_lines)"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=stranger \
        -keyout "$BATS_TEST_TMPDIR/key" -out "$BATS_TEST_TMPDIR/crt" 2>/dev/null
    jq --arg ca "$(base64 -w 0 <"$BATS_TEST_TMPDIR/crt")" \
        '.clusters[0].cluster["certificate-authority-data"] = $ca' "$E2E_DIR/scheduler.kubeconfig" >"$BATS_TEST_TMPDIR/kubeconfig"
    E2E_SCHEDULER_KUBECONFIG="$BATS_TEST_TMPDIR/kubeconfig" scheduler_spawn
    eventually logged "$mark" certificate
    run ! is_ready
}

@test "a token the API server does not take: a clear message" {
    mark="$(log_lines)"
    kubeconfig_with '{"token": "wrong"}' >"$BATS_TEST_TMPDIR/kubeconfig"
    E2E_SCHEDULER_KUBECONFIG="$BATS_TEST_TMPDIR/kubeconfig" scheduler_spawn
    eventually logged "$mark" '401|unauthorized'
    run ! is_ready
}

# token_bound_to SECRET: a token of the scheduler's that dies with the Secret.
token_bound_to() {
    kubectl -n "$E2E_SYSTEM" create secret generic "$1" >/dev/null
    kubectl -n "$E2E_SYSTEM" create token yunikorn-admin --bound-object-kind Secret --bound-object-name "$1"
}

@test "its token is rotated: the new one is used, no pod is missed" {
    file="$BATS_TEST_TMPDIR/token"
    token_bound_to rotate-1 >"$file"
    kubeconfig_with "$(jq -n --arg file "$file" '{tokenFile: $file}')" >"$BATS_TEST_TMPDIR/kubeconfig"
    E2E_SCHEDULER_KUBECONFIG="$BATS_TEST_TMPDIR/kubeconfig" scheduler_start
    pods "$SPACE" token-1 2
    eventually all_bound "$SPACE" 2 group=token-1
    token_bound_to rotate-2 >"$file.new"
    mv "$file.new" "$file"
    kubectl -n "$E2E_SYSTEM" delete secret rotate-1
    # The API server remembers a good token for ten seconds; new connections start from nothing.
    cp_restart_apiserver "$CP_DIR"
    pods "$SPACE" token-2 20
    within 90 all_bound "$SPACE" 20 group=token-2
    scheduler_stop
    kubectl -n "$E2E_SYSTEM" delete secret rotate-2
}

# with_plugin SCRIPT: a kubeconfig whose user comes from the script.
with_plugin() {
    printf '#!/bin/sh\n%s\n' "$1" >"$BATS_TEST_TMPDIR/plugin"
    chmod +x "$BATS_TEST_TMPDIR/plugin"
    kubeconfig_with "$(jq -n '{exec: {apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never", command: "./plugin"}}')" \
        >"$BATS_TEST_TMPDIR/kubeconfig"
}

@test "a credential plug-in says who it is, and is asked again when its token is refused" {
    file="$BATS_TEST_TMPDIR/token"
    token_bound_to plugin-1 >"$file"
    with_plugin 'echo run >>"$0.runs"
printf "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s\"}}" "$(cat "${0%/*}/token")"'
    E2E_SCHEDULER_KUBECONFIG="$BATS_TEST_TMPDIR/kubeconfig" scheduler_start
    pods "$SPACE" plugin-1 2
    eventually all_bound "$SPACE" 2 group=plugin-1
    equal "$(wc -l <"$BATS_TEST_TMPDIR/plugin.runs")" 1
    token_bound_to plugin-2 >"$file.new"
    mv "$file.new" "$file"
    kubectl -n "$E2E_SYSTEM" delete secret plugin-1
    cp_restart_apiserver "$CP_DIR"
    pods "$SPACE" plugin-2 20
    within 90 all_bound "$SPACE" 20 group=plugin-2
    equal "$(wc -l <"$BATS_TEST_TMPDIR/plugin.runs")" 2
    scheduler_stop
    kubectl -n "$E2E_SYSTEM" delete secret plugin-2
}

@test "a credential plug-in that fails: it says why, and waits" {
    mark="$(log_lines)"
    with_plugin 'echo "please log in" >&2; exit 7'
    E2E_SCHEDULER_KUBECONFIG="$BATS_TEST_TMPDIR/kubeconfig" scheduler_spawn
    eventually logged "$mark" "credential plug-in '.*/plugin': exit code 7: please log in"
    scheduler_alive
    run ! is_ready
}

@test "the ConfigMaps are missing: it runs on its built-in queues" {
    kubectl -n "$E2E_SYSTEM" delete configmap yunikorn-configs
    scheduler_start
    pods "$SPACE" default 2
    eventually all_bound "$SPACE" 2 group=default
    scheduler_stop
    queues_by_label
}

@test "its web port is taken: a clear message and a non-zero exit" {
    mark="$(log_lines)"
    scheduler_spawn --web-port "${CP_SERVER##*:}"
    code="$(scheduler_exit_code 30)"
    [ "$code" -ne 0 ] || fail "it ended with 0"
    contains "$(log_since "$mark")" "${CP_SERVER##*:}|address already in use"
}

# But for the moments after the API server's own starts: it did not know the roles then.
# More tolerations than an object may have entries.
TOO_MANY='.spec.tolerations = [range(33000) | {operator: "Exists"}]'

@test "a pod that cannot be read whole is reported, and is counted where it runs" {
    local large
    large="$(namespace large)"
    scheduler_start
    # By kubectl: curl takes no lines that long from a file.
    pod_objects "$large" unread 1 "$TOO_MANY" | kubectl create -f - >/dev/null
    pod_objects "$large" placed 1 "$TOO_MANY | $(asking 3 1Gi) | .spec.nodeName = \"trouble-0\"" | kubectl create -f - >/dev/null
    eventually equals SchedulerError condition "$large" unread-0 reason
    contains "$(condition "$large" unread-0 message)" "tolerations: the object has more than 32768 entries in its lists"
    eventually has_event "$large" unread-0 PodNotReadable
    eventually has_event "$large" placed-0 PodNotReadable
    equal "$(rest /ws/v1/partition/default/node/trouble-0 | jq -r .occupied.vcore)" 3000
    pods "$large" plain 1
    eventually is_bound "$large" plain-0
    scheduler_stop
}

@test "nothing it tried was forbidden to it" {
    local starts="${CP_DIR:-}/log/starts" refused
    [ -f "$starts" ] || starts=/dev/null
    refused="$(cat "$(dirname "$(scheduler_log)")"/scheduler-*.log | awk '
        FILENAME != "-" { from[++starts] = $1; to[starts] = $2; next }
        tolower($0) ~ /forbidden/ { for (i = 1; i <= starts; i++) if ($1 >= from[i] && $1 <= to[i]) next; print }' \
        "$starts" -)"
    [ -z "$refused" ] || fail "the role lacks a right: $refused"
}

@test "a port that is in use: the error names what set the address" {
    local busy="${CP_SERVER##*:}" command=(timeout 30 "$YK_BINARY" scheduler --kubeconfig "$KUBECONFIG" -n "$E2E_SYSTEM")
    run -1 "${command[@]}" --web-bind-address 127.0.0.1 --web-port "$busy"
    contains "$output" 'REST interface \(--web-bind-address, --web-port\): .*port '"$busy"': Address already in use'
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-defaults --type=merge -p "{\"data\": {\"service.web.port\": \"$busy\"}}"
    run "${command[@]}"
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-defaults --type=merge -p '{"data": {"service.web.port": null}}'
    equal "$status" 1
    contains "$output" 'REST interface \(service.web.bindHost, service.web.port\): .*Address already in use'
}
