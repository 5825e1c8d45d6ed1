# SPDX-License-Identifier: Apache-2.0
# The scheduler's Deployment, account and permissions.

bats_require_minimum_version 1.5.0
load lib

deployment() { one Deployment yunikorn-scheduler "$@"; }

@test "scheduler: one of two replicas leads, on different nodes and zones if possible" {
    spec="$(deployment | jq .spec)"
    equal "$(jq -r '"\(.replicas) \(.strategy.type)"' <<<"$spec")" "2 RollingUpdate"
    pod="$(jq .template.spec <<<"$spec")"
    equal "$(jq -c '.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm |
        [.topologyKey, .labelSelector.matchLabels.component]' <<<"$pod")" '["kubernetes.io/hostname","yunikorn-scheduler"]'
    equal "$(jq -c '.topologySpreadConstraints | map([.topologyKey, .whenUnsatisfiable, .labelSelector.matchLabels.component])' \
        <<<"$pod")" '[["topology.kubernetes.io/zone","ScheduleAnyway","yunikorn-scheduler"]]'
    equal "$(one PodDisruptionBudget yunikorn-scheduler | jq -c '[.spec.maxUnavailable, .spec.selector.matchLabels.component]')" \
        '[1,"yunikorn-scheduler"]'
}

@test "scheduler: a single replica needs none of that" {
    spec="$(deployment --set replicas=1 | jq .spec)"
    equal "$(jq -c '[.replicas, .strategy.type, .template.spec.containers[0].args]' <<<"$spec")" \
        '[1,"Recreate",["scheduler","--web-port=9080"]]'
    equal "$(jq -r '.template.spec | "\(.affinity) \(.topologySpreadConstraints)"' <<<"$spec")" "null null"
    equal "$(one PodDisruptionBudget yunikorn-scheduler --set replicas=1)" ""
    equal "$(one Role yunikorn-scheduler-election --set replicas=1)" ""
    equal "$(one PodDisruptionBudget yunikorn-scheduler --set replicas=1,podDisruptionBudget.enabled=true | jq .kind)" \
        '"PodDisruptionBudget"'
    equal "$(one PodDisruptionBudget yunikorn-scheduler --set podDisruptionBudget.enabled=false)" ""
}

@test "scheduler: placement can be chosen" {
    equal "$(pod --set antiAffinity=hard | jq -r '.affinity.podAntiAffinity | keys[0]')" \
        requiredDuringSchedulingIgnoredDuringExecution
    equal "$(pod --set antiAffinity=none | jq -r .affinity)" null
    equal "$(pod --set affinity.nodeAffinity.a=b | jq -c .affinity)" '{"nodeAffinity":{"a":"b"}}'
    equal "$(pod --set-json 'topologySpreadConstraints=[]' | jq -r .topologySpreadConstraints)" null
    equal "$(pod --set-json 'topologySpreadConstraints=[{"maxSkew":2,"topologyKey":"rack","whenUnsatisfiable":"DoNotSchedule"}]' |
        jq -r '.topologySpreadConstraints[0] | "\(.topologyKey) \(.labelSelector.matchLabels.component)"')" \
        "rack yunikorn-scheduler"
}

@test "scheduler: times of the leader election reach it" {
    several="$(deployment --set replicas=3 --set leaderElection.leaseDuration=30s | jq .spec)"
    equal "$(jq -r '"\(.replicas) \(.strategy.type)"' <<<"$several")" "3 RollingUpdate"
    equal "$(jq -c '.template.spec.containers[0].args[2:]' <<<"$several")" \
        '["--leader-elect","--leader-elect-lease-duration=30s","--leader-elect-renew-deadline=10s","--leader-elect-retry-period=2s"]'
    equal "$(deployment --set replicas=1,leaderElection.enabled=true | jq -r .spec.strategy.type)" RollingUpdate
    equal "$(deployment --set replicas=1,leaderElection.enabled=false | jq -r .spec.strategy.type)" Recreate
    refused 'replicas above 1 need leaderElection' --set replicas=2 --set leaderElection.enabled=false
    equal "$(pod --set leaderElection.leaseDuration=1m30.5s | jq -r '.containers[0].args[3]')" \
        --leader-elect-lease-duration=1m30.5s
}

@test "scheduler: the schema refuses what is no duration" {
    for wrong in 15 abc 15x '' '15 s' -15s s; do
        for key in leaseDuration renewDeadline retryPeriod; do
            refused "$key" --set-string "leaderElection.$key=$wrong"
        done
    done
}

