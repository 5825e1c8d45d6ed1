#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs one benchmark of the release build; every measurement is one JSON line on stdout.
#
#   hack/bench.sh core [ARGS]      decisions per second, without any Kubernetes
#   hack/bench.sh core-CASE [ARGS] a figure of the core and its goal; the last line says whether it was reached:
#       core-replay   a backlog of equal asks on 500 to 5,000 nodes
#       core-nodes    100,000 asks on 1,000 to 50,000 nodes of 10 shapes, in 64 leaves
#       core-apps     the end of a long run against its beginning
#       core-blocked  runnable asks beside 100,000 that cannot run
#       core-herds    single events beside 16,000 applications that wait, for each reason to wait
#       core-preempt  plans per ask, victims in vain
#       core-gang     placeholders replaced
#       core-periodic the longest step of what timers do beside 50,000 pods that run and 100,000 that wait
#       core-memory   bytes per object, and what is left of a million asks
#       core-metrics  a scrape of /metrics beside 50,000 applications, and the list of the first 1,000 asks that wait
#   hack/bench.sh core-all         all of these, one after the other
#   hack/bench.sh placement [ARGS] applications through five placement rules
#   hack/bench.sh queues [ARGS]      the queue tree at size: reload, a charge, many leaves
#   hack/bench.sh decode [ARGS]    reading pods from the wire
#   hack/bench.sh limit [ARGS]     what the API server can bind without a scheduler
#   hack/bench.sh steady [NAME...] the scenarios of test/bench/steady (all of them, or those named without .yaml): whether
#                                  the scheduler is fair over 30 to 65 simulated minutes; a JSON line per scenario on stdout, a line of
#                                  a table on stderr, and their goals (docs/reference/simulate.md, "Goals")
#   hack/bench.sh steady --random N [FIRST]
#                                  the same for N scenarios drawn at random, with the seeds FIRST (1) and on
#   hack/bench.sh estimates [--random N] [--first SEED] [--list]
#                                  how many pods of the built-in scenarios and of N (20) random ones start within the estimates
#                                  of their starts, on simulated clusters; its goals
#   hack/bench.sh drain [ARGS]     waiting pods when the scheduler starts
#   hack/bench.sh latency [ARGS]   from creation to binding, beside the shortest way there is
#   hack/bench.sh reason [ARGS]    from the first sight of a pod that no node can take to the condition that says why it waits;
#                                  its goal
#   hack/bench.sh rest [drain|latency] [apart]
#                                  drain and latency with three clients of the REST interface that list everything without
#                                  pause, against the same without them, and against three clients that read the same bytes
#                                  as often from another process; its goals. apart: the clients have one processor, everything
#                                  else the others, in all three cases
#   hack/bench.sh rest-memory      how much the resident memory rises while eight clients at once read long answers slowly,
#                                  beside 50,000 applications with a pod that runs and one that waits; needs no cluster; its goal
#   hack/bench.sh admission        the admission controller: time of its answers at 500 pods per second, as the API server
#                                  measures it, and pods created per second and processor time of the API server without a
#                                  webhook, with one that changes nothing, and with one that changes pods; its goal
#   hack/bench.sh admission-calls [ARGS]
#                                  the admission controller without an API server: 500 reviews per second for a minute,
#                                  against requests of /health that carry nothing; then 100 and 600 at once; its goal
#   hack/bench.sh k8s-shim [ARGS], k8s-constraints [ARGS]
#                                  the whole scheduler in memory; the goals as of core-CASE
#   hack/bench.sh record [ARGS]    what a recording costs the scheduling thread and the process, in memory; its goal
#   hack/bench.sh whatif [ARGS]    what-if questions beside 50,000 pods on 5,000 nodes, in memory: time of the scheduling
#                                  thread, time and memory of the trial; its goals
#   hack/bench.sh k8s-drain [ARGS] drain with a fifth of the pods spread over zones, apart from each other or with a
#                                  volume of one zone; where they came to stand is checked; its goal
#   hack/bench.sh k8s-memory [ARGS]
#                                  resident memory with many large pods, and how it grows with pods that come and
#                                  go, in all and after a warm-up of a third of them, at least 20,000; its goals
#
# A core-CASE takes --repeat R (a figure is the best of them) and --tiny (only checks results). With BENCH_PERF=FILE
# its program runs under `perf record`, FILE is left behind and the busiest functions go to stderr.
# admission, admission-calls, limit, drain, latency, reason, rest, k8s-drain and k8s-memory run against a control plane of their own with BENCH_NODES (5000) nodes
# and BENCH_PODS pods (5000 per rate of limit, 20000 for the drains, 50000 for k8s-memory); latency and reason create pods for
# BENCH_SECONDS (15) in each of BENCH_BLOCKS (4) blocks per way of being bound, at each rate; k8s-memory lets BENCH_LIVES
# (60000; a full run has 200000 and takes half an hour on 2 cores) pods come and go, BENCH_RATE (400) per second at most. ARGS go to the
# benchmark's program. admission creates BENCH_PODS (5000) pods per block at BENCH_RATE (500) per second and needs no nodes. Let nothing else run meanwhile: figures are ratios within one run.
set -euo pipefail

# shellcheck source=hack/control-plane.sh
source "$(dirname "${BASH_SOURCE[0]}")/control-plane.sh"

BENCH_DIR="$REPO/build/release/test/bench"
BENCH_NODES="${BENCH_NODES:-5000}"

bench_binary() {
    local binary="$BENCH_DIR/bench_$1"
    [ -x "$binary" ] || die "$binary has not been built"
    echo "$binary"
}

