# SPDX-License-Identifier: Apache-2.0
# Upgrades of the chart and new certificates, while pods are created at 50 per second: none is refused, and none passes
# unreviewed. Processes stand for the pods of the Deployment: two replicas, which each upgrade replaces one by one.

bats_require_minimum_version 1.5.0
load lib/e2e

CHART="$REPO/deploy/helm/yunikorn"
RATE=50 CREATORS=5
UPGRADES=5
[ "${YK_NIGHTLY:-0}" = 0 ] || UPGRADES=20

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    admission_away
}

setup() {
    CREATOR_PIDS=()
    own_cluster_only
    [ -n "$(admission_address)" ] || skip "this machine has no address but loopback, which an EndpointSlice cannot have"
    ADMISSION_NAMESPACE="$(namespace upgraded)"
    export ADMISSION_NAMESPACE
}

teardown() {
    stop_creators
    [ -z "${ADMISSION_NAMESPACE:-}" ] || admission_cleanup
    [ -z "${ADMISSION_NAMESPACE:-}" ] || helm uninstall yunikorn --namespace "$ADMISSION_NAMESPACE" --ignore-not-found >/dev/null
    [ -z "${created:-}" ] || delete_pods "$created"
    tidy
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    admission_back
}

# All pods of a namespace by one request: kubectl sends one for each.
delete_pods() {
    curl -sf --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" -o /dev/null \
        -X DELETE "$CP_SERVER/api/v1/namespaces/$1/pods?gracePeriodSeconds=0"
}

# create_pods NAMESPACE PREFIX COUNT RATE: one after the other, RATE per second; "NAME CODE" per answer. Every second one
# names YuniKorn, so that both webhooks of pods have their share.
create_pods() {
    jq -nr --arg url "$CP_SERVER/api/v1/namespaces/$1/pods" --arg prefix "$2" --argjson count "$3" --arg ca "$CP_CA" \
        --arg token "$CP_TOKEN" '
        range($count) | {apiVersion: "v1", kind: "Pod", metadata: {name: "\($prefix)-\(.)"},
            spec: ({terminationGracePeriodSeconds: 0, containers: [{name: "main", image: "busybox:stable"}]} +
                if . % 2 == 0 then {schedulerName: "yunikorn"} else {} end)} |
        "url = \($url | tojson)\ndata = \(tojson | tojson)\noutput = /dev/null\ncacert = \($ca | tojson)",
        "header = \("Authorization: Bearer " + $token | tojson)\nheader = \"Content-Type: application/json\"",
        "write-out = \("\(.metadata.name) %{http_code}\n" | tojson)\nnext"' | sed '$d' >"$BATS_TEST_TMPDIR/$2.requests"
    exec stdbuf -oL curl -s --rate "$4/s" --config "$BATS_TEST_TMPDIR/$2.requests"
}

# A request at a time is too slow for RATE on a busy machine: CREATORS share it.
start_creators() {
    local i
    for ((i = 0; i < CREATORS; i++)); do
        create_pods "$created" "pod$i" 3000 $((RATE / CREATORS)) >"$BATS_TEST_TMPDIR/pod$i.codes" 2>/dev/null 3>&- &
        CREATOR_PIDS+=($!)
    done
}

