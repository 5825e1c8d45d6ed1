# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What happens once before all tests and once after them (setup_suite.bash).

# shellcheck source=test/e2e/lib/e2e.bash
source "$(dirname "${BASH_SOURCE[0]}")/e2e.bash"

# A control plane of our own, or the cluster the user points at.
suite_cluster() {
    if [ -n "${KUBECONFIG:-}" ]; then
        export E2E_EXTERNAL=1 E2E_ADMISSION=0 # its API server does not reach us
        suite_tools
        suite_refuse_rival
        suite_proxy
        return
    fi
    export E2E_EXTERNAL=0
    # What a run that was killed has left behind.
    "$REPO/hack/control-plane.sh" down "$E2E_DIR/cluster"
    "$REPO/hack/control-plane.sh" up "$E2E_DIR/cluster"
    cp_load "$E2E_DIR/cluster"
}

# kubectl and helm of the user's if there are any: they fit their cluster.
suite_tools() {
    has kubectl && has helm && return 0
    cp_build
    cp_link_programs "$E2E_DIR/bin"
    export PATH="$PATH:$E2E_DIR/bin"
}

# Two schedulers that answer to one name would both bind the pods of the tests.
suite_refuse_rival() {
    local rival
    rival="$(kubectl get pods -A -l component=yunikorn-scheduler -o name | head -n 1)"
    [ -z "$rival" ] || fail "the cluster has a scheduler of this name already: $rival"
}

# The tests post thousands of objects by plain HTTP; the proxy knows how to log in.
suite_proxy() {
    export CP_TOKEN="" CP_CA=/etc/ssl/certs/ca-certificates.crt CP_SERVER
    CP_SERVER="http://127.0.0.1:$(free_port)"
    kubectl proxy --port "${CP_SERVER##*:}" >"$E2E_DIR/log/proxy.log" 2>&1 </dev/null 3>&- &
    echo $! >"$E2E_DIR/proxy.pid"
    eventually curl -sf "$CP_SERVER/version" -o /dev/null
}

# chart_objects NAMESPACE: the chart's objects as JSON, one per line. Objects of the cluster get a
# name of our own, so that an installation in the same cluster stays untouched.
chart_objects() {
    helm template yunikorn "$REPO/deploy/helm/yunikorn" --namespace "$1" --no-hooks "${@:2}" |
        kubectl create --dry-run=client -o json -f - | jq -c --arg id "$E2E_ID" '
            if .kind == "List" then .items[] else . end |
            .metadata.labels["yunikorn-e2e"] = $id |
            if .kind | IN("ClusterRole", "ClusterRoleBinding") then .metadata.name += "-e2e-" + $id else . end |
            if .kind == "ClusterRoleBinding" then .roleRef.name += "-e2e-" + $id else . end'
}

# Everything but the Deployments: the scheduler and the admission controller run here, where they can be stopped and
# killed. In an external cluster pods name their scheduler.
suite_install() {
    local embed=true trust=webhook
    [ "$E2E_EXTERNAL" = 0 ] || embed=false
    [ "$E2E_ADMISSION" = 1 ] || trust=any
    chart_objects "$E2E_SYSTEM" --set embedAdmissionController="$embed",rest.access=none \
        --set "yunikornDefaults.service\\.trustUserInfo=$trust" \
        --set 'yunikornDefaults.admissionController\.accessControl\.externalGroups=^system:masters$' | jq -c 'select(.kind != "Deployment")' | kubectl apply -f - >/dev/null
    kubectl -n "$E2E_SYSTEM" create token yunikorn-admin --duration 6h >"$E2E_DIR/scheduler.token"
    kubeconfig_with "$(jq -n --rawfile token "$E2E_DIR/scheduler.token" '{token: ($token | rtrimstr("\n"))}')" \
        >"$E2E_DIR/scheduler.kubeconfig"
}

suite_begin() {
    [ -x "$YK_BINARY" ] || fail "$YK_BINARY is missing; hack/test.sh e2e builds it"
    E2E_DIR="${E2E_DIR:-$REPO/build/e2e}" E2E_ID="$(openssl rand -hex 3)"
    export E2E_DIR E2E_ID E2E_SYSTEM="yk-e2e-$E2E_ID" E2E_ADMISSION="${E2E_ADMISSION:-1}"
    rm -rf "$E2E_DIR/log"
    mkdir -p "$E2E_DIR/log"
    suite_cluster
    namespace_named "$E2E_SYSTEM"
    suite_install
    [ "$E2E_EXTERNAL" = 1 ] || admission_install
    [ "$E2E_ADMISSION" = 0 ] || admission_start
}

suite_end() {
    # It may not even have begun.
    [ -n "${E2E_EXTERNAL:-}" ] || return 0
    scheduler_cleanup
    if [ "$E2E_EXTERNAL" = 0 ]; then
        admission_cleanup
        rm -rf "$E2E_DIR/log/control-plane"
        cp -r "$E2E_DIR/cluster/log" "$E2E_DIR/log/control-plane"
        cp_down "$E2E_DIR/cluster"
        return
    fi
    kubectl delete clusterroles,clusterrolebindings,namespaces -l "yunikorn-e2e=$E2E_ID" --wait=false >/dev/null
    stop_pid "$(cat "$E2E_DIR/proxy.pid")"
}
