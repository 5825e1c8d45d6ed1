#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the scheduler and shows it at work. On Debian 12 and 13 it installs what it needs first (as root).
#
#   hack/run.sh                      on a cluster in memory: two teams, three kinds of jobs, a change of
#                                    the queues in the middle. Takes seconds.
#   hack/run.sh --web [ADDRESS:PORT] on a cluster in memory, live on the web page, with buttons to change it, until
#                                    Ctrl-C (127.0.0.1:9889)
#   hack/run.sh --local-cluster      on a real control plane made for the occasion; it is built on first use, some
#                                    minutes. Nodes are pretended: no container runs, pods only change their phase
#   hack/run.sh --kubeconfig FILE    on a cluster that exists; the scheduler runs here, its objects
#                                    (namespace yunikorn) and the example's are removed at the end. The
#                                    example needs 10 cores and 10 GiB that are free
#
# With a cluster it goes on until Ctrl-C; with --once it ends when everything has been bound. What is missing of
# kubectl, helm, jq and curl is built or installed.
set -euo pipefail

# shellcheck source=hack/control-plane.sh
source "$(dirname "${BASH_SOURCE[0]}")/control-plane.sh"

EXAMPLE="$REPO/deploy/example"
NAMESPACE=yunikorn
TEAMS=(team-research team-web)
MARK=yunikorn-example
WORK=""
SCHEDULER=""
ONCE=0

run_simulation() {
    build_quietly --target yunikorn
    "$YK_BINARY" simulate
    cat >&2 <<END

Next:
    hack/run.sh --web              watch a cluster on the web page: http://127.0.0.1:9889/
    hack/run.sh --local-cluster    run an example on a real API server
    ${YK_BINARY#"$REPO/"} simulate examples/gangs.yaml
                                   jobs whose pods start together; docs/reference/simulate.md has the format
END
}

run_page() {
    build_quietly --target yunikorn
    exec "$YK_BINARY" simulate --web${1:+"=$1"} --quiet
}

# --- the cluster -------------------------------------------------------------------------------

# Four machines of 8 cores; kwok plays their kubelets.
create_nodes() {
    jq -cn 'range(4) | "machine-\(.)" as $name | {cpu: "8", memory: "32Gi", pods: "110"} as $has | {
        apiVersion: "v1", kind: "Node", metadata: {name: $name, labels: {"kubernetes.io/hostname": $name}},
        status: {capacity: $has, allocatable: $has}}' | cp_create /api/v1/nodes
}

start_local_cluster() {
    cp_up "$WORK/cluster"
    cp_load "$WORK/cluster"
    create_nodes
    say "the API server is real, its 4 nodes are pretended: no container runs. A bound pod is marked Running, and a pod of a
    Job Succeeded some seconds later, whatever its command is"
}

# What the show itself uses: theirs if there is one, which fits their cluster, else a pinned one.
need_tools() {
    local tool
    if ! has jq || ! has curl; then need_packages jq curl ca-certificates; fi
    mkdir -p "$WORK/bin"
    for tool in kubectl helm; do
        has "$tool" || cp_build_client "$tool" "$WORK/bin"
    done
    export PATH="$PATH:$WORK/bin"
}

use_cluster() {
    KUBECONFIG="$(realpath "$1")"
    export KUBECONFIG
    need_tools
    kubectl version >/dev/null || die "the cluster of $1 does not answer"
}

# Nothing that is there already may be taken over, for at the end it is all removed.
refuse_existing() {
    local namespace
    [ -z "$(kubectl get pods -A -l component=yunikorn-scheduler -o name)" ] ||
        die "the cluster has a scheduler of this name already"
    for namespace in "$NAMESPACE" "${TEAMS[@]}"; do
        ! kubectl get namespace "$namespace" >/dev/null 2>&1 || die "the cluster has a namespace $namespace already"
    done
}

create_namespaces() {
    local namespace
    for namespace in "$NAMESPACE" "${TEAMS[@]}"; do
        kubectl create namespace "$namespace" >/dev/null
        kubectl label namespace "$namespace" "$MARK=yes" >/dev/null
        wait_until 30 kubectl -n "$namespace" get serviceaccount default
    done
}

