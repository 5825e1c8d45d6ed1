#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A real Kubernetes control plane out of plain processes: etcd, kube-apiserver,
# kube-controller-manager, and kwok in place of kubelets. No container engine is needed.
#
#   hack/control-plane.sh build             build the pinned parts into the cache, once per version
#   hack/control-plane.sh up [--bench] DIR  start one in DIR and wait until it answers
#   hack/control-plane.sh down DIR          end it and remove DIR
#   hack/control-plane.sh stop-apiserver DIR | start-apiserver DIR | restart-apiserver DIR [SECONDS]
#                                           SECONDS: how long it stays away in between (0)
#   hack/control-plane.sh compact DIR       drop etcd's history up to now (provokes "410 Gone")
#
# `up` writes DIR/env for other scripts to source: KUBECONFIG, CP_DIR, CP_BIN, CP_SERVER,
# CP_ETCD, CP_TOKEN, CP_CA, CP_BENCH, and PATH with kubectl and helm of the pinned versions in
# front. Logs are in DIR/log, process ids in DIR/pid.
#
# --bench: many requests in flight, no fairness queues, no kwok, and only those controllers a
# namespace needs, so that nothing but the scheduler and its load competes for the processor.
# Nodes are then plain objects; create them as Ready or leave them without conditions.
#
# The file may also be sourced: then the functions cp_build, cp_up, ... can be called, and the
# caller's shell options stay as they are.
[ "${BASH_SOURCE[0]}" != "$0" ] || set -euo pipefail

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

CP_MODULES="$REPO/test/e2e/control-plane"

# --- building --------------------------------------------------------------------------------

# What each module is to be built of.
cp_packages() {
    case "$1" in
    kubernetes) echo k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager \
        k8s.io/kubernetes/cmd/kubectl ;;
    etcd) echo go.etcd.io/etcd/server/v3 ;;
    kwok) echo sigs.k8s.io/kwok/cmd/kwok ;;
    helm) echo helm.sh/helm/v3/cmd/helm ;;
    esac
}

# cp_pinned MODULE PATH: the version its go.mod asks for.
cp_pinned() {
    sed -n "s|^\(require \)\{0,1\}[[:space:]]*$2 \(v[^ ]*\).*|\2|p" "$CP_MODULES/$1/go.mod" | head -n 1
}

# The cache key: a build is used again exactly as long as its pins and its flags do not change.
cp_key() {
    {
        cat "$CP_MODULES/$1/go.mod" "$CP_MODULES/$1/go.sum"
        cp_ldflags "$1"
    } | sha256sum | cut -c 1-16
}

cp_part_dir() { echo "$YK_CACHE/control-plane/$1-$(cp_key "$1")"; }

# Programs built without these believe that they are v0.0.0, and Helm that every cluster is 1.20.
cp_ldflags() {
    local version minor
    case "$1" in
    kubernetes)
        version="$(cp_pinned kubernetes k8s.io/kubernetes)" minor="$(cut -d . -f 2 <<<"$version")"
        printf -- '-s -w'
        printf -- ' -X k8s.io/component-base/version.%s' "gitVersion=$version" gitMajor=1 "gitMinor=$minor" gitTreeState=clean
        ;;
    helm)
        minor="$(cp_pinned helm k8s.io/client-go | cut -d . -f 2)"
        printf -- '-s -w -X helm.sh/helm/v3/internal/version.version=%s' "$(cp_pinned helm helm.sh/helm/v3)"
        printf -- ' -X helm.sh/helm/v3/pkg/%s' "chartutil.k8sVersionMajor=1" "chartutil.k8sVersionMinor=$minor" \
            "lint/rules.k8sVersionMajor=1" "lint/rules.k8sVersionMinor=$minor"
        ;;
    *) printf -- '-s -w' ;;
    esac
}

# One line every 20 seconds while a build runs: `go build -v` names each package it has finished. Ends with the
# script, however that ends.
cp_report() {
    local part="$1" log="$2" start="$3"
    while sleep 20 && ! process_gone "$$"; do
        say "building $part: $(wc -l <"$log") packages after $(($(now) - start)) s"
    done
}

