# SPDX-License-Identifier: Apache-2.0
# Administration over REST, with tokens that the API server knows: kill, move, configuration.
# These tests are one story; each begins where the one before has ended.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    SPACE="$(namespace admin)"
    export SPACE
    for who in ann olga chief; do
        kubectl -n "$SPACE" create serviceaccount "$who" >/dev/null
        kubectl -n "$SPACE" create token "$who" >"$E2E_DIR/admin-$who.token"
    done
    configure
    [ "$E2E_EXTERNAL" = 1 ] || nodes admin 2
    scheduler_start
}

teardown() { tidy; }

teardown_file() {
    rm -f "$E2E_DIR"/admin-*.token
    # Its settings are not for the files that come after.
    kubectl -n "$E2E_SYSTEM" delete configmap yunikorn-configs >/dev/null
    finish "$SPACE" admin
}

account() { echo "system:serviceaccount:$SPACE:$1"; }

tree() {
    cat <<YAML
partitions:
  - name: default
    placementrules:
      - name: provided
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: a
            adminacl: "$(account ann)"
          - name: b
            adminacl: "$(account olga)"
          - name: shut
YAML
}

configure() {
    tree | jq -Rs --arg namespace "$E2E_SYSTEM" --arg acl "$(account chief)" '{apiVersion: "v1", kind: "ConfigMap",
        metadata: {name: "yunikorn-configs", namespace: $namespace},
        data: {"queues.yaml": ., "service.schedulerACL": $acl}}' | kubectl apply -f - >/dev/null
}

# as WHO METHOD PATH [CURL ARGS...]: the status code, then the body.
as() {
    curl -s --max-time 20 -w '%{http_code} ' -o "$BATS_TEST_TMPDIR/answer" -X "$2" \
        -H "Authorization: Bearer $(cat "$E2E_DIR/admin-$1.token")" \
        "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$3" "${@:4}"
    cat "$BATS_TEST_TMPDIR/answer"
}

APP=/ws/v1/partition/default/application

@test "reads are open, what changes something is not" {
    pods "$SPACE" moved 2 "$(in_queue root.a)"
    eventually all_bound "$SPACE" 2 group=moved
    equal "$(rest_code "$APP/moved")" 200
    equal "$(rest_code "$APP/moved" -X DELETE)" 401
    equal "$(rest_code "$APP/moved" -X DELETE -H 'Authorization: Bearer made.up.token')" 401
    contains "$(as olga DELETE "$APP/moved")" "^403 .*user '$(account olga)' is not allowed by the admin ACL of queue 'root.a'"
    contains "$(as chief DELETE "$APP/moved")" '^403 '
    all_bound "$SPACE" 2 group=moved
}

@test "move: a running application changes its queue with all it has" {
    contains "$(as ann PUT "$APP/moved/queue" -d '{"queue": "root.none"}')" '^404 .*Queue not found'
    contains "$(as ann PUT "$APP/moved/queue" -d '{"queue": "root"}')" '^422 .*parent'
    contains "$(as ann PUT "$APP/moved/queue" -d '{"queue": "root.b"}')" '^200 .*"queueName":"root.b"'
    equal "$(queue root.a '.allocatedResource.vcore // 0')" 0
    equal "$(queue root.b .allocatedResource.vcore)" 200
    equal "$(queue root.b .runningApps)" 1
    has_application root.b moved
    contains "$(as ann PUT "$APP/moved/queue" -d '{"queue": "root.a"}')" '^403 '
    pods "$SPACE" moved-on 1 "$(in_queue root.a) | .metadata.labels[\"yunikorn.apache.org/app-id\"] = \"moved\""
    eventually is_bound "$SPACE" moved-on-0
    equal "$(queue root.b .allocatedResource.vcore)" 300
}

@test "kill: pods that run are deleted, pods that wait have failed, and the queue is empty" {
    pods "$SPACE" moved-wait 1 "$(in_queue root.b) | $(asking 900 1Gi) |
        .metadata.labels[\"yunikorn.apache.org/app-id\"] = \"moved\""
    eventually is_unschedulable "$SPACE" moved-wait-0
    contains "$(as olga DELETE "$APP/moved")" '^200 .*"applicationState":"Failing"'
    eventually equals 0 count_pods "$SPACE" group=moved
    eventually equals 0 count_pods "$SPACE" group=moved-on
    eventually equals Failed phase moved-wait-0
    contains "$(pod "$SPACE" moved-wait-0 | jq -r '.status.reason + " " + .status.message')" \
        "^ApplicationKilled .*$(account olga)"
    eventually equals 0 queue root.b '.allocatedResource.vcore // 0'
    eventually equals 404 rest_code "$APP/moved"
    # Its id is free for new ones.
    pods "$SPACE" again 1 "$(in_queue root.b) | .metadata.labels[\"yunikorn.apache.org/app-id\"] = \"moved\""
    eventually is_bound "$SPACE" again-0
}

phase() { pod "$SPACE" "$1" | jq -r .status.phase; }

active() { rest /ws/v1/config -H 'Accept: application/json' | jq -r .Checksum; }

@test "config: only the scheduler's ACL, only on what is active, only what is valid" {
    base="$(active)"
    tree | sed 's/name: shut/name: opened/' >"$BATS_TEST_TMPDIR/new.yaml"
    contains "$(as chief PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/new.yaml")" '^400 .*checksum'
    echo "checksum: $base" >>"$BATS_TEST_TMPDIR/new.yaml"
    contains "$(as ann PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/new.yaml")" '^403 .*schedulerACL'
    contains "$(as chief PUT /ws/v1/config --data-binary $'partitions: []\ncolour: red')" '^422 .*colour'
    printf 'checksum: %064d\n' 7 | cat <(tree) - >"$BATS_TEST_TMPDIR/stale.yaml"
    contains "$(as chief PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/stale.yaml")" "^409 .*$base"
    equal "$(active)" "$base"

    answer="$(as chief PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/new.yaml")"
    contains "$answer" '^202 .*yunikorn-configs'
    eventually has_queue root.opened
    equal "$(active)" "$(jq -r .checksum <<<"${answer#202 }")"
    # It is kept, and so is what stood beside it.
    map="$(kubectl -n "$E2E_SYSTEM" get configmap yunikorn-configs -o json)"
    contains "$(jq -r '.data["queues.yaml"]' <<<"$map")" 'name: opened'
    equal "$(jq -r '.data["service.schedulerACL"]' <<<"$map")" "$(account chief)"
    # The same base a second time is an old one.
    contains "$(as chief PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/new.yaml")" '^409 '
}