# The chart's objects without its Deployment: the scheduler runs here, as the same service account.
install_objects() {
    helm template yunikorn "$REPO/deploy/helm/yunikorn" --namespace "$NAMESPACE" --no-hooks \
        --set embedAdmissionController=false,rest.access=none |
        kubectl create --dry-run=client -o json -f - |
        jq -c --arg mark "$MARK" 'if .kind == "List" then .items[] else . end | select(.kind != "Deployment") |
            .metadata.labels[$mark] = "yes"' | kubectl apply -f - >/dev/null
}

scheduler_identity() {
    kubectl -n "$NAMESPACE" create token yunikorn-admin --duration 24h >"$WORK/token"
    kubectl config view --raw --minify --flatten -o json | jq --rawfile token "$WORK/token" '
        .users = [{name: "scheduler", user: {token: ($token | rtrimstr("\n"))}}] | .contexts[0].context.user = "scheduler"' \
        >"$WORK/scheduler.kubeconfig"
}

# --- the scheduler -----------------------------------------------------------------------------

rest() { curl -sf --max-time 5 "http://127.0.0.1:$WEB_PORT$1"; }

start_scheduler() {
    WEB_PORT=9080
    port_is_free "$WEB_PORT" || WEB_PORT="$(free_port)"
    setsid "$YK_BINARY" scheduler --kubeconfig "$WORK/scheduler.kubeconfig" --namespace "$NAMESPACE" \
        --web-bind-address 127.0.0.1 --web-port "$WEB_PORT" >"$WORK/scheduler.log" 2>&1 </dev/null &
    SCHEDULER=$!
    if ! wait_until 60 ready_or_gone || process_gone "$SCHEDULER"; then
        tail -n 20 "$WORK/scheduler.log" >&2
        die "the scheduler did not start"
    fi
    say "scheduler ready, log $WORK/scheduler.log
    web page: http://127.0.0.1:$WEB_PORT/
    in another terminal: $(plugin) queues --server http://127.0.0.1:$WEB_PORT"
}

# How kubectl yunikorn is called here: it is a link to the binary, which an installation makes.
plugin() {
    if has kubectl-yunikorn; then echo "kubectl yunikorn"; else echo "${YK_BINARY#"$PWD/"} ctl"; fi
}

# What makes kubectl use the cluster. A control plane of ours has a kubectl of its own, which may be the only one.
environment() {
    if [ -e "$WORK/cluster/env" ]; then
        echo ". $WORK/cluster/env      # sets KUBECONFIG, and PATH to kubectl"
    else
        echo "export KUBECONFIG=$KUBECONFIG"
    fi
}

ready_or_gone() { rest /readyz || process_gone "$SCHEDULER"; }

# --- the show ----------------------------------------------------------------------------------

example_pods() { kubectl get pods -A -l yunikorn.apache.org/app-id -o json; }

# "waiting bound finished" of the example's pods.
pod_counts() {
    example_pods | jq -r '[.items[] | if .status.phase == "Succeeded" then "finished"
        elif .spec.nodeName then "bound" else "waiting" end] |
        [(map(select(. == "waiting")) | length), (map(select(. == "bound")) | length),
         (map(select(. == "finished")) | length)] | @tsv'
}

queue_usage() {
    rest /ws/v1/partition/default/queues | jq -r '[.children[]? |
        "\(.queuename) \((.allocatedResource.vcore // 0) / 1000)" +
        (if .maxResource.vcore then "/\(.maxResource.vcore / 1000)" else "" end) + " cores"] | join(", ")'
}

progress() {
    local waiting bound finished line
    # A question that goes unanswered once is no reason to end the show.
    IFS=$'\t' read -r waiting bound finished < <(pod_counts) || return 0
    line="pods: $waiting waiting, $bound bound, $finished finished; $(queue_usage || true)"
    if [ "$line" != "${LAST_LINE:-}" ]; then
        echo "$line"
        CHANGED="$(now)" EXPLAINED=0
    fi
    LAST_LINE="$line" WAITING="$waiting" SEEN=$((waiting + bound + finished))
}

