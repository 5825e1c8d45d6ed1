# SPDX-License-Identifier: Apache-2.0
# The admission controller.

bats_require_minimum_version 1.5.0
load lib

@test "admission: the Deployment runs the subcommand of the same image" {
    container="$(admission_pod | jq '.containers[0]')"
    equal "$(jq -c '[.name, .image, .args]' <<<"$container")" \
        '["yunikorn-admission-controller","yunikorn:0.1.0",["admission-controller"]]'
    equal "$(jq -c '.env[0] | [.name, .valueFrom.fieldRef.fieldPath]' <<<"$container")" '["NAMESPACE","metadata.namespace"]'
    equal "$(jq -c '.ports' <<<"$container")" '[{"name":"webhook-api","containerPort":9089,"protocol":"TCP"}]'
    for probe in startupProbe readinessProbe; do
        equal "$(jq -c --arg probe "$probe" '.[$probe].httpGet | [.scheme, .path, .port]' <<<"$container")" \
            '["HTTPS","/health","webhook-api"]' "$probe"
    done
    equal "$(jq -r .livenessProbe <<<"$container")" null
    equal "$(admission_pod | jq -r '"\(.hostNetwork) \(.serviceAccountName)"')" "null yunikorn-admission-controller"
}

@test "admission: the Service leads to its port" {
    equal "$(one Service yunikorn-admission-controller-service | jq -c '[.spec.type, .spec.ports[0].port,
        .spec.ports[0].targetPort]')" '["ClusterIP",443,"webhook-api"]'
    equal "$(one Service yunikorn-admission-controller-service --set admissionController.service.type=NodePort |
        jq -r .spec.type)" NodePort
}

# An upgrade that set data would throw the certificate authorities away.
@test "admission: the Secret has no data" {
    equal "$(one Secret admission-controller-secrets | jq -c '[.type, .data, .stringData]')" '["Opaque",null,null]'
}

@test "admission: embedAdmissionController=false leaves all of it out" {
    equal "$(rendered --set embedAdmissionController=false,networkPolicy.enabled=true |
        jq -r '.[] | select(tostring | test("admission-controller")) | .metadata.name')" yunikorn-scheduler-core
    equal "$(one ConfigMap yunikorn-defaults --set embedAdmissionController=false | jq -r '.data["service.trustUserInfo"]')" null
}

@test "admission: values of 1.9 take effect" {
    spec="$(one Deployment yunikorn-admission-controller --set admissionController.replicaCount=3 \
        --set admissionController.hostNetwork=true,admissionController.priorityClassName=high \
        --set admissionController.serviceAccount=me,admissionController.nodeSelector.disk=ssd \
        --set 'admissionController.tolerations[0].operator=Exists,admissionController.affinity.nodeAffinity.a=b' \
        --set admissionController.podLabels.l=1,admissionController.podAnnotations.a=2 \
        --set admissionController.resources.limits.memory=1Gi,admissionPodSecurityContext.fsGroup=5 \
        --set admissionContainerSecurityContext.runAsUser=6 | jq .spec)"
    equal "$(jq -c '[.replicas, .strategy.rollingUpdate.maxSurge, .strategy.rollingUpdate.maxUnavailable]' <<<"$spec")" '[3,1,1]'
    equal "$(jq -c '.template.metadata | [.labels.l, .annotations.a]' <<<"$spec")" '[1,2]'
    equal "$(jq -c '.template.spec | [.hostNetwork, .dnsPolicy, .priorityClassName, .serviceAccountName, .nodeSelector.disk,
        .tolerations[0].operator, .affinity.nodeAffinity.a, .securityContext.fsGroup, .securityContext.runAsNonRoot,
        .containers[0].resources.limits.memory, .containers[0].securityContext.runAsUser]' <<<"$spec")" \
        '[true,"ClusterFirstWithHostNet","high","me","ssd","Exists","b",5,true,"1Gi",6]'
    equal "$(rendered --set admissionController.serviceAccount=me | jq -r '.[] |
        select(.metadata.labels.component == "yunikorn-admission-controller") |
        if .kind == "ServiceAccount" then .metadata.name else .subjects[]?.name end' | sort -u)" me
    equal "$(one ServiceAccount yunikorn-admission-controller --set admissionController.serviceAccount.create=false)" ""
}

@test "admission: new ones start before old ones end, and a drain leaves one" {
    spec="$(one Deployment yunikorn-admission-controller | jq .spec)"
    equal "$(jq -c '[.replicas, .strategy.rollingUpdate.maxSurge, .strategy.rollingUpdate.maxUnavailable]' <<<"$spec")" '[2,1,0]'
    # A single one on the network of the node, as in the charts of Apache YuniKorn, has no gap either.
    equal "$(one Deployment yunikorn-admission-controller --set admissionController.hostNetwork=true,admissionController.replicaCount=1 |
        jq -c '.spec.strategy.rollingUpdate | [.maxSurge, .maxUnavailable]')" '[1,0]'
    equal "$(jq -r '.template.spec | "\(.affinity.podAntiAffinity | keys[0]) \(.topologySpreadConstraints | length)"' <<<"$spec")" \
        "preferredDuringSchedulingIgnoredDuringExecution 1"
    equal "$(one PodDisruptionBudget yunikorn-admission-controller | jq .spec.maxUnavailable)" 1
    equal "$(one PodDisruptionBudget yunikorn-admission-controller --set admissionController.replicaCount=1)" ""
}

@test "admission: it may write its webhooks and its Secret, and nothing else" {
    rules="$(rendered | jq -c '.[] | select((.kind | endswith("Role")) and
        .metadata.name == "yunikorn-admission-controller") | .kind as $kind | .rules[] |
        {kind: $kind, resource: .resources[], verb: .verbs[], names: (.resourceNames // ["*"] | join(","))}' |
        jq -r 'select(.verb | IN("get", "list", "watch") | not) | "\(.kind) \(.verb) \(.resource) \(.names)"' | sort)"
    diff - <(echo "$rules") <<'LIST'
ClusterRole create mutatingwebhookconfigurations *
ClusterRole create validatingwebhookconfigurations *
ClusterRole update mutatingwebhookconfigurations yunikorn-admission-controller-mutations
ClusterRole update validatingwebhookconfigurations yunikorn-admission-controller-validations
Role update secrets admission-controller-secrets
LIST
}
