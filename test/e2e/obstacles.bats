# SPDX-License-Identifier: Apache-2.0
# Why a pod waits, in the three places where people look: kubectl describe pod, kubectl yunikorn why, and the page. All
# show the same reason and the same sentence, which are those of the pages in docs/reasons. `hack/reasons.sh` takes the
# transcripts and pictures of those pages from here.

bats_require_minimum_version 1.5.0
load lib/e2e
load lib/browser

PAGES="$REPO/docs/reasons"

setup_file() {
    own_cluster_only
    export OUT="${OBSTACLES_DIR:-$E2E_DIR/obstacles}"
    rm -rf "$OUT"
    mkdir -p "$OUT"
    need_browser || true # the test of the page says so
    begin lab 2
    nodes kept 1 4
    queues <<'YAML'
partitions:
  - name: default
    placementrules:
      - {name: provided}
    queues:
      - name: root
        submitacl: "*"
        queues:
          - {name: research}
          - {name: hpc}
          - {name: small, resources: {max: {vcore: 1}}}
          - {name: few, maxapplications: 1}
          - {name: retry, properties: {application.unschedasks.backoff: "1", application.unschedasks.backoff.delay: 10m}}
          - name: shared
            limits:
              - {limit: "", users: ["joe"], maxresources: {vcore: 1}}
              - {limit: "", users: ["sue"], maxapplications: 1}
              - {limit: "", groups: ["dev"], maxresources: {vcore: 2}}
              - {limit: "", groups: ["ops"], maxapplications: 1}
          - {name: owed, resources: {guaranteed: {vcore: 6}}, properties: {preemption.delay: 1s}}
YAML
    eventually has_queue root.owed
    obstacles
}

setup() { own_cluster_only; }

teardown() {
    kill -CONT "$(scheduler_pid)" 2>/dev/null || true # after a test that failed while it paused
    tidy
}

teardown_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    standby scheduler_cleanup
    for pod in $(kubectl -n "$SPACE" get pods -o name); do
        kubectl -n "$SPACE" patch "$pod" --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]' >/dev/null 2>&1 || true
    done
    finish "$SPACE" lab kept
}