@test "scheduler: times of the leader election that cannot work are refused" {
    e=leaderElection
    for key in leaseDuration renewDeadline retryPeriod; do
        for wrong in 0s 0.1ns 99999999999999999h 24h1ns; do
            refused "$e.$key \\($wrong\\) must be longer than 0s and at most 24h" --set "$e.$key=$wrong"
        done
    done
    for lease in 1s 10s; do
        refused "$e.leaseDuration \\($lease\\) must be longer than renewDeadline \\(10s\\)" --set "$e.leaseDuration=$lease"
    done
    refused "leaseDuration \\(15s\\) must be longer than renewDeadline \\(1m\\)" --set "$e.renewDeadline=1m"
    for retry in 20s 10s 9s 8334ms; do
        refused "$e.renewDeadline \\(10s\\) must be longer than 1.2 times retryPeriod \\($retry\\)" --set "$e.retryPeriod=$retry"
    done
    refused "renewDeadline \\(12s\\) must be longer than 1.2 times" --set "$e.renewDeadline=12s,$e.retryPeriod=10s"
    for fine in "$e.retryPeriod=8333ms" "$e.leaseDuration=24h,$e.renewDeadline=23h59m" "$e.leaseDuration=10.001s" \
        "$e.leaseDuration=3ms,$e.renewDeadline=2ms,$e.retryPeriod=1µs"; do
        template --set "$fine" >/dev/null
    done
}

@test "scheduler: permissions for gangs and for preemption can be left out" {
    names() { rendered "$@" | jq -r --arg kind "$kind" '.[] | select(.kind == $kind) | select(.metadata.name |
        startswith("yunikorn-scheduler")) | .metadata.name' | paste -sd ' '; }
    deletes() { rendered "$@" | jq -r '.[] | select(.kind == "ClusterRole") |
        select([.rules[].verbs[]] | index("delete")) | .metadata.name' | paste -sd ' '; }
    equal "$(deletes)" "yunikorn-scheduler-gangs yunikorn-scheduler-preemption"
    equal "$(deletes --set rbac.gangs=false)" yunikorn-scheduler-preemption
    equal "$(deletes --set rbac.preemption=false)" yunikorn-scheduler-gangs
    equal "$(deletes --set rbac.gangs=false,rbac.preemption=false)" ""
    kind=ClusterRoleBinding
    equal "$(names --set rbac.gangs=false)" "yunikorn-scheduler-core yunikorn-scheduler-preemption"
    equal "$(one ConfigMap yunikorn-defaults --set rbac.gangs=false | jq -r '.data["service.disableGangScheduling"]')" true
    equal "$(one ConfigMap yunikorn-defaults | jq -r '.data["service.disableGangScheduling"]')" null
}

@test "scheduler: the account is a name or an object" {
    account() { rendered "$@" | jq -r '.[] | select(.kind == "ServiceAccount" and
        .metadata.labels.component == "yunikorn-scheduler") | .metadata.name'; }
    users() { rendered "$@" | jq -r '.[] | select(.metadata.labels.component == "yunikorn-scheduler") |
        .subjects[]?.name, .spec.template.spec.serviceAccountName // empty' | sort -u; }
    equal "$(account) $(users)" "yunikorn-admin yunikorn-admin"
    equal "$(account --set serviceAccount=a) $(users --set serviceAccount=a)" "a a"
    equal "$(account --set serviceAccount.name=b) $(users --set serviceAccount.name=b)" "b b"
    equal "$(account --set serviceAccount.create=false)$(users --set serviceAccount.create=false)" yunikorn-admin
    equal "$(one ServiceAccount yunikorn-admin --set serviceAccount.annotations.role=x |
        jq -r '.metadata.annotations.role')" x
}

# helm upgrade to a chart of Apache YuniKorn does not create accounts: only its installation does.
@test "scheduler: accounts survive a change to another chart" {
    for name in yunikorn-admin yunikorn-admission-controller; do
        equal "$(one ServiceAccount "$name" | jq -r '.metadata.annotations["helm.sh/resource-policy"]')" keep
    done
}

@test "scheduler: the Secret with the settings of LDAP is mounted where they are read" {
    spec="$(pod --set ldapSecretName=directory)"
    equal "$(jq -r '.volumes[0] | "\(.name) \(.secret.secretName)"' <<<"$spec")" "ldap directory"
    equal "$(jq -r '.containers[0].volumeMounts[0] | "\(.name) \(.mountPath) \(.readOnly)"' <<<"$spec")" \
        "ldap /run/secrets/ldap true"
    equal "$(pod | jq -c '[.volumes[].name, .containers[0].volumeMounts[].mountPath]')" '["record","/tmp"]'
    # A path that is mounted twice would be refused.
    equal "$(pod --set-json 'extraVolumes=[{"name":"own","emptyDir":{}}]' \
        --set-json 'extraVolumeMounts=[{"name":"own","mountPath":"/tmp"}]' |
        jq -c '[.volumes[].name, .containers[0].volumeMounts[].mountPath]')" '["own","/tmp"]'
}