# Builds one part into a directory that gets its final name only when complete.
cp_build_part() {
    local part="$1" dir temporary log start reporter status=0
    dir="$(cp_part_dir "$part")"
    [ -e "$dir/done" ] && return 0
    temporary="$(mktemp -d "$YK_CACHE/control-plane/.$part-XXXXXX")"
    log="$temporary/build.log"
    start="$(now)"
    mkdir "$temporary/bin"
    : >"$log"
    cp_report "$part" "$log" "$start" 9>&- & # without the lock
    reporter=$!
    # shellcheck disable=SC2046 # a list of packages
    (cd "$CP_MODULES/$part" &&
        nice go build -v -trimpath -buildvcs=false -ldflags "$(cp_ldflags "$part")" \
            -o "$temporary/bin/" $(cp_packages "$part")) >"$log" 2>&1 || status=$?
    kill "$reporter" 2>/dev/null || true
    wait "$reporter" 2>/dev/null || true
    if [ "$status" -ne 0 ]; then
        tail -n 20 "$log" >&2
        rm -rf "$temporary"
        die "building $part failed"
    fi
    cp_finish_part "$part" "$temporary"
    rm -rf "$dir"
    mv "$temporary" "$dir"
    say "built $part in $(($(now) - start)) s"
}

# What a part needs besides its programs.
cp_finish_part() {
    local part="$1" dir="$2" module
    case "$part" in
    etcd) # a main package at a module's root is named after the path's last real element
        mv "$dir/bin/server" "$dir/bin/etcd" ;;
    kwok)
        module="$(cd "$CP_MODULES/kwok" && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)"
        cp_stages "$module" >"$dir/stages.yaml" ;;
    esac
    touch "$dir/done"
}

# kwok's own fast stages: a Node becomes Ready, a bound pod Running, a Job's pod Completed.
cp_stages() {
    local file
    for file in node/fast/node-initialize pod/fast/pod-ready pod/fast/pod-complete pod/fast/pod-delete; do
        echo "---"
        cat "$1/kustomize/stage/$file.yaml"
    done
}

cp_is_built() {
    local part
    for part in kubernetes etcd kwok helm; do
        [ -e "$(cp_part_dir "$part")/done" ] || return 1
    done
}

# The Kubernetes programs take as long as the three others together, and each build ends in a link
# step that keeps one core only: two lanes use both.
cp_build_all() {
    local lane
    need_go
    # What runs in the background ignores Ctrl-C; hand it on.
    trap 'trap - INT TERM; kill 0' INT TERM
    cp_build_part kubernetes &
    lane=$!
    cp_build_part etcd
    cp_build_part kwok
    cp_build_part helm
    wait "$lane"
    trap - INT TERM
}

cp_build() {
    local start
    need_packages "${PACKAGES_E2E[@]}"
    mkdir -p "$YK_CACHE/control-plane"
    # Two scripts at once must not build the same thing twice.
    exec 9>"$YK_CACHE/control-plane/.lock"
    flock 9
    if ! cp_is_built; then
        start="$(now)"
        say "building the control plane (once per version; about 7 minutes on 2 cores)"
        cp_build_all
        say "the control plane is built, $(($(now) - start)) s"
    fi
    exec 9>&-
}