# a_pod NAME QUEUE USER [JQ]: a pod NAME of application NAME on the nodes of this file.
a_pod() {
    pods "$SPACE" "$1" 1 ".metadata.name = \"$1\" | .spec.nodeSelector = {\"e2e-group\": \"lab\"} | $(in_queue "$2") |
        .metadata.annotations[\"yunikorn.apache.org/user.info\"] = \"{\\\"user\\\":\\\"${3%%/*}\\\",\\\"groups\\\":[\\\"${3##*/}\\\"]}\" | ${4:-.}"
}

runs() { a_pod "$@" && eventually is_bound "$SPACE" "$1"; }

# waits TOKEN NAME QUEUE USER [JQ]: one that is expected to wait.
waits() { a_pod "${@:2}" && echo "$1 $2 $2" >>"$OUT/expected"; }

# have_started QUEUE...: five pods have run in each, so that the start of others can be estimated. They wait for a node, since
# starts of pods that did not wait tell nothing, and start 2.5 s apart: pods that start together tell less.
have_started() {
    local i queue
    for i in 1 2 3 4 5; do
        kubectl cordon -l e2e-group=lab >/dev/null
        for queue in "$@"; do a_pod "${queue##*.}-before-$i" "$queue" bob/x "$(asking 10m 1Mi)"; done
        sleep 2.5
        kubectl uncordon -l e2e-group=lab >/dev/null
        for queue in "$@"; do eventually is_bound "$SPACE" "${queue##*.}-before-$i"; done
    done
    for queue in "$@"; do
        for i in 1 2 3 4 5; do kubectl -n "$SPACE" delete pod "${queue##*.}-before-$i" --wait=false >/dev/null; done
        for i in 1 2 3 4 5; do eventually is_gone "${queue##*.}-before-$i"; done
    done
}

is_gone() { ! kubectl -n "$SPACE" get pod "$1" >/dev/null 2>&1; }

has_reservation() { rest "/ws/v1/partition/default/application/$1" | jq -e '.reservations | length > 0' >/dev/null; }

# A pod that needs the whole node has waited longer than the one that would fit beside what runs there.
reserved() {
    local kept='.spec.nodeSelector = {"e2e-group": "kept"}'
    runs render root.hpc bob/x "$(asking 3 64Mi) | $kept"
    a_pod weather root.hpc eve/x "$(asking 4 64Mi) | $kept"
    eventually has_reason InsufficientNodeResources weather
    runs thumbs root.hpc bob/x "$(asking 400m 64Mi) | $kept" # overtakes it
    eventually has_reservation weather
    waits Reserved photo root.hpc ann/x "$(asking 300m 64Mi) | $kept"
}

obstacles() {
    have_started root.small root.research root.shared
    reserved
    runs etl root.small bob/x "$(asking 600m 64Mi)"
    runs tiny root.small ann/x "$(asking 100m 64Mi)"
    waits QueueQuota train root.small ann/x "$(asking 500m 64Mi)"
    waits ExceedsMaxCapacity huge root.small ann/x "$(asking 2 64Mi)"
    runs batch root.few bob/x
    waits QueueMaxApplications report root.few ann/x
    runs joes root.shared joe/x "$(asking 800m 64Mi)"
    waits UserQuota joes-next root.shared joe/x "$(asking 500m 64Mi)"
    runs sues root.shared sue/x
    waits UserMaxApplications sues-next root.shared sue/x
    runs devs root.shared dan/dev "$(asking 1500m 64Mi)"
    waits GroupQuota devs-next root.shared dora/dev "$(asking 1 64Mi)"
    runs opera root.shared oli/ops
    waits GroupMaxApplications opera-next root.shared otto/ops
    waits PredicatesFailed picky root.research ann/x '.spec.nodeSelector["disk"] = "nvme"'
    waits VolumeBinding stores root.research ann/x '.spec.volumes = [{name: "data", persistentVolumeClaim: {claimName: "results"}}]'
    waits Backoff tries root.retry ann/x "$(asking 80 64Mi)"
    waits Gated gated root.research ann/x '.spec.schedulingGates = [{name: "example.com/quota"}]'
    waits Rejected lost root.nowhere.at.all ann/x
    # Both nodes are used now: five cores each, which end slowly.
    runs etl-0 root.research bob/x "$(asking 5 64Mi) | .metadata.finalizers = [\"yunikorn.e2e/look\"]"
    runs etl-1 root.research bob/x "$(asking 5 64Mi) | .metadata.finalizers = [\"yunikorn.e2e/look\"]"
    waits InsufficientNodeResources wide root.research ann/x "$(asking 6 64Mi)"
    gang "$SPACE" sim 2 "$(members 2 '.minResource = {cpu: "6", memory: "64Mi"} | .nodeSelector = {"e2e-group": "lab"}')" '' \
        "$(in_queue root.research) | .spec.nodeSelector = {\"e2e-group\": \"lab\"} | $(asking 6 64Mi)"
    echo "GangWaiting sim sim-0" >>"$OUT/expected"
    waits PreemptionInProgress urgent root.owed eve/x "$(asking 5 64Mi)"
}

# message POD: of the condition, or of a pod that has failed.
message() {
    kubectl -n "$SPACE" get pod "$1" -o json | jq -r '.status | if .phase == "Failed" then .message else
        (.conditions[]? | select(.type == "PodScheduled") | .message // "") end'
}

notes() {
    kubectl -n "$SPACE" get events.events.k8s.io -o json |
        jq -r --arg pod "$1" '.items[] | select(.regarding.name == $pod) | .note'
}

# standby COMMAND...: what the library does, about the scheduler that does not lead.
standby() { E2E_SCHEDULER_KUBECONFIG="${E2E_SCHEDULER_KUBECONFIG:-$E2E_DIR/scheduler.kubeconfig}" E2E_DIR="$E2E_DIR/standby" "$@"; }

# start_standby: another process holds the Lease, so this one never leads.
start_standby() {
    mkdir -p "$E2E_DIR/standby/log"
    helm template yunikorn "$REPO/deploy/helm/yunikorn" --namespace "$E2E_SYSTEM" --set replicas=2 \
        -s templates/leader-election.yaml | kubectl apply -f - >/dev/null
    kubectl apply -f - >/dev/null <<YAML
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: yunikorn-scheduler, namespace: $E2E_SYSTEM}
spec:
  holderIdentity: another
  leaseDurationSeconds: 600
  leaseTransitions: 0
  acquireTime: "$(date -u +%Y-%m-%dT%H:%M:%S.000000Z)"
  renewTime: "$(date -u +%Y-%m-%dT%H:%M:%S.000000Z)"
YAML
    standby scheduler_start --leader-elect --leader-elect-lease-duration=600s --leader-elect-renew-deadline=500s
}

end_standby() {
    standby scheduler_stop
    kubectl -n "$E2E_SYSTEM" delete lease yunikorn-scheduler >/dev/null
    kubectl -n "$E2E_SYSTEM" delete role/yunikorn-scheduler-election rolebinding/yunikorn-scheduler-election >/dev/null
}

why() { "$YK_BINARY" ctl why "pod/$1" -n "$SPACE" --kubeconfig "$KUBECONFIG" --server "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")"; }

field() { sed -n "s/^$1: *//p"; }

# has_reason TOKEN POD: everywhere.
has_reason() {
    case "$1" in
    Gated) notes "$2" | grep -q 'waiting for scheduling gates' ;;
    Rejected) message "$2" | grep -q . ;;
    *) message "$2" | grep -q " $1: " && notes "$2" | grep -q " $1: " ;;
    esac && [ "$(why "$2" | field Reason)" = "$1" ]
}