@test "scheduler: security defaults can be overridden, key by key, and removed" {
    spec="$(pod --set podSecurityContext.runAsUser=7 --set schedulerSecurityContext.capabilities=null)"
    equal "$(jq -r '.securityContext.runAsUser' <<<"$spec")" 7
    equal "$(jq -r '.securityContext.runAsNonRoot' <<<"$spec")" true
    equal "$(jq -r '.containers[0].securityContext.capabilities' <<<"$spec")" null
    equal "$(pod | jq -r '.containers[0].securityContext.capabilities.drop[0]')" ALL
}

# additions PREFIX: arguments, environment, volumes and containers beside those of the chart.
additions() {
    printf '%s\n' "--set=${1}extraArgs[0]=--verbose" "--set-json=${1}extraEnv=[{\"name\":\"A\",\"value\":\"1\"}]" \
        "--set-json=${1}envs=[{\"name\":\"B\",\"value\":\"2\"}]" "--set-json=${1}extraVolumes=[{\"name\":\"v\",\"emptyDir\":{}}]" \
        "--set-json=${1}extraVolumeMounts=[{\"name\":\"v\",\"mountPath\":\"/v\"}]" \
        "--set-json=${1}extraContainers=[{\"name\":\"c\",\"image\":\"i\"}]"
}

@test "scheduler and admission controller: arguments, environment, volumes and containers can be added" {
    for prefix in "" admissionController.; do
        mapfile -t set < <(additions "$prefix")
        [ -n "$prefix" ] && spec="$(admission_pod "${set[@]}")" || spec="$(pod "${set[@]}")"
        equal "$(jq -c '[.containers[0].args[-1], [.containers[0].env[].name], .volumes[0].name,
            .containers[0].volumeMounts[0].mountPath, .containers[1].name]' <<<"$spec")" \
            '["--verbose",["NAMESPACE","A","B"],"v","/v","c"]'
    done
    equal "$(pod --set ldapSecretName=d --set-json 'extraVolumes=[{"name":"v"}]' | jq -c '[.volumes[].name]')" '["ldap","v","record"]'
}

@test "scheduler: probes ask the paths that it serves, and can be changed" {
    container="$(pod | jq '.containers[0]')"
    equal "$(jq -r '"\(.startupProbe.httpGet.path) \(.livenessProbe.httpGet.path) \(.readinessProbe.httpGet.path)"' \
        <<<"$container")" "/livez /livez /readyz"
    equal "$(pod --set livenessProbe.periodSeconds=77 | jq -c '.containers[0].livenessProbe |
        [.periodSeconds, .timeoutSeconds, .httpGet.path]')" '[77,5,"/livez"]'
    equal "$(pod --set livenessProbe.enabled=false | jq -c '.containers[0] | [.livenessProbe, .readinessProbe.periodSeconds]')" \
        '[null,5]'
    equal "$(pod --set livenessProbe.tcpSocket.port=http1 | jq -c '.containers[0].livenessProbe | [.tcpSocket.port, .httpGet]')" \
        '["http1",null]'
}

@test "scheduler: secrets to pull images are names or objects" {
    for component in pod admission_pod; do
        equal "$("$component" --set-json 'imagePullSecrets=["a",{"name":"b"}]' | jq -c '[.imagePullSecrets[].name]')" '["a","b"]'
        equal "$("$component" | jq -r .imagePullSecrets)" null
    done
}

@test "scheduler: on the network of the node, new and old do not share it" {
    spec="$(deployment --set hostNetwork=true | jq .spec)"
    equal "$(jq -c '[.strategy.rollingUpdate.maxSurge, .template.spec.dnsPolicy]' <<<"$spec")" '[0,"ClusterFirstWithHostNet"]'
}