# bench_core CASE [ARGS]: core-CASE, watched by perf if that is asked for.
bench_core() {
    local binary
    binary="$(bench_binary "core_$1")"
    if [ -z "${BENCH_PERF:-}" ]; then
        "$binary" "${@:2}"
        return
    fi
    perf record -q -o "$BENCH_PERF" "$binary" "${@:2}"
    perf report -q -i "$BENCH_PERF" --stdio --percent-limit 1 2>/dev/null | sed '/^$/d' >&2
}

bench_core_all() {
    local binary
    for binary in "$BENCH_DIR"/bench_core_*; do
        bench_core "${binary##*/bench_core_}" "$@"
    done
}

# bench_nodes COUNT: node objects as JSON, one per line. Ready from the start, for nobody else says so.
bench_nodes() {
    jq -cn --argjson count "$1" 'range($count) | . as $i | tostring | ("0" * (5 - length) + .) as $number | {
        apiVersion: "v1", kind: "Node",
        metadata: {name: "node-\($number)", labels: {
            "kubernetes.io/hostname": "node-\($number)", "kubernetes.io/arch": "amd64",
            "kubernetes.io/os": "linux", "topology.kubernetes.io/zone": "zone-\($i % 3)"}},
        status: {
            capacity: {cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "100Gi"},
            allocatable: {cpu: "32", memory: "256Gi", pods: "110", "ephemeral-storage": "100Gi"},
            conditions: [{type: "Ready", status: "True", reason: "KubeletReady"}]}}'
}

# bench_pods COUNT PREFIX SCHEDULER [JQ]: waiting pods of 100 applications in 4 queues, as JSON, one per line. JQ may
# change each; $i is its number.
bench_pods() {
    jq -cn --argjson count "$1" --arg prefix "$2" --arg scheduler "$3" 'range($count) as $i | $i | {
        apiVersion: "v1", kind: "Pod",
        metadata: {name: "\($prefix)-\(.)", namespace: "default", labels: {
            applicationId: "app-\(. % 100)", queue: "root.q\(. % 4)"}},
        spec: {schedulerName: $scheduler, containers: [{name: "main", image: "pause",
            resources: {requests: {cpu: "100m", memory: "128Mi"}}}]}} | '"${4:-.}"
}

# For bench_pods: every fifth pod is of a service that is spread over the zones (30 pods), or keeps its pods apart (10),
# or has a claim whose volume one zone reaches, in turn.
# shellcheck disable=SC2016 # jq
BENCH_CONSTRAINED='if $i % 5 != 0 then . else ($i / 5 | floor) as $nth | ($nth / 3 | floor) as $of_kind |
    if $nth % 3 == 0 then "spread-\($of_kind / 30 | floor)" as $service |
        .metadata.labels += {constraint: "spread", service: $service} |
        .spec.topologySpreadConstraints = [{maxSkew: 1, topologyKey: "topology.kubernetes.io/zone",
            whenUnsatisfiable: "DoNotSchedule", labelSelector: {matchLabels: {service: $service}}}]
    elif $nth % 3 == 1 then "apart-\($of_kind / 10 | floor)" as $service |
        .metadata.labels += {constraint: "apart", service: $service} |
        .spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution = [
            {topologyKey: "kubernetes.io/hostname", labelSelector: {matchLabels: {service: $service}}}]
    else .metadata.labels.constraint = "disk" |
        .spec.volumes = [{name: "data", persistentVolumeClaim: {claimName: "disk-\($of_kind)"}}]
    end end'

# bench_disks COUNT: claims and volumes that are bound to each other as Kubernetes' controllers would have done it;
# volume N is reached from zone N % 3.
bench_disks() {
    say "creating $1 claims and their volumes"
    jq -cn --argjson count "$1" 'range($count) | "disk-\(.)" as $name | {
        apiVersion: "v1", kind: "PersistentVolume", metadata: {name: $name, annotations: {
            "pv.kubernetes.io/provisioned-by": "bench.example"}},
        spec: {capacity: {storage: "1Gi"}, accessModes: ["ReadWriteOnce"], storageClassName: "bench",
            csi: {driver: "bench.example", volumeHandle: $name},
            claimRef: {apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "default", name: $name},
            nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
                {key: "topology.kubernetes.io/zone", operator: "In", values: ["zone-\(. % 3)"]}]}]}}}}' |
        cp_create /api/v1/persistentvolumes
    jq -cn --argjson count "$1" 'range($count) | "disk-\(.)" as $name | {
        apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: {name: $name, namespace: "default", annotations: {
            "pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes"}},
        spec: {accessModes: ["ReadWriteOnce"], storageClassName: "bench", volumeName: $name,
            resources: {requests: {storage: "1Gi"}}}}' |
        cp_create /api/v1/namespaces/default/persistentvolumeclaims
}

bench_get() { curl -s --fail --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" "$CP_SERVER$1"; }

# What the constrained pods asked for, against where the API server says they are: one line of counts, or nothing and
# an error.
bench_check_constraints() {
    jq -cn --slurpfile nodes <(bench_get /api/v1/nodes | jq -c '.items | map({(.metadata.name): .metadata.labels}) | add') \
        --slurpfile volumes <(bench_get /api/v1/persistentvolumes | jq -c '.items | map({(.spec.claimRef.name):
            .spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]}) | add') \
        --slurpfile pods <(bench_get '/api/v1/namespaces/default/pods?labelSelector=constraint' | jq -c '.items | map({
            kind: .metadata.labels.constraint, service: .metadata.labels.service, node: .spec.nodeName,
            claim: .spec.volumes[0].persistentVolumeClaim.claimName})') '
        def zone: $nodes[0][.node]["topology.kubernetes.io/zone"];
        ["zone-0", "zone-1", "zone-2"] as $zones |
        ($pods[0] | group_by(.kind) | map({(.[0].kind): .}) | add) as $of |
        [$of.spread | group_by(.service)[] | map(zone) as $in | [$zones[] as $zone | $in | map(select(. == $zone)) | length] |
            select(max - min > 1)] as $skewed |
        [$of.apart | group_by(.service)[] | select(length != (map(.node) | unique | length))] as $together |
        [$of.disk[] | select(zone != $volumes[0][.claim])] as $unreached |
        {case: "k8s-drain", part: "check", spread: ($of.spread | length), apart: ($of.apart | length), disk: ($of.disk | length),
            skewed: ($skewed | length), together: ($together | length), unreached: ($unreached | length)} |
        if .skewed + .together + .unreached > 0 or any($pods[0][]; .node == null) then
            error("wrongly placed: \(tojson)") else . end'
}