# What one of the example's waiting pods says about itself.
waiting_reason() {
    example_pods | jq -r '[.items[] | select(.spec.nodeName == null) | "\(.metadata.namespace)/\(.metadata.name) waits: " +
        ([.status.conditions[]? | select(.type == "PodScheduled") | .message] | first // "it does not say for what")] |
        first // empty'
}

# When nothing has happened for a while, the cluster may be too small: say so, once.
explain_waiting() {
    [ "$WAITING" -gt 0 ] && [ "$EXPLAINED" = 0 ] && [ $(($(now) - CHANGED)) -ge 30 ] || return 0
    EXPLAINED=1
    warn "nothing has changed for 30 s; $(waiting_reason || true)"
}

# The middle of the example: what waits, waits for the queue's maximum.
raise_maximum() {
    say "raising the maximum of root.web from 6 to 12 cores (kubectl edit would do the same)"
    sed 's/vcore: 6$/vcore: 12/' "$EXAMPLE/queues.yaml" | kubectl apply -f - >/dev/null
}

settled() { [ "$SEEN" -ge 74 ] && [ "$WAITING" -le "$1" ]; }

show() {
    local raised=0
    SEEN=0 WAITING=0 CHANGED="$(now)" EXPLAINED=0
    while ! process_gone "$SCHEDULER"; do
        progress
        [ "$raised" = 2 ] || explain_waiting
        if [ "$raised" = 0 ] && settled 4; then
            raise_maximum
            raised=1
        elif [ "$raised" = 1 ] && settled 0; then
            raised=2
            say "all pods are bound"
            [ "$ONCE" = 0 ] || return 0
            say "it stays up; try in another terminal:
    $(environment)
    kubectl -n team-web scale deployment shop --replicas 16
    $(plugin) why shop --server http://127.0.0.1:$WEB_PORT      # why four pods wait, and for what
    end with Ctrl-C"
        fi
        sleep 0.5
    done
    tail -n 20 "$WORK/scheduler.log" >&2
    die "the scheduler ended by itself"
}

# --- the end -----------------------------------------------------------------------------------

remove_objects() {
    kubectl delete namespaces,clusterroles,clusterrolebindings -l "$MARK=yes" --wait=false >/dev/null 2>&1 || true
}

clean_up() {
    local status=$?
    trap - EXIT INT TERM
    say "cleaning up"
    [ -z "$SCHEDULER" ] || stop_pid "$SCHEDULER"
    if [ -e "$WORK/cluster/env" ]; then
        cp_down "$WORK/cluster"
    elif [ "${INSTALLED:-0}" = 1 ]; then
        remove_objects
    fi
    rm -rf "$WORK"
    exit "$status"
}

run_on_cluster() {
    WORK="$(mktemp -d "${TMPDIR:-/tmp}/yunikorn-run-XXXXXX")"
    trap clean_up EXIT
    # Ctrl-C is how this is meant to end.
    trap 'exit 0' INT TERM
    build_quietly --target yunikorn
    if [ -n "${1:-}" ]; then use_cluster "$1"; else start_local_cluster; fi
    refuse_existing
    INSTALLED=1
    create_namespaces
    install_objects
    scheduler_identity
    kubectl apply -f "$EXAMPLE/queues.yaml" >/dev/null
    start_scheduler
    say "submitting the example: $EXAMPLE/jobs.yaml"
    kubectl apply -f "$EXAMPLE/jobs.yaml" >&2
    show
}

main() {
    local mode=simulation kubeconfig="" address=""
    while [ $# -gt 0 ]; do
        case "$1" in
        --local-cluster) mode=cluster ;;
        --web)
            mode=page
            if [ $# -gt 1 ] && [[ $2 != -* ]]; then
                address="$2"
                shift
            fi
            ;;
        --kubeconfig)
            mode=cluster kubeconfig="${2:-}"
            [ -n "$kubeconfig" ] || die "--kubeconfig needs a file"
            [ -r "$kubeconfig" ] || die "cannot read $kubeconfig"
            shift
            ;;
        --once) ONCE=1 ;;
        -h | --help)
            sed -n '4,/^set -e/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
            return 0
            ;;
        *) die "unknown argument '$1'; see hack/run.sh --help" ;;
        esac
        shift
    done
    case "$mode" in
    simulation) run_simulation ;;
    page) run_page "$address" ;;
    cluster) run_on_cluster "$kubeconfig" ;;
    esac
}

main "$@"