# sentence TOKEN POD: in the condition, without the estimate of the start.
sentence() {
    case "$1" in
    Gated) echo 'waits for scheduling gates: example.com/quota' ;;
    Rejected) message "$2" | sed 's/^ *//' ;;
    *) message "$2" | sed -E "s/^.* $1: //; s/; (estimated start between|start unknown: ).*//" ;;
    esac
}

# start_of TOKEN POD: what the condition says of the start.
start_of() { message "$2" | grep -oE '; (estimated start between .* UTC|start unknown: .*)$'; }

# What differs from run to run: the namespace, ages, times, the end of the names of placeholders.
stable() {
    sed -E "s/$SPACE/lab/g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/2026-11-25T12:00:00Z/g
        s/(tg-[a-z]+-[a-z]+-)[a-z0-9]{10}/\1abcdefghij/g; s/^(  [A-Z][a-z]+ +[A-Za-z]+ +)[0-9smh]+( \\(x[0-9]+ over [0-9smh]+\\))? +/\\13s    /
        s/[0-9]{2}:[0-9]{2} and [0-9]{2}:[0-9]{2} UTC/12:00 and 12:03 UTC/; s/in about [0-9smh]+ to [0-9smh]+/in about 0s to 3m/
        s/^(Waits: +)[0-9smh]+/\\13s/; s/[0-9]+ attempts?, the last one [0-9smh]+ ago/1 attempt, the last one 1s ago/; s/last [0-9]+ s([,)]|$)/last 30 s\\1/"
}

described() {
    kubectl -n "$SPACE" get pod "$1" -o json | jq -r '.status.conditions[]? | select(.type == "PodScheduled" and .status == "False") |
        "Condition \(.type)=\(.status), reason \(.reason):\n  \(.message)\n"'
    kubectl -n "$SPACE" describe pod "$1" | sed -n '/^Events:/,$p'
}

# same_everywhere TOKEN APPLICATION POD
same_everywhere() {
    local said
    eventually has_reason "$1" "$3" || fail "$3: not $1: $(message "$3") | $(notes "$3") | $(why "$3" 2>&1)"
    described "$3" | stable >"$OUT/$1.describe"
    why "$3" | stable >"$OUT/$1.why"
    said="$(sentence "$1" "$3" | stable)"
    printf '%s\n' "$said" >"$OUT/$1.sentence"
    contains "$(cat "$OUT/$1.why")" 'Reason: '
    echo "$1 $2 $(kubectl -n "$SPACE" get pod "$3" -o 'jsonpath={.metadata.uid}') $said"
}