bench_create_pods() {
    say "creating $1 pods for '$3'"
    bench_pods "$@" | cp_create /api/v1/namespaces/default/pods
}

# The API server gives a request one minute; what it has deleted until then stays deleted.
bench_delete_pods() {
    say "deleting the pods"
    wait_until 600 bench_delete_some_pods || die "the pods could not be deleted"
}

bench_delete_some_pods() {
    curl -s --fail --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" -H 'Content-Type: application/json' \
        -X DELETE -d '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}' \
        -o /dev/null "$CP_SERVER/api/v1/namespaces/default/pods"
}

# Four queues, each limited to what a quarter of the pods need; no limit on requests but the API server's own.
bench_configure() {
    jq -cn --arg vcore "${1}m" '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "yunikorn-configs", namespace: "default"},
        data: {"kubernetes.qps": "-1", "queues.yaml": ({partitions: [{name: "default",
            placementrules: [{name: "provided", create: true}],
            queues: [{name: "root", submitacl: "*", queues: ([range(4) |
                {name: "q\(.)", resources: {max: {vcore: $vcore}}}] + [{name: "latency"}])}]}]} | tojson)}}' |
        cp_create /api/v1/namespaces/default/configmaps
}

# The bare rate with 1, 16, 64 and 256 binds in flight, and the shortest way from watch event to bound.
bench_limit() {
    local in_flight
    for in_flight in 1 16 64 256; do
        bench_create_pods "${BENCH_PODS:-5000}" "limit-$in_flight" "limit-$in_flight"
        "$(bench_binary bind_limit)" --in-flight "$in_flight" --scheduler "limit-$in_flight" "$@"
    done
    bench_reflex 20
}

bench_reflex() { "$(bench_binary latency)" --reflex --rate "$1" --seconds "${BENCH_SECONDS:-30}" --seed "$1"; }

# The bare rate and the same start with the scheduler in turn, BENCH_ROUNDS times: the server's own rate changes by a third
# within minutes. `change`: of the pods, `check`: a command while they are bound.
bench_drain() { bench_drain_of drain . true "$@"; }

bench_k8s_drain() {
    bench_disks $(((${BENCH_PODS:-20000} + 14) / 15))
    bench_drain_of k8s-drain "$BENCH_CONSTRAINED" bench_check_constraints "$@" | jq -c --unbuffered '., (select(.part == "ratio") |
        (if .of_limit >= 0.85 then "yes" else "no" end) as $reached | {case, part: "goals", goals: [
            {what: "binds per second of the limit", value: .of_limit, at_least: 0.85, reached: $reached}], reached: $reached})'
}

bench_drain_of() {
    local case="$1" change="$2" check="$3" pods="${BENCH_PODS:-20000}" limits drain drains round
    shift 3
    bench_configure $((pods * 100 / 4))
    limits="$(bench_limit_of "$pods" before "$change")"
    echo "$limits"
    for ((round = 1; round <= ${BENCH_ROUNDS:-3}; round++)); do
        bench_create_pods "$pods" "drain-$round" yunikorn "$change"
        drain="$("$(bench_binary drain)" --limit "$(tail -n 1 <<<"$limits" | jq -r .binds_per_s)" \
            --queue-vcore-max $((pods * 100 / 4)) --log "$CP_DIR/log/yunikorn.log" "$@" -- \
            "$YK_BINARY" scheduler --namespace default --web-port 0)"
        echo "$drain"
        drains+="$drain"$'\n'
        "$check"
        bench_delete_pods
        limits+=$'\n'"$(bench_limit_of "$pods" "after-$round" "$change")"
        tail -n 1 <<<"$limits"
    done
    jq -cn --arg case "$case" --slurpfile limits <(echo "$limits") --slurpfile drains <(echo "$drains") '
        def mean: add / length;
        ($limits | map(.binds_per_s)) as $limit | ($drains | map(.binds_per_s)) as $drain | {case: $case, part: "ratio",
        limits: $limit, drains: $drain, of_limit: (($drain | mean) / ($limit | mean) * 1000 | round / 1000),
        version: $drains[0].version, revision: $drains[0].revision}'
}

# bench_limit_of COUNT NAME JQ: the bare rate of binding such pods, which are deleted again.
bench_limit_of() {
    bench_create_pods "$1" "$2" "$2" "$3"
    "$(bench_binary bind_limit)" --in-flight 64 --scheduler "$2"
    bench_delete_pods
}