@test "scheduler: access to the REST interface" {
    access() { one ConfigMap yunikorn-defaults "$@" | jq -c '[.data["service.web.access", "service.web.tls.selfSigned"]]'; }
    scheme() { pod "$@" | jq -r '.containers[0] | [.startupProbe, .livenessProbe, .readinessProbe | .httpGet.scheme] | unique | join(",")'; }
    equal "$(access)" '["delegated","true"]'
    equal "$(scheme)" HTTPS
    equal "$(access --set restTLS.secretName=t)" '["delegated",null]'
    equal "$(access --set 'yunikornDefaults.service\.web\.access=none')" '["none","true"]'
    # As in Apache YuniKorn.
    equal "$(access --set rest.access=none)" '[null,null]'
    equal "$(scheme --set rest.access=none)" HTTP
    equal "$(access --set rest.access=none,restTLS.secretName=t)" '[null,null]'
    equal "$(scheme --set rest.access=none,restTLS.secretName=t)" HTTPS
    # The values of the charts of Apache YuniKorn do not open it.
    equal "$(access -f "$DATA/values-1.9.yaml")" '["delegated","true"]'
    equal "$(one ServiceMonitor yunikorn-scheduler --set serviceMonitor.enabled=true |
        jq -r '.spec.endpoints[0].bearerTokenFile')" /var/run/secrets/kubernetes.io/serviceaccount/token
    roles() { rendered "$@" | jq -r '.[] | select(.kind == "ClusterRole" and .rules[0].nonResourceURLs) |
        "\(.metadata.name) \(.rules[0].verbs | join(","))"' | paste -sd ' '; }
    equal "$(roles --set rest.access=none)" ""
    equal "$(roles)" \
        "yunikorn-viewer get yunikorn-operator get,post yunikorn-metrics-reader get"
}

@test "scheduler: the web UI of Apache YuniKorn beside it" {
    target() { one Service yunikorn-service "$@" | jq -c '[.spec.ports[].targetPort]'; }
    equal "$(target)" '["http1","http1"]'
    equal "$(pod | jq '.containers | length')" 1
    open=(--set web.enabled=true,rest.access=none)
    equal "$(target "${open[@]}")" '["http1","http2"]'
    container="$(pod "${open[@]}" --set-json 'web.envs=[{"name":"GOGC","value":"50"}]' | jq '.containers[1]')"
    equal "$(jq -c '[.name, .image, .imagePullPolicy, .ports[0].name, .ports[0].containerPort, .env[0].name]' <<<"$container")" \
        '["yunikorn-scheduler-web","apache/yunikorn:web-1.9.0","IfNotPresent","http2",9889,"GOGC"]'
    equal "$(jq -c '[.securityContext.readOnlyRootFilesystem, .resources.limits.memory]' <<<"$container")" '[true,"500Mi"]'
    equal "$(pod "${open[@]}" --set web.image.registry=r.example,web.image.tag=1 | jq -r '.containers[1].image')" \
        r.example/apache/yunikorn:1
    equal "$(one NetworkPolicy yunikorn-scheduler "${open[@]}" --set networkPolicy.enabled=true |
        jq -c '[.spec.ingress[0].ports[].port]')" '["http1","http2"]'
    # It sends no token and knows no encryption, and must not become a way around either.
    refused 'web.enabled needs rest.access=none' --set web.enabled=true
    refused 'web.enabled needs rest.access=none' "${open[@]}" --set 'yunikornDefaults.service\.web\.access=delegated'
    refused 'web.enabled needs an empty restTLS.secretName' "${open[@]}" --set restTLS.secretName=t
}

@test "scheduler: TLS of the REST interface" {
    tls=(--set restTLS.secretName=rest-tls --set restTLS.clientCA=true --set restTLS.minVersion=1.3)
    spec="$(pod "${tls[@]}")"
    equal "$(jq -r '.volumes[0].secret.secretName' <<<"$spec")" rest-tls
    equal "$(jq -r '.containers[0] | [.startupProbe, .livenessProbe, .readinessProbe | .httpGet.scheme] | unique | .[]' \
        <<<"$spec")" HTTPS
    data="$(one ConfigMap yunikorn-defaults "${tls[@]}" | jq .data)"
    folder="$(jq -r '.containers[0].volumeMounts[0].mountPath' <<<"$spec")"
    equal "$(jq -r '.["service.web.tls.certFile"]' <<<"$data")" "$folder/tls.crt"
    equal "$(jq -r '.["service.web.tls.clientCaFile"]' <<<"$data")" "$folder/ca.crt"
    equal "$(jq -r '.["service.web.tls.minVersion"]' <<<"$data")" 1.3
    equal "$(jq -r '.["service.web.tls.selfSigned"]' <<<"$data")" null
    both="$(pod "${tls[@]}" --set ldapSecretName=directory)"
    equal "$(jq -c '[.volumes[].name], [.containers[0].volumeMounts[].name]' <<<"$both" | sort -u)" '["ldap","rest-tls","record"]'
}
