# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# An admission webhook that guards user.info as the official admission controller does (webhook.py), for the
# namespaces of this run.

webhook_log() { echo "$E2E_DIR/log/webhook.log"; }

# webhook_start: it runs, and the API server asks it, when this returns.
webhook_start() {
    local dir="$E2E_DIR/webhook" port
    port="$(free_port)"
    mkdir -p "$dir"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
        -keyout "$dir/key.pem" -out "$dir/cert.pem" 2>/dev/null
    : >"$(webhook_log)"
    setsid python3 "$E2E_LIB/webhook.py" "$port" "$dir/cert.pem" "$dir/key.pem" "$(webhook_log)" \
        >"$E2E_DIR/log/webhook.err" 2>&1 </dev/null 3>&- &
    echo $! >"$dir/pid"
    eventually curl -s --cacert "$dir/cert.pem" "https://127.0.0.1:$port/" -o /dev/null
    jq -n --arg id "$E2E_ID" --arg url "https://127.0.0.1:$port/mutate" --arg ca "$(base64 -w 0 <"$dir/cert.pem")" '{
        apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration",
        metadata: {name: "yunikorn-e2e-\($id)", labels: {"yunikorn-e2e": $id}},
        webhooks: [{name: "admission.yunikorn-e2e.test", admissionReviewVersions: ["v1"], sideEffects: "None",
            failurePolicy: "Fail", timeoutSeconds: 5, clientConfig: {url: $url, caBundle: $ca},
            namespaceSelector: {matchLabels: {"yunikorn-e2e": $id}},
            rules: [{operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"]}]}]}' |
        kubectl create -f - >/dev/null
}

webhook_stop() {
    kubectl delete mutatingwebhookconfigurations "yunikorn-e2e-$E2E_ID" >/dev/null 2>&1 || true
    kill "$(cat "$E2E_DIR/webhook/pid")" 2>/dev/null || true
}

# webhook_decisions NAMESPACE DECISION: its lines about pods of a namespace.
webhook_decisions() { awk -v prefix="$1/" -v decision="$2" 'index($2, prefix) == 1 && $4 == decision' "$(webhook_log)"; }

# webhook_asked NAMESPACE: the API server asks it about pods of that namespace.
webhook_asked() { [ -n "$(webhook_decisions "$1" allowed)" ]; }