# bench_latency_at RATES [ARGS]: bench_latency at each of these rates. The scheduler runs all the time.
bench_latency_at() {
    local rate pid status=0 rates="$1"
    shift
    bench_configure 100000000
    "$YK_BINARY" scheduler --namespace default --web-port 0 >"$CP_DIR/log/yunikorn.log" 2>&1 &
    pid=$!
    # shellcheck disable=SC2064 # the process of now
    trap "kill $pid 2>/dev/null || true; cp_down '$CP_DIR'" EXIT
    timeout 60 sh -c "until grep -q 'scheduling starts' '$CP_DIR/log/yunikorn.log'; do sleep 0.1; done"
    for rate in $rates; do
        "$(bench_binary latency)" --rate "$rate" --seconds "${BENCH_SECONDS:-15}" --blocks "${BENCH_BLOCKS:-4}" \
            --seed "$rate" "$@" || status=$?
    done
    kill "$pid"
    wait "$pid" || status=$?
    return "$status"
}

# bench_latency lets the scheduler and the reflex take turns.
bench_latency() { bench_latency_at "20 200" "$@"; }

bench_reason() {
    local lines
    lines="$(bench_latency_at "1 20" --reason "$@")"
    echo "$lines"
    jq -cs '{case: "reason", part: "goals", goals: [.[] | {what: "milliseconds, 99th percentile, at \(.rate) pods per second",
        value: .reason.p99_ms, at_most: 1000, reached: (if .reason.p99_ms <= 1000 then "yes" else "no" end)}]} |
        .reached = (if all(.goals[]; .reached == "yes") then "yes" else "no" end)' <<<"$lines"
}

# bench_beside READERS PORT COMMAND...: the command while clients read. READERS is `none`; `three`, clients of the scheduler on
# PORT; or `elsewhere`, clients that read the same bytes as often from a process that does nothing else. Then $CP_DIR/readers
# is a JSON line about them.
bench_beside() {
    local readers="$1" port="$2" clients="" server="" other status=0 place=()
    shift 2
    [ -z "${BENCH_CLIENTS_CPU:-}" ] || place=(taskset -c "$BENCH_CLIENTS_CPU")
    mkdir -p "$CP_DIR/bodies"
    if [ "$readers" = three ]; then
        "${place[@]}" "$(bench_binary rest_clients)" --port "$port" --save "$CP_DIR/bodies" >"$CP_DIR/readers" &
        clients=$!
    elif [ "$readers" = elsewhere ]; then
        other="$(free_port)"
        "${place[@]}" "$(bench_binary rest_clients)" --serve "$CP_DIR/bodies" --port "$other" &
        server=$!
        "${place[@]}" "$(bench_binary rest_clients)" --port "$other" --per-s "$(jq .per_s "$CP_DIR/readers")" >"$CP_DIR/readers.elsewhere" &
        clients=$!
    fi
    "$@" || status=$?
    if [ -n "$clients" ]; then
        kill "$clients"
        wait "$clients" || status=$?
    fi
    if [ -n "$server" ]; then
        kill "$server"
        wait "$server" || true # by the signal
    fi
    return "$status"
}

# bench_readers_line READERS: what the clients of the last bench_beside did.
bench_readers_line() {
    case "$1" in
    three) cat "$CP_DIR/readers" ;;
    elsewhere) cat "$CP_DIR/readers.elsewhere" ;;
    *) echo null ;;
    esac
}

# bench_rest_drain READERS PORT ROUND: one drain, as a JSON line.
bench_rest_drain() {
    local pods="${BENCH_PODS:-20000}" drain
    bench_create_pods "$pods" "rest-$3-$1" yunikorn
    drain="$(bench_beside "$1" "$2" "$(bench_binary drain)" --limit 1000 --log "$CP_DIR/log/yunikorn.log" -- \
        "$YK_BINARY" scheduler --namespace default --web-port "$2")" || return 1
    jq -c --arg readers "$1" --argjson clients "$(bench_readers_line "$1")" '{case: "rest", part: "drain", readers: $readers,
        pods, binds_per_s, peak_mib, cpu_s, clients: $clients}' <<<"$drain"
    bench_delete_pods
}

# bench_rest_latency READERS PORT ROUND: latency at 20 pods per second, as a JSON line.
bench_rest_latency() {
    local latency
    latency="$(bench_beside "$1" "$2" "$(bench_binary latency)" --rate 20 --seconds "${BENCH_SECONDS:-15}" --blocks 1 --seed "$3")" || return 1
    jq -c --arg readers "$1" --argjson clients "$(bench_readers_line "$1")" '{case: "rest", part: "latency", readers: $readers,
        p50_ms: .yunikorn.p50_ms, p99_ms: .yunikorn.p99_ms, clients: $clients}' <<<"$latency"
}