@test "config: what is kept packed stays packed, and is in force after a restart" {
    tree | sed 's/name: shut/name: packed/' | gzip -nc >"$BATS_TEST_TMPDIR/queues.yaml.gz"
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type merge -p "$(jq -n --rawfile b \
        <(base64 -w 0 "$BATS_TEST_TMPDIR/queues.yaml.gz") '{binaryData: {"queues.yaml.gz": $b}}')"
    eventually has_queue root.packed
    { tree | sed 's/name: shut/name: repacked/'; echo "checksum: $(active)"; } >"$BATS_TEST_TMPDIR/new.yaml"
    contains "$(as chief PUT /ws/v1/config --data-binary "@$BATS_TEST_TMPDIR/new.yaml")" '^202 '
    eventually has_queue root.repacked
    map="$(kubectl -n "$E2E_SYSTEM" get configmap yunikorn-configs -o json)"
    equal "$(jq -r '.data["queues.yaml"] // "none"' <<<"$map")" none
    contains "$(jq -r '.binaryData["queues.yaml.gz"]' <<<"$map" | base64 -d | gunzip)" 'name: repacked'
    scheduler_stop
    scheduler_start
    has_queue root.repacked
}

@test "audiences: with a setting only tokens for this scheduler count" {
    local chief_for_us
    chief_for_us="$(kubectl -n "$SPACE" create token chief --audience yunikorn)"
    level() { rest_code /ws/v1/loglevel/info -X PUT -H "Authorization: Bearer $1"; }
    equal "$(level "$chief_for_us")" 401 # it is no token for the API server
    equal "$(level "$(cat "$E2E_DIR/admin-chief.token")")" 200
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge \
        -p '{"data": {"service.web.apiAudiences": "yunikorn"}}' >/dev/null
    scheduler_stop
    scheduler_start
    equal "$(level "$chief_for_us")" 200
    equal "$(level "$(cat "$E2E_DIR/admin-chief.token")")" 401
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge \
        -p '{"data": {"service.web.apiAudiences": null}}' >/dev/null
    scheduler_stop
    scheduler_start
}

@test "what was done is in the log, tokens are not" {
    contains "$(grep administration "$(scheduler_log)")" "\"$(account olga)\".*delete.*\"from\": \"127.0.0.1\".*\"status\": 200"
    for who in ann olga chief; do
        run ! grep -qF "$(cut -d . -f 3 "$E2E_DIR/admin-$who.token")" "$(scheduler_log)"
    done
}

@test "TLS: files named in the ConfigMap, changed while running" {
    mkdir -p "$(folder)"
    certificate first
    kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type merge -p "$(jq -n --arg folder "$(folder)" '{data: {
        "service.web.tls.certFile": "\($folder)/tls.crt", "service.web.tls.keyFile": "\($folder)/tls.key"}}')"
    scheduler_stop
    scheduler_spawn
    eventually equals ok secure /readyz
    equal "$(secure "$APP/moved" -o /dev/null -w '%{http_code}' -X DELETE)" 401
    contains "$(subject)" first
    certificate second
    within 20 subject_is second
    run ! rest /livez
}

folder() { echo "$BATS_FILE_TMPDIR/tls"; }

# certificate NAME: a new one in the files.
certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj "/CN=$1" \
        -addext subjectAltName=IP:127.0.0.1 -keyout "$(folder)/new.key" -out "$(folder)/new.crt" 2>/dev/null
    mv "$(folder)/new.key" "$(folder)/tls.key"
    mv "$(folder)/new.crt" "$(folder)/tls.crt"
}

secure() {
    curl -s --max-time 10 --cacert "$(folder)/tls.crt" "https://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$1" "${@:2}"
}

subject() {
    openssl s_client -connect "127.0.0.1:$(cat "$E2E_DIR/scheduler.port")" </dev/null 2>/dev/null |
        openssl x509 -noout -subject
}

subject_is() { subject | grep -q "$1"; }