stop_creators() {
    [ "${#CREATOR_PIDS[@]}" -gt 0 ] || return 0
    kill "${CREATOR_PIDS[@]}" 2>/dev/null || true
    wait "${CREATOR_PIDS[@]}" || true
    CREATOR_PIDS=()
    cat "$BATS_TEST_TMPDIR"/*.codes >"$BATS_TEST_TMPDIR/answers"
}

# replace OLD NEW: a replica by another one, as a rolling update does: the new one is ready before the old one ends.
replace() {
    admission_start "$2" "$(free_port)"
    admission_announce "$(cat "$(admission_dir)/replica-$2.port")" "replica-$2"
    admission_unannounce "replica-$1"
    kill -TERM "$(admission_pid "$1")"
}

# The authority that expires first is renewed, as it is 90 days before: replicas serve certificates of the other one.
renew_authority() {
    local number first="" ends
    for number in 1 2; do
        ends="$(kubectl -n "$ADMISSION_NAMESPACE" get secret admission-controller-secrets -o "jsonpath={.data.cacert$number\.pem}" |
            base64 -d | openssl x509 -noout -enddate | cut -d = -f 2 | xargs -I{} date -d {} +%s)"
        first+="$ends $number"$'\n'
    done
    number="$(sort -n <<<"${first%$'\n'}" | head -n 1 | cut -d ' ' -f 2)"
    kubectl -n "$ADMISSION_NAMESPACE" patch secret admission-controller-secrets --type merge \
        -p "{\"data\": {\"cacert$number.pem\": null, \"cakey$number.pem\": null}}" >/dev/null
}

# upgrade ROUND: replicas 2*ROUND-1 and 2*ROUND are replaced by the next two, with new certificates in between.
upgrade() {
    local first=$((2 * $1 - 1))
    helm upgrade yunikorn "$CHART" --namespace "$ADMISSION_NAMESPACE" --set admissionController.podLabels.round="r$1" >/dev/null
    [ $(($1 % 5)) -ne 3 ] || renew_authority
    replace "$first" $((first + 2))
    kill -USR1 "$(admission_pid $((first + 1)))" "$(admission_pid $((first + 2)))"
    replace $((first + 1)) $((first + 3))
}

@test "upgrades: $UPGRADES in a row with new certificates, and no pod is refused or passes unreviewed" {
    local i before began
    export ADMISSION_DELAY=2s
    created="$(namespace created)"
    helm install yunikorn "$CHART" --namespace "$ADMISSION_NAMESPACE" >/dev/null
    admission_install
    admission_unannounce admission
    for i in 1 2; do
        admission_start "$i" "$(free_port)"
        admission_announce "$(cat "$(admission_dir)/replica-$i.port")" "replica-$i"
    done
    before="$(kubectl -n "$ADMISSION_NAMESPACE" get secret admission-controller-secrets -o jsonpath='{.data}')"
    eventually reviewed "$created" yunikorn
    start_creators
    began="$(now)"
    for ((i = 1; i <= UPGRADES; i++)); do upgrade "$i"; done
    sleep 3 # the last ones end
    stop_creators
    expect_all_reviewed $(($(now) - began))
    [ "$(kubectl -n "$ADMISSION_NAMESPACE" get secret admission-controller-secrets -o jsonpath='{.data}')" != "$before" ] ||
        fail "no authority is new"
    for ((i = 1; i <= 2 * UPGRADES; i++)); do
        equal "$(cat "$(admission_dir)/replica-$i.exit")" 0 "exit code of replica $i"
    done
}

# reviewed NAMESPACE SCHEDULER: what a new pod there gets.
reviewed() {
    equals "$2" kubectl -n "$1" create --dry-run=server -o jsonpath='{.spec.schedulerName}' -f - \
        <<<'{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}'
}

# expect_all_reviewed SECONDS: every answer, and the pods that came of them. The pods were created in so many seconds.
expect_all_reviewed() {
    local answers passed
    answers="$(wc -l <"$BATS_TEST_TMPDIR/answers")"
    equal "$(grep -v ' 201$' "$BATS_TEST_TMPDIR/answers" | head -n 3)" "" "pods that were refused"
    passed="$(kubectl -n "$created" get pods -o json | jq -r '.items[] | select(.spec.schedulerName != "yunikorn" or
        (.metadata.labels["applicationId"] // "") == "" or
        (.metadata.annotations["yunikorn.apache.org/user.info"] // "" | contains("\"admin\"") | not)) | .metadata.name')"
    equal "$passed" "" "pods that no controller reviewed"
    echo "# $UPGRADES upgrades in $1 s, $answers pods, $((answers / $1)) per second" >&3
    [ "$answers" -ge $((RATE * $1 / 2)) ] || fail "only $answers pods were created in $1 s"
}