@test "obstacles: condition, Event and kubectl yunikorn why give the same reason" {
    : >"$OUT/seen"
    while read -r token application pod; do
        same_everywhere "$token" "$application" "$pod" >>"$OUT/seen"
    done <"$OUT/expected"
    [ "$(wc -l <"$OUT/seen")" -ge 16 ]
    run ! grep -hE '[0-9a-f]{8}-[0-9a-f]{4}-|[0-9]{7,}' "$OUT"/*.sentence
}

@test "obstacles: the sentence of kubectl yunikorn why is that of the condition" {
    while read -r token _ pod; do
        equal "$(why "$pod" | field Message | stable)" "$(cat "$OUT/$token.sentence")"
    done <"$OUT/expected"
}

@test "obstacles: the condition says when the pod may start, the Event does not" {
    while read -r token _ pod; do
        case "$token" in
        Gated | Rejected) ;;
        *)
            start_of "$token" "$pod" || fail "$pod: $(message "$pod")"
            run ! grep -qE 'estimated start|start unknown' <<<"$(notes "$pod")"
            ;;
        esac
    done <"$OUT/expected"
    start_of QueueQuota train | grep -q 'estimated start between'
    contains "$(why train | field Starts)" 'an estimate'
    start_of PredicatesFailed picky | grep -q 'does not end by itself'
    contains "$(why picky | field Starts)" 'does not end by itself'
}

@test "obstacles: the page shows the same sentence" {
    has_browser || skip "chromium or the packages of web/ are not there"
    grep -vE '^Gated ' "$OUT/seen" | sed -E 's/^(Rejected [^ ]+ )[^ ]+/\1-/' |
        sed -E "s/2026-11-25T12:00:00Z.*//; s/ tg-[a-z]+-[a-z]+-abcdefghij .*//" >"$OUT/lines"
    run -0 timeout 100 node "$WEB/test/browser/reasons.mjs" "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/" "$OUT" <"$OUT/lines"
    contains "$output" 'the page shows'
}

is_not_tried() { [ "$(standby why fresh | field Reason)" = NotYetAttempted ]; }

# A scheduler that leads tries a pod within milliseconds. So it pauses, and a standby, which decides nothing, is asked.
@test "obstacles: a pod that was not tried yet" {
    local sentence
    start_standby
    kill -STOP "$(scheduler_pid)"
    a_pod fresh root.research ann/x
    eventually is_not_tried
    standby why fresh | stable >"$OUT/NotYetAttempted.why"
    described fresh | stable >"$OUT/NotYetAttempted.describe"
    sentence="$(standby why fresh | field Message)"
    if has_browser; then
        echo "NotYetAttempted fresh $(kubectl -n "$SPACE" get pod fresh -o 'jsonpath={.metadata.uid}') $sentence" |
            timeout 60 node "$WEB/test/browser/reasons.mjs" "http://127.0.0.1:$(cat "$E2E_DIR/standby/scheduler.port")/" "$OUT"
    fi
    kill -CONT "$(scheduler_pid)"
    end_standby
    eventually is_bound "$SPACE" fresh # no obstacle was left
    [ -n "${OBSTACLES_DIR:-}" ] || grep -qF -- "$sentence" "$PAGES/NotYetAttempted.md" || fail "the page lacks: $sentence"
}

@test "obstacles: docs/reasons has these sentences" {
    [ -z "${OBSTACLES_DIR:-}" ] || skip "the pages are being written"
    while read -r token _ _; do
        grep -qF -- "$(cat "$OUT/$token.sentence")" "$PAGES/$token.md" || fail "$PAGES/$token.md lacks: $(cat "$OUT/$token.sentence")"
    done <"$OUT/expected"
}