# One folder with all programs, made again for each instance: cheap, and right after an update.
cp_link_programs() {
    local part
    mkdir -p "$1"
    for part in kubernetes etcd kwok helm; do
        ln -sf "$(cp_part_dir "$part")"/bin/* "$1/"
    done
}

# cp_build_client kubectl|helm DIR: puts that one program there, from the cache or built on its own.
cp_build_client() {
    local name="$1" dir="$2" part package
    case "$name" in
    kubectl) part=kubernetes package=k8s.io/kubernetes/cmd/kubectl ;;
    helm) part=helm package="$(cp_packages helm)" ;;
    *) die "no program $name to build" ;;
    esac
    if [ -e "$(cp_part_dir "$part")/done" ]; then
        ln -sf "$(cp_part_dir "$part")/bin/$name" "$dir/"
        return
    fi
    need_go
    say "building $name (some minutes the first time)"
    (cd "$CP_MODULES/$part" &&
        nice go build -trimpath -buildvcs=false -ldflags "$(cp_ldflags "$part")" -o "$dir/" "$package") >&2 ||
        die "building $name failed"
}

# --- identity --------------------------------------------------------------------------------

cp_make_pki() {
    local pki="$CP_DIR/pki"
    mkdir -p "$pki"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=control-plane-ca \
        -keyout "$pki/ca.key" -out "$pki/ca.crt" 2>/dev/null
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=kube-apiserver \
        -keyout "$pki/server.key" -out "$pki/server.csr" 2>/dev/null
    openssl x509 -req -in "$pki/server.csr" -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -CAcreateserial -days 3650 \
        -out "$pki/server.crt" -extfile <(printf '%s\n' \
            'subjectAltName=DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1' \
            'extendedKeyUsage=serverAuth') 2>/dev/null
    openssl ecparam -name prime256v1 -genkey -noout -out "$pki/service-account.key"
}

cp_make_token() {
    CP_TOKEN="$(openssl rand -hex 16)"
    printf '%s,admin,admin,"system:masters"\n' "$CP_TOKEN" >"$CP_DIR/pki/tokens.csv"
}

# cp_kubeconfig TOKEN: a kubeconfig for that bearer, on stdout.
cp_kubeconfig() {
    cat <<YAML
apiVersion: v1
kind: Config
clusters:
- name: control-plane
  cluster:
    server: $CP_SERVER
    certificate-authority-data: $(base64 -w 0 <"$CP_CA")
users:
- name: bearer
  user:
    token: $1
contexts:
- name: control-plane
  context: {cluster: control-plane, user: bearer}
current-context: control-plane
YAML
}

# --- processes -------------------------------------------------------------------------------

# cp_spawn NAME COMMAND...: starts it in a session of its own, so that a Ctrl-C meant for the
# script does not reach it, and none of the caller's open files keep it from ending.
cp_spawn() {
    local name="$1"
    shift
    setsid "$@" >>"$CP_DIR/log/$name.log" 2>&1 </dev/null 9>&- 3>&- &
    echo $! >"$CP_DIR/pid/$name"
    # No "Killed" messages in the middle of a script that sources this file.
    disown "$!"
}

cp_pid() { cat "$CP_DIR/pid/$1" 2>/dev/null; }

cp_running() {
    local pid
    pid="$(cp_pid "$1")" && kill -0 "$pid" 2>/dev/null
}

cp_stop() {
    local pid
    pid="$(cp_pid "$1")" || return 0
    stop_pid "$pid" "${2:-20}"
    rm -f "$CP_DIR/pid/$1"
}

# tmpfs where there is one: an fsync per write would otherwise set the pace of everything.
cp_etcd_data_dir() {
    if [ -w /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
        mktemp -d /dev/shm/yunikorn-etcd-XXXXXX
    else
        mktemp -d "$CP_DIR/etcd-XXXXXX"
    fi
}

cp_start_etcd() {
    local client="$CP_ETCD" peer
    peer="http://127.0.0.1:$(free_port)"
    [ -e "$CP_DIR/etcd-data" ] || ln -s "$(cp_etcd_data_dir)" "$CP_DIR/etcd-data"
    cp_spawn etcd "$CP_BIN/etcd" --name default --data-dir "$(readlink "$CP_DIR/etcd-data")" --unsafe-no-fsync \
        --listen-client-urls "$client" --advertise-client-urls "$client" \
        --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer" \
        --quota-backend-bytes 8589934592 --log-level warn
}

cp_start_apiserver() {
    # Who bound what, and how often: the end-to-end tests read it. Numbers in tolerations and drivers that must be
    # installed are behind gates so far.
    # shellcheck disable=SC2054 # a comma of a feature gate
    local pki="$CP_DIR/pki" extra=(--enable-aggregator-routing=true
        --feature-gates TaintTolerationComparisonOperators=true,VolumeLimitScaling=true
        --audit-policy-file "$CP_MODULES/audit-policy.yaml" --audit-log-path "$CP_DIR/log/audit.log")
    if [ "$CP_BENCH" = 1 ]; then
        extra=(--max-requests-inflight 3000 --max-mutating-requests-inflight 3000
            --enable-priority-and-fairness=false
            # Nodes of the benchmark have no kubelet: nobody would take the not-ready taint off again.
            --disable-admission-plugins TaintNodesByCondition)
    fi
    cp_spawn kube-apiserver "$CP_BIN/kube-apiserver" --etcd-servers "$CP_ETCD" --storage-media-type \
        application/vnd.kubernetes.protobuf --bind-address 127.0.0.1 --advertise-address 127.0.0.1 \
        --secure-port "${CP_SERVER##*:}" --cert-dir "$pki" --tls-cert-file "$pki/server.crt" \
        --tls-private-key-file "$pki/server.key" --client-ca-file "$pki/ca.crt" --token-auth-file "$pki/tokens.csv" \
        --authorization-mode RBAC --allow-privileged=true --service-cluster-ip-range 10.96.0.0/16 \
        --service-account-issuer https://kubernetes.default.svc --service-account-key-file \
        "$pki/service-account.key" --service-account-signing-key-file "$pki/service-account.key" \
        --endpoint-reconciler-type none --shutdown-delay-duration 0s --event-ttl 1h "${extra[@]}"
}

cp_start_controllers() {
    local extra=()
    # The bench control plane runs what a namespace needs to come (its service account) and to go.
    [ "$CP_BENCH" = 1 ] && extra=(--controllers "serviceaccount-controller,namespace-controller")
    cp_spawn kube-controller-manager "$CP_BIN/kube-controller-manager" --kubeconfig "$CP_DIR/kubeconfig" \
        --use-service-account-credentials --service-account-private-key-file "$CP_DIR/pki/service-account.key" \
        --root-ca-file "$CP_CA" --leader-elect=false --bind-address 127.0.0.1 --secure-port "$(free_port)" \
        --cert-dir "$CP_DIR/pki" --kube-api-qps 500 --kube-api-burst 500 --concurrent-job-syncs 20 \
        --node-monitor-grace-period 10m "${extra[@]}" # kwok renews no leases, and a status seldom
}

cp_start_kwok() {
    cp_spawn kwok "$CP_BIN/kwok" --kubeconfig "$CP_DIR/kubeconfig" --manage-all-nodes=true \
        --config "$(cp_part_dir kwok)/stages.yaml" --config "$CP_MODULES/stages/claim-provision.yaml" \
        --server-address "127.0.0.1:$(free_port)" \
        --node-ip 127.0.0.1 --node-lease-duration-seconds 0
}

cp_answers() { curl -sf --cacert "$CP_CA" -H "Authorization: Bearer $CP_TOKEN" "$CP_SERVER$1" -o /dev/null; }

# Ready, or dead: a process that ended is reported at once with the end of its log.
cp_wait_ready() {
    local name="$1" deadline=$(($(now) + $2))
    shift 2
    until "$@" 2>/dev/null; do
        cp_running "$name" || cp_fail "$name ended"
        [ "$(now)" -lt "$deadline" ] || cp_fail "$name is not ready in time"
        sleep 0.05
    done
}

cp_fail() {
    local name="${1%% *}"
    tail -n 15 "$CP_DIR/log/$name.log" >&2 || true
    die "$1 (see $CP_DIR/log)"
}

# cp_create PATH: creates the objects on stdin, one JSON text per line, by requests that share a few
# connections. kubectl sends 50 objects a second; this is limited by the API server.
cp_create() {
    jq -r --arg url "$CP_SERVER$1" '"url = \($url | tojson)\ndata = \(tojson | tojson)\noutput = /dev/null\nnext"' |
        sed '$d' | cp_curl_many "$@"
}

cp_curl_many() {
    local config codes
    config="$(mktemp)"
    # Options count up to the next `next`, so each transfer gets its own.
    awk -v token="$CP_TOKEN" -v ca="$CP_CA" '
        function options() {
            print "cacert = \"" ca "\""
            if (token != "") print "header = \"Authorization: Bearer " token "\""
            print "header = \"Content-Type: application/json\""
            print "write-out = \"%{http_code}\\n\""
        }
        BEGIN { options() } { print } /^next$/ { options() }' >"$config"
    # Its progress meter cannot be silenced in every version: errors are told by the codes.
    codes="$(curl -s --parallel --parallel-max 32 --config "$config" 2>/dev/null | sort | uniq -c)" || true
    rm -f "$config"
    if [ -z "$codes" ] || [ "$(awk '$2 != 201' <<<"$codes" | wc -l)" -ne 0 ]; then
        die "creating objects at $1 failed (count, HTTP code): ${codes//$'\n'/; }"
    fi
}

# --- life cycle ------------------------------------------------------------------------------

cp_write_env() {
    {
        local name
        for name in CP_DIR CP_BIN CP_SERVER CP_ETCD CP_TOKEN CP_CA CP_BENCH; do
            printf 'export %s=%q\n' "$name" "${!name}"
        done
        printf 'export KUBECONFIG=%q\n' "$CP_DIR/kubeconfig"
        # shellcheck disable=SC2016 # for the reader's PATH, not ours
        printf 'export PATH=%q:"$PATH"\n' "$CP_BIN"
    } >"$CP_DIR/env"
}

cp_load() {
    [ -r "$1/env" ] || die "no control plane in $1"
    # shellcheck disable=SC1091 # written by cp_write_env
    source "$1/env"
}

cp_namespace_usable() { "$CP_BIN/kubectl" --kubeconfig "$CP_DIR/kubeconfig" get serviceaccount default; }

cp_up() {
    local start
    CP_BENCH=0
    if [ "${1:-}" = --bench ]; then
        CP_BENCH=1
        shift
    fi
    [ -n "${1:-}" ] || die "usage: control-plane.sh up [--bench] DIR"
    cp_build
    start="$(date +%s%N)"
    mkdir -p "$1"
    CP_DIR="$(cd "$1" && pwd)"
    [ ! -e "$CP_DIR/env" ] || die "there is a control plane in $CP_DIR already"
    mkdir -p "$CP_DIR/log" "$CP_DIR/pid"
    CP_BIN="$CP_DIR/bin" CP_CA="$CP_DIR/pki/ca.crt"
    CP_ETCD="http://127.0.0.1:$(free_port)" CP_SERVER="https://127.0.0.1:$(free_port)"
    cp_link_programs "$CP_BIN"
    cp_start_etcd
    cp_make_pki
    cp_make_token
    cp_kubeconfig "$CP_TOKEN" >"$CP_DIR/kubeconfig"
    cp_write_env
    cp_start_apiserver
    cp_wait_ready kube-apiserver 60 cp_answers /readyz
    cp_start_controllers
    [ "$CP_BENCH" = 1 ] || cp_start_kwok
    # The first sign of life of the controllers; pods of a namespace are refused before.
    cp_wait_ready kube-controller-manager 60 cp_namespace_usable >/dev/null
    say "control plane ready in $((($(date +%s%N) - start) / 1000000)) ms: export KUBECONFIG=$CP_DIR/kubeconfig"
}

cp_down() {
    local name
    [ -n "${1:-}" ] && [ -d "$1" ] || return 0
    CP_DIR="$(cd "$1" && pwd)"
    # All at once: none has to say goodbye to another, and nothing of theirs is kept.
    for name in kwok kube-controller-manager kube-apiserver etcd; do
        kill -9 "$(cp_pid "$name")" 2>/dev/null || true
    done
    for name in kwok kube-controller-manager kube-apiserver etcd; do cp_stop "$name"; done
    [ -L "$CP_DIR/etcd-data" ] && rm -rf "$(readlink "$CP_DIR/etcd-data")"
    # Only what is ours: DIR may be a folder of the caller's with more in it.
    rm -rf "${CP_DIR:?}"/{bin,env,etcd-data,kubeconfig,pid,pki}
    [ "${CP_KEEP_LOGS:-0}" = 1 ] || rm -rf "$CP_DIR/log"
    rmdir "$CP_DIR" 2>/dev/null || true
}

cp_stop_apiserver() {
    cp_load "$1"
    # Open watches keep a polite API server busy for a minute; outages are rude anyway.
    kill -9 "$(cp_pid kube-apiserver)" 2>/dev/null || true
    cp_stop kube-apiserver
}

# One that has just started knows not every role yet: what it refuses for some seconds says nothing. When that was is
# added to DIR/log/starts: "FROM TO", UTC.
cp_start_apiserver_again() {
    local from
    from="$(date -u '+%FT%T')"
    cp_load "$1"
    cp_start_apiserver
    cp_wait_ready kube-apiserver 60 cp_answers /readyz
    echo "$from $(date -u -d '+5 seconds' '+%FT%T')" >>"$CP_DIR/log/starts"
    cp_renew kube-controller-manager cp_start_controllers
    [ "$CP_BENCH" = 1 ] || cp_renew kwok cp_start_kwok
}

# After an outage the others wait up to half a minute before they try again; new ones do not.
cp_renew() {
    kill -9 "$(cp_pid "$1")" 2>/dev/null || true
    cp_stop "$1"
    "$2"
}

cp_restart_apiserver() {
    cp_stop_apiserver "$1"
    sleep "${2:-0}"
    cp_start_apiserver_again "$1"
}

# etcd speaks JSON over HTTP on its client port, so no etcdctl is needed.
cp_compact() {
    local revision
    cp_load "$1"
    revision="$(curl -sf -X POST "$CP_ETCD/v3/kv/range" -d '{"key":"AA=="}' | jq -r .header.revision)"
    curl -sf -X POST "$CP_ETCD/v3/kv/compaction" -d "{\"revision\":\"$revision\",\"physical\":true}" >/dev/null
    say "compacted etcd at revision $revision"
}

cp_main() {
    local command="${1:-}"
    [ $# -eq 0 ] || shift
    case "$command" in
    build) cp_build ;;
    up) cp_up "$@" ;;
    down) cp_down "$@" ;;
    stop-apiserver) cp_stop_apiserver "$@" ;;
    start-apiserver) cp_start_apiserver_again "$@" ;;
    restart-apiserver) cp_restart_apiserver "$@" ;;
    compact) cp_compact "$@" ;;
    -h | --help) sed -n '4,/^\[ /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" ;;
    *) die "usage: control-plane.sh build | up [--bench] DIR | down DIR | restart-apiserver DIR [SECONDS] | compact DIR" ;;
    esac
}

[ "${BASH_SOURCE[0]}" != "$0" ] || cp_main "$@"