# Leaves the last processor to the clients. What this shell starts inherits the others.
bench_take_apart() {
    local count others process
    count="$(nproc)"
    [ "$count" -gt 1 ] || die "apart needs two processors"
    BENCH_CLIENTS_CPU=$((count - 1))
    others="0-$((count - 2))"
    for process in "$BASHPID" $(cat "$CP_DIR"/pid/*); do
        taskset -acp "$others" "$process" >/dev/null
    done
}

# Without readers, with three, and with three elsewhere, in turn, BENCH_ROUNDS times, so that what changes with time shows in
# all. Unless they are apart, the API server, the scheduler and the clients share the processors: `three` against `none` is
# what a user sees on this machine, `three` against `elsewhere`, where the clients do the same, is what the readers cost the scheduler.
bench_rest() {
    local round rounds="${BENCH_ROUNDS:-3}" lines="" port readers pid part=all apart=false word load
    load="$(cut -d ' ' -f 1 /proc/loadavg)"
    for word in "$@"; do
        case "$word" in
        drain | latency) part="$word" ;;
        apart) apart=true ;;
        *) die "usage: hack/bench.sh rest [drain|latency] [apart]" ;;
        esac
    done
    port="$(free_port)"
    bench_configure 100000000
    [ "$apart" = false ] || bench_take_apart
    for ((round = 1; round <= rounds; round++)); do
        [ "$part" != latency ] || break
        for readers in none three elsewhere; do
            lines+="$(bench_rest_drain "$readers" "$port" "$round")"$'\n'
            tail -n 2 <<<"$lines"
        done
    done
    if [ "$part" != drain ]; then
        bench_create_pods "${BENCH_PODS:-20000}" shown yunikorn # something to list
        "$YK_BINARY" scheduler --namespace default --web-port "$port" >"$CP_DIR/log/yunikorn.log" 2>&1 &
        pid=$!
        # shellcheck disable=SC2064 # the process of now
        trap "kill $pid 2>/dev/null || true; cp_down '$CP_DIR'" EXIT
        timeout 60 sh -c "until grep -q 'scheduling starts' '$CP_DIR/log/yunikorn.log'; do sleep 0.1; done"
        wait_until 120 bench_all_bound || die "the pods to list were not bound"
        for ((round = 1; round <= rounds; round++)); do
            for readers in none three elsewhere; do
                lines+="$(bench_rest_latency "$readers" "$port" "$round")"$'\n'
                tail -n 2 <<<"$lines"
            done
        done
        kill "$pid"
        wait "$pid" || true
    fi
    bench_rest_goals "$apart" "$load" <<<"$lines"
}

# bench_rest_goals APART LOAD: of the lines on stdin, which are about one run. LOAD: of the machine before.
bench_rest_goals() {
    jq -cs --argjson apart "$1" --argjson load "$2" --argjson processors "$(nproc --all)" 'def mean: add / length;
        def rounded: . * 1000 | round / 1000;
        def of($part; $readers; $figure): [.[] | select(.part == $part and .readers == $readers) | getpath($figure)] | mean;
        def ratio($part; $other; $figure): of($part; "three"; $figure) / of($part; $other; $figure) | rounded;
        def goal($what; $value; $most; $least): {what: $what, value: $value} +
            (if $most then {at_most: $most, reached: (if $value <= $most then "yes" else "no" end)}
             else {at_least: $least, reached: (if $value >= $least then "yes" else "no" end)} end);
        def has($part): any(.[]; .part == $part);
        ([if has("drain") then
            goal("binds per second with three readers, of those without"; ratio("drain"; "none"; ["binds_per_s"]); null; 0.9),
            goal("binds per second with three readers, of those with three elsewhere"; ratio("drain"; "elsewhere"; ["binds_per_s"]); null; 0.9),
            goal("share of the scheduling thread for readers while pods wait";
                of("drain"; "three"; ["clients", "thread_share"]) | rounded; 0.1; null)
          else empty end,
          if has("latency") then
            goal("p50 with three readers, of that without"; ratio("latency"; "none"; ["p50_ms"]); 1.1; null),
            goal("p50 with three readers, of that with three elsewhere"; ratio("latency"; "elsewhere"; ["p50_ms"]); 1.1; null)
          else empty end]) as $goals |
        {case: "rest", part: "goals", apart: $apart, processors: $processors, load_before: $load} +
        (if has("drain") then {drain_cpu_s: {
            scheduler: (["none", "three", "elsewhere"] as $all | [$all[] as $one | {($one): (of("drain"; $one; ["cpu_s"]) | rounded)}] | add),
            clients: (["three", "elsewhere"] as $all | [$all[] as $one | {($one): (of("drain"; $one; ["clients", "clients_cpu_s"]) | rounded)}] | add)}}
         else {} end) +
        {goals: $goals, reached: (if all($goals[]; .reached == "yes") then "yes" else "no" end)}'
}

# bench_peak PID COMMAND...: how many KiB the resident memory of the process rose at most during the command.
bench_peak() {
    local pid="$1" before
    shift
    echo 5 >"/proc/$pid/clear_refs" # the peak begins again
    before="$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")"
    "$@"
    awk -v before="$before" '/^VmHWM/ { print $2 - before }' "/proc/$pid/status"
}

# bench_read COUNT URL ARGS: so many clients read it at once. In a subshell, which has no other children.
bench_read() {
    local count="$1" url="$2" reader
    shift 2
    for ((reader = 0; reader < count; reader++)); do
        curl -s --fail -o /dev/null "$@" "$url" &
    done
    wait
}

# bench_slow_readers PID URL: for each long answer, how much the resident memory rises while eight clients read it slowly,
# in KiB per client; a JSON line each. no-cache: each has an answer of its own.
bench_slow_readers() {
    local pid="$1" url="$2" path size rise
    for path in /debug/fullstatedump "$BENCH_PARTITION/applications/active" "$BENCH_PARTITION/queue/root.a/applications" \
        "$BENCH_PARTITION/nodes" "$BENCH_PARTITION/usage/users" "$BENCH_PARTITION/queue/root/pending?limit=1000000" \
        "$BENCH_PARTITION/queues" /ws/v1/scheduler/node-utilizations /metrics; do
        size="$(curl -s --fail "$url$path" | wc -c)"
        rise="$(bench_peak "$pid" bench_read 8 "$url$path" --limit-rate 4M -H 'Cache-Control: no-cache')"
        jq -cn --arg path "$path" --argjson size "$size" --argjson rise "$rise" \
            '{case: "rest-memory", part: "eight slow readers", path: $path, mib: ($size / 1048576 * 10 | round / 10),
                kib_per_reader: ($rise / 8 | round)}'
    done
}
BENCH_PARTITION=/ws/v1/partition/default

# The memory that answers take beside 50,000 applications of a fair queue, in a simulated cluster. Each has a pod that runs
# and one that fits on no node.
bench_rest_memory() {
    local port url directory before readers
    directory="$(mktemp -d "${TMPDIR:-/tmp}/yunikorn-bench-XXXXXX")"
    port="$(free_port)"
    url="http://127.0.0.1:$port"
    cat >"$directory/scenario.yaml" <<'EOF'
nodes: [{name: node, count: 1000, allocatable: {cpu: "16", memory: 64Gi, pods: "110"}}]
queues: "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, properties: {application.sort.policy: fair}}]}]}]"
timeline:
  - at: 1s
    submit: {application: app, applications: 50000, pods: 1, queue: root.a, requests: {cpu: 100m, memory: 128Mi}}
  - at: 20s
    submit: {application: app, applications: 50000, pods: 1, requests: {cpu: "32"}}
end: {when: time, at: 20h}
EOF
    "$YK_BINARY" simulate --quiet --web="127.0.0.1:$port" "$directory/scenario.yaml" >"$directory/log" 2>&1 &
    BENCH_SIMULATION=$!
    # shellcheck disable=SC2064 # the process of now
    trap "kill $BENCH_SIMULATION 2>/dev/null || true; rm -r '$directory'" EXIT
    wait_until 240 bench_simulation_runs "$url" || die "the pods were not bound, or none waits"
    sleep 5 # until memory of the burst has been given back
    before="$(awk '/^VmRSS/ { print $2 }' "/proc/$BENCH_SIMULATION/status")"
    readers="$(bench_slow_readers "$BENCH_SIMULATION" "$url")"
    echo "$readers"
    jq -cs --argjson before "$before" '(map(.kib_per_reader) | max) as $most | ($most <= 1024) as $reached |
        {case: "rest-memory", part: "goals", resident_mib: ($before / 1024 | round),
            goals: [{what: "KiB per slow reader", value: $most, at_most: 1024, reached: (if $reached then "yes" else "no" end)}],
            reached: (if $reached then "yes" else "no" end)}' <<<"$readers"
}

bench_simulation_runs() {
    [ "$(curl -s "$1/ws/v1/partitions" | jq -r '.[0].applications.Running // 0')" = 50000 ] &&
        [ "$(curl -s "$1$BENCH_PARTITION/queue/root.a/pending?limit=0" | jq -r '.total // 0')" = 50000 ]
}

bench_all_bound() {
    [ "$(bench_get '/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3D&limit=1' | jq '.items | length')" -eq 0 ]
}

bench_k8s_memory() {
    bench_configure 100000000
    "$(bench_binary k8s_memory)" --pods "${BENCH_PODS:-50000}" --lives "${BENCH_LIVES:-60000}" --rate "${BENCH_RATE:-400}" \
        --log "$CP_DIR/log/yunikorn.log" "$@" -- "$YK_BINARY" scheduler --namespace default --web-port 0
}

# --- admission ---------------------------------------------------------------------------------

# bench_admission_answers: how many requests the API server has sent to the controller, and how many of them were
# answered within 5 ms: "TOTAL FAST FAILED".
bench_admission_answers() {
    bench_get /metrics | awk '
        /^apiserver_admission_webhook_admission_duration_seconds_bucket/ && /name="admission-webhook.yunikorn/ {
            if (/le="\+Inf"/) total += $2
            if (/le="0.005"/) fast += $2
        }
        /^apiserver_admission_webhook_fail_open_count/ && /name="admission-webhook.yunikorn/ { failed += $2 }
        END { print total + 0, fast + 0, failed + 0 }'
}

bench_admission_start() {
    "$YK_BINARY" admission-controller --namespace default --bind-address 127.0.0.1 --port "$1" \
        --webhook-url "https://127.0.0.1:$1" --shutdown-delay 0s >>"$CP_DIR/log/admission.log" 2>&1 &
    BENCH_ADMISSION_PID=$!
    # shellcheck disable=SC2064 # the process of now
    trap "kill $BENCH_ADMISSION_PID 2>/dev/null || true; cp_down '$CP_DIR'" EXIT
    timeout 60 sh -c "until grep -q 'in order' '$CP_DIR/log/admission.log'; do sleep 0.1; done"
    sleep 1 # until the API server has read the configurations
}

bench_admission_stop() {
    kill "$BENCH_ADMISSION_PID"
    wait "$BENCH_ADMISSION_PID" || true
    rm "$CP_DIR/log/admission.log"
    kubectl delete mutatingwebhookconfigurations yunikorn-admission-controller-mutations >/dev/null
    kubectl delete validatingwebhookconfigurations yunikorn-admission-controller-validations >/dev/null
    sleep 1
}

# bench_admission_direct NAME ARGS: calls of the controller on port $port, by a client that connects as API servers do.
bench_admission_direct() {
    "$(bench_binary admission_calls)" --ca "$CP_DIR/webhook.pem" --name "$1" "${@:2}"
}

# The same load on /health and on /mutate takes turns, BENCH_ROUNDS times.
bench_admission_calls() {
    local round lines="" port calls=$((500 * ${BENCH_SECONDS:-60})) base
    port="$(free_port)"
    base="https://127.0.0.1:$port"
    kubectl -n default create secret generic admission-controller-secrets >/dev/null
    bench_admission_start "$port"
    kubectl get mutatingwebhookconfigurations yunikorn-admission-controller-mutations -o json |
        jq -r '.webhooks[0].clientConfig.caBundle' | base64 -d >"$CP_DIR/webhook.pem"
    for ((round = 1; round <= ${BENCH_ROUNDS:-3}; round++)); do
        lines+="$(
            bench_admission_direct "health-$round" --url "$base/health" --get --rate 500 --calls "$calls"
            bench_admission_direct "mutate-$round" --url "$base/mutate?timeout=10s" --rate 500 --calls "$calls"
            bench_admission_direct "at-once-100-$round" --url "$base/mutate?timeout=10s" --at-once 100 --calls 20000
            bench_admission_direct "at-once-600-$round" --url "$base/mutate?timeout=10s" --at-once 600 --calls 20000
        )"$'\n'
    done
    cat <<<"$lines"
    bench_admission_stop
    jq -cs 'def spread: sort | {min: .[0], median: .[length / 2 | floor], max: .[-1]};
        def of($name; $figure): [.[] | select(.name | startswith($name)) | .[$figure]];
        (of("mutate"; "p99_ms") | spread) as $p99 |
        {case: "admission-calls", part: "goals", p50_ms: (of("mutate"; "p50_ms") | spread), p99_ms: $p99,
            p99_of_health: ([of("mutate"; "p99_ms"), of("health"; "p99_ms")] | transpose | map(.[0] / .[1] * 100 | round / 100) | spread),
            goals: [{what: "p99_ms of reviews at 500 per second", value: $p99.median, at_most: 5,
                reached: (if $p99.median <= 5 then "yes" else "no" end)}],
            reached: (if $p99.median <= 5 then "yes" else "no" end)}' <<<"$lines"
}

# bench_admission_spent PID: processor time of a process so far in us.
bench_admission_spent() { awk '{ print ($14 + $15) * 10000 }' "/proc/$1/stat"; }

# bench_admission_part NAME ROUND: pods at BENCH_RATE per second, then as many as the API server takes; and what that
# cost. Calls are those at BENCH_RATE. BENCH_ADMISSION_PID: of the controller, or "".
bench_admission_part() {
    local before after api controller=0 server name="$1-$2"
    server="$(cat "$CP_DIR/pid/kube-apiserver")"
    before="$(bench_admission_answers)" api="$(bench_admission_spent "$server")"
    [ -z "$BENCH_ADMISSION_PID" ] || controller="$(bench_admission_spent "$BENCH_ADMISSION_PID")"
    "$(bench_binary admission)" --pods "${BENCH_PODS:-5000}" --rate "${BENCH_RATE:-500}" --name "$name-rate" --seed "$2"
    after="$(bench_admission_answers)"
    "$(bench_binary admission)" --pods "${BENCH_PODS:-5000}" --name "$name-full" --seed "$2"
    api=$(($(bench_admission_spent "$server") - api))
    [ -z "$BENCH_ADMISSION_PID" ] || controller=$(($(bench_admission_spent "$BENCH_ADMISSION_PID") - controller))
    bench_delete_pods
    jq -cn --arg name "$name" --arg before "$before" --arg after "$after" --argjson api "$api" --argjson controller "$controller" \
        --argjson pods $((2 * ${BENCH_PODS:-5000})) '($before | split(" ") | map(tonumber)) as $b | ($after | split(" ") | map(tonumber)) as $a |
        {case: "admission", cost: $name, calls: ($a[0] - $b[0]), within_5_ms: ($a[1] - $b[1]), failed_open: ($a[2] - $b[2]),
            api_server_us_per_pod: ($api / $pods | round), controller_us_per_pod: ($controller / $pods | round)}'
}

# bench_admission_with NAME ROUND PORT BYPASS: the same with the controller, which leaves the namespaces BYPASS alone.
bench_admission_with() {
    kubectl -n default create configmap yunikorn-defaults --from-literal="admissionController.filtering.bypassNamespaces=$4" \
        --dry-run=client -o yaml | kubectl apply -f - >/dev/null
    bench_admission_start "$3"
    bench_admission_part "$1" "$2"
    bench_admission_stop
}

# Blocks without a webhook, with one that answers and changes nothing, and with one that changes pods take turns,
# BENCH_ROUNDS times. The goal cannot be measured where the API server alone does not keep up with BENCH_RATE.
bench_admission() {
    local round port part results="$CP_DIR/admission.json"
    port="$(free_port)"
    kubectl -n default create secret generic admission-controller-secrets >/dev/null
    for ((round = 1; round <= ${BENCH_ROUNDS:-3}; round++)); do
        for part in without idle with; do
            BENCH_ADMISSION_PID=""
            # Not in a subshell: its end would run the trap that ends the cluster.
            case "$part" in
            without) bench_admission_part without "$round" ;;
            idle) bench_admission_with idle "$round" "$port" . ;;
            with) bench_admission_with with "$round" "$port" '^kube-system$' ;;
            esac >"$results.part"
            tee -a "$results" <"$results.part"
        done
    done
    jq -cs --argjson rate "${BENCH_RATE:-500}" 'def mean: add / length;
        def rounded: . * 1000 | round / 1000;
        def cost($name): map(select(.cost // "" | startswith($name + "-")));
        def timed($name; $key): map(select((.name // "" | startswith($name + "-")) and .rate > 0)[$key]) | mean;
        def full($name): map(select((.name // "" | startswith($name + "-")) and .rate == 0).pods_per_s) | mean;
        def fast($name): cost($name) | (map(.within_5_ms) | add) / (map(.calls) | add);
        def spent($name): cost($name) | map(.api_server_us_per_pod) | mean;
        (timed("without"; "pods_per_s") >= 0.95 * $rate) as $keeps_up | fast("with") as $share |
        (if $keeps_up | not then "not measurable" elif $share >= 0.99 and (cost("with") | map(.failed_open) | add) == 0 then "yes" else "no" end) as $reached |
        {case: "admission", part: "goals", pods_per_s_of_without: {idle: (full("idle") / full("without") | rounded), with: (full("with") / full("without") | rounded)},
            p50_ms: {without: (timed("without"; "p50_ms") | rounded), idle: (timed("idle"; "p50_ms") | rounded), with: (timed("with"; "p50_ms") | rounded)},
            api_server_us_per_pod: {without: (spent("without") | round), idle: (spent("idle") | round), with: (spent("with") | round)},
            within_5_ms: {idle: (fast("idle") | rounded), with: ($share | rounded)},
            goals: [{what: "share of calls answered within 5 ms", value: ($share | rounded), at_least: 0.99, reached: $reached}],
            reached: $reached}' "$results"
}

bench_on_cluster() {
    local directory
    directory="$(mktemp -d "${TMPDIR:-/tmp}/yunikorn-bench-XXXXXX")"
    # shellcheck disable=SC2064 # the directory of now
    trap "cp_down '$directory'" EXIT
    cp_up --bench "$directory"
    cp_load "$directory"
    if [[ "$1" != admission* ]]; then
        say "creating $BENCH_NODES nodes"
        bench_nodes "$BENCH_NODES" | cp_create /api/v1/nodes
    fi
    "bench_$1" "${@:2}"
}

# A JSON line about one simulation: its figures, without samples and applications.
# shellcheck disable=SC2016 # jq
STEADY_LINE='{case: "steady", scenario: $name, seed} + (.steady | del(.goals)) + {broken,
    missed: [.steady.goals[] | select(.reached | not) | {what, value, bound: (.atMost // .atLeast)}],
    notApplicable: ([.steady.goals[] | select(.notApplicable) | {(.what): .notApplicable}] | add)}'

# The same as a line of a table.
STEADY_ROW='def f(digits): if . == null then "-" else (. * pow(10; digits) | round / pow(10; digits) | tostring) end;
    def left(width): .[:width] + " " * ([0, width - length] | max);
    (if .samples == 0 then . + {jainMean: null, jainMin: null, used: null, reserved: null} else . end) |
    [(.scenario | left(34)), (.jainMean | f(3) | left(6)), (.jainMin | f(3) | left(6)), (.used | f(3) | left(6)),
     (.overtakenNs.p99 / .longestRunNs | f(2) | left(6)), (.overtakenNs.max / .longestRunNs | f(2) | left(6)),
     (.killed | tostring | left(6)), (.killsRatio | f(2) | left(6)), (.reserved | f(4) | left(7)),
     (if .reached then "reached" else "missed: " + ([.missed[] | .what] | join(", ")) end)] | join(" ")'

# bench_steady_run NAME ARGS: one simulation. Fails if a goal was missed.
bench_steady_run() {
    local name="$1" line status=0
    shift
    line="$("$YK_BINARY" simulate --quiet --output json "$@" | jq -c --arg name "$name" "$STEADY_LINE")" || status=$?
    if [ -z "$line" ]; then
        warn "$name cannot be run"
        return 1
    fi
    echo "$line"
    jq -r "$STEADY_ROW" <<<"$line" >&2
    jq -e '.reached and .broken == null' <<<"$line" >/dev/null || status=1
    return "$status"
}

bench_steady() {
    local name seed missed=0 count=0
    printf '%-34s %-6s %-6s %-6s %-6s %-6s %-6s %-6s %-7s %s\n' SCENARIO JAIN MIN USED OVER99 OVERTK KILLED RATIO RESERVD GOALS >&2
    if [ "${1:-}" = --random ]; then
        for ((seed = ${3:-1}; seed < ${3:-1} + $2; seed++)); do
            count=$((count + 1))
            bench_steady_run "random-$seed" --random "$seed" || missed=$((missed + 1))
        done
    else
        [ $# -gt 0 ] || set -- "$REPO"/test/bench/steady/*.yaml
        for name in "$@"; do
            name="$(basename "$name" .yaml)"
            count=$((count + 1))
            bench_steady_run "$name" "$REPO/test/bench/steady/$name.yaml" || missed=$((missed + 1))
        done
    fi
    say "$missed of $count scenarios missed a goal"
    [ "$missed" -eq 0 ]
}

# Each case of the core is a program of its own.
is_core_case() { [ "$1" = all ] || [ -e "$REPO/test/bench/bench_core_$1.c" ]; }

main() {
    local name="${1:-}"
    [[ "$name" != core-* ]] || is_core_case "${name#core-}" || die "there is no case $name; see hack/bench.sh --help"
    case "$name" in
    admission | admission-calls | core | core-* | placement | decode | estimates | queues | steady | limit | drain | latency | reason | rest | rest-memory | k8s-shim | k8s-constraints | k8s-drain | k8s-memory | record | whatif) shift ;;
    -h | --help)
        sed -n '4,/^set -e/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
        return 0
        ;;
    *) die "usage: hack/bench.sh admission|admission-calls|core|core-CASE|core-all|k8s-CASE|steady|placement|decode|estimates|queues|limit|drain|latency|reason|record|rest|rest-memory|whatif [ARGS]" ;;
    esac
    if [ "$name" = steady ] || [ "$name" = rest-memory ]; then
        build_release --target yunikorn
        "bench_${name//-/_}" "$@"
        return
    fi
    if [[ "$name" = admission* ]]; then
        build_release --target yunikorn bench_admission bench_admission_calls
    else
        build_release --target yunikorn benches
    fi
    case "$name" in
    core-all) bench_core_all "$@" ;;
    core-*) bench_core "${name#core-}" "$@" ;;
    core | k8s-shim | k8s-constraints | placement | decode | estimates | queues | record | whatif) "$(bench_binary "${name//-/_}")" "$@" ;;
    *) bench_on_cluster "${name//-/_}" "$@" ;;
    esac
}

main "$@"
