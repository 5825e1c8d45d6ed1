# SPDX-License-Identifier: Apache-2.0
# Values: those of the charts of Apache YuniKorn, images, what is refused.

# shellcheck disable=SC2034,SC2153 # KUBE_VERSION is read by template(), DATA comes from lib.bash

bats_require_minimum_version 1.5.0
load lib

SCHEMA="$CHART/values.schema.json"

@test "values: the schema knows every key of the charts 1.3 to 1.9" {
    jq -r '. as $root |
        def keys_of(prefix): (if ."$ref" then $root.definitions[."$ref" | ltrimstr("#/definitions/")] else . end) |
            .properties // {} | to_entries[] | prefix + .key, (.key as $key | .value | keys_of(prefix + $key + "."));
        keys_of("")' "$SCHEMA" | sort >"$BATS_TEST_TMPDIR/known"
    equal "$(sort "$DATA/keys-1.3-to-1.9.txt" | comm -23 - "$BATS_TEST_TMPDIR/known")" ""
}

@test "values: values.yaml and the schema have the same keys" {
    # Those that only old values files have.
    extra='goMemoryLimit|global|pluginImage\.registry|pluginImage\.digest'
    leaves='paths(type != "object" or length == 0) | select(all(type == "string")) | join(".")'
    objects <"$CHART/values.yaml" | jq -r ".[0] | $leaves" | sort >"$BATS_TEST_TMPDIR/have"
    jq -r '. as $root | def at: if ."$ref" then $root.definitions[."$ref" | ltrimstr("#/definitions/")] else . end;
        def leaves(prefix): at | if .additionalProperties == false and .properties.requests == null then .properties | to_entries[] |
            (.key as $key | .value | leaves(prefix + [$key])) else prefix | join(".") end; leaves([])' "$SCHEMA" |
        sort >"$BATS_TEST_TMPDIR/known"
    equal "$(comm -13 "$BATS_TEST_TMPDIR/have" "$BATS_TEST_TMPDIR/known" | grep -vE "(^|\.)($extra)$|resources$")" ""
}

@test "values: what --reuse-values lacks has the default of values.yaml" {
    sed -n '/define "yunikorn.newDefaults"/,/end -/p' "$CHART/templates/_helpers.tpl" | sed '1d;$d' | objects |
        jq '.[0]' >"$BATS_TEST_TMPDIR/new"
    [ "$(jq '[paths(scalars)] | length' "$BATS_TEST_TMPDIR/new")" -gt 20 ]
    objects <"$CHART/values.yaml" | jq '.[0]' >"$BATS_TEST_TMPDIR/values"
    equal "$(jq -r --slurpfile values "$BATS_TEST_TMPDIR/values" 'paths(type != "object" or length == 0) as $path |
        select(getpath($path) != ($values[0] | getpath($path))) | $path | join(".")' "$BATS_TEST_TMPDIR/new")" ""
}

@test "values: a values file of 1.9 is taken as it is" {
    objects="$(rendered -f "$DATA/values-1.9.yaml")"
    spec="$(jq '.[] | select(.kind == "Deployment" and .metadata.name == "yunikorn-scheduler") |
        .spec.template.spec' <<<"$objects")"
    equal "$(jq -r '.containers[0].image' <<<"$spec")" example/yunikorn:scheduler-1.9.0
    equal "$(jq -r '.dnsPolicy' <<<"$spec")" ClusterFirstWithHostNet
    equal "$(jq -r '.containers | length' <<<"$spec")" 1
    equal "$(jq -r '.imagePullSecrets[0].name' <<<"$spec")" my-secret
    equal "$(jq -r '.securityContext | "\(.fsGroup) \(.runAsNonRoot)"' <<<"$spec")" "1000 true"
    equal "$(jq -r '.containers[0].securityContext | "\(.runAsUser) \(.readOnlyRootFilesystem)"' <<<"$spec")" "1234 true"
    equal "$(jq -r '[.[] | select(.kind == "Ingress")] | length' <<<"$objects")" 1
    admission="$(jq '.[] | select(.kind == "Deployment" and .metadata.name == "yunikorn-admission-controller") |
        .spec' <<<"$objects")"
    equal "$(jq -r '"\(.replicas) \(.template.spec.hostNetwork) \(.template.spec.containers[0].image)"' <<<"$admission")" \
        "2 true example/yunikorn:admission-1.9.0"
}

# before FILE: a chart as --reuse-values leaves it, with the values of the release before as its own.
before() {
    FROM="$BATS_TEST_TMPDIR/reused"
    rm -rf "$FROM"
    cp -r "$CHART" "$FROM"
    cp "$DATA/$1" "$FROM/values.yaml"
}

@test "values: those of 1.8 and 1.9 render with --reuse-values" {
    for release in 1.8 1.9; do
        before "values-$release-defaults.yaml"
        container="$(pod --is-upgrade | jq '.containers[0]')"
        equal "$(jq -r .image <<<"$container")" yunikorn:0.1.0
        equal "$(jq -c .args <<<"$container")" '["scheduler","--web-port=9080","--leader-elect",'` \
            `'"--leader-elect-lease-duration=15s","--leader-elect-renew-deadline=10s","--leader-elect-retry-period=2s"]'
        equal "$(jq -r '.resources.limits.memory' <<<"$container")" 2Gi
        equal "$(one Deployment yunikorn-scheduler --is-upgrade | jq .spec.replicas)" 2
        admission="$(one Deployment yunikorn-admission-controller --is-upgrade | jq .spec)"
        equal "$(jq -r '"\(.replicas) \(.template.spec.hostNetwork) \(.template.spec.containers[0].image)"' <<<"$admission")" \
            "1 true yunikorn:0.1.0"
        equal "$(rendered --is-upgrade | jq '[.[] | select(.kind == "PodDisruptionBudget")] | length')" 1
        # Everything can be switched on, whatever the values before lack.
        rendered --is-upgrade --set networkPolicy.enabled=true,serviceMonitor.enabled=true,prometheusRule.enabled=true \
            --set image.repository=r.example/yunikorn,image.tag=1,rbac.gangs=false >/dev/null
    done
}

@test "values: no object names a value that is missing" {
    before values-1.8-defaults.yaml
    template --is-upgrade >/dev/null
    run ! grep -E '<nil>|<no value>|%!' <(template --is-upgrade --set networkPolicy.enabled=true \
        --set serviceMonitor.enabled=true,prometheusRule.enabled=true,ingress.enabled=true)
}

image() { pod "$@" | jq -r '.containers[0] | "\(.image) \(.imagePullPolicy)"'; }

@test "image: its default tag is the application version" {
    equal "$(image)" "yunikorn:0.1.0 IfNotPresent"
    equal "$(admission_pod | jq -r '.containers[0].image')" yunikorn:0.1.0
}

@test "image: registry, digest and pull policy" {
    equal "$(image --set image.registry=r.example:5000,image.tag=7,image.pullPolicy=Always)" "r.example:5000/yunikorn:7 Always"
    digest="sha256:$(printf 'a%.0s' {1..64})"
    equal "$(image --set "image.digest=$digest,image.tag=7")" "yunikorn@$digest IfNotPresent"
    refused digest --set image.digest=sha256:abc
    refused digest --set image.digest=latest
    for name in example/yunikorn not-apache/yunikorn apache/yunikorn-fork; do
        equal "$(image --set image.repository=$name,image.tag=1,image.pullPolicy=Always)" "$name:1 Always"
    done
}

@test "image: the admission controller's is the scheduler's unless it names another" {
    own() { admission_pod "$@" | jq -r '.containers[0] | "\(.image) \(.imagePullPolicy)"'; }
    digest="sha256:$(printf 'b%.0s' {1..64})"
    equal "$(own --set image.repository=a,image.tag=1,image.pullPolicy=Always)" "a:1 Always"
    equal "$(own --set image.repository=a,image.tag=1,admissionController.image.tag=2)" "a:2 IfNotPresent"
    equal "$(own --set "image.repository=a,image.digest=$digest,admissionController.image.tag=2")" "a:2 IfNotPresent"
    equal "$(own --set image.repository=a,admissionController.image.repository=b)" "b:0.1.0 IfNotPresent"
    equal "$(own --set "admissionController.image.registry=r,admissionController.image.repository=b"` \
        `",admissionController.image.digest=$digest,admissionController.image.pullPolicy=Never")" "r/b@$digest Never"
}

WHY='names an image of Apache YuniKorn. It contains another program'

@test "image: an image of Apache YuniKorn is refused at an installation" {
    for name in apache/yunikorn docker.io/apache/yunikorn mirror.example:5000/hub/apache/yunikorn \
        apache/yunikorn@sha256 apache/yunikorn:scheduler-1.9.0; do
        refused "image.repository .*$WHY" --set "image.repository=$name"
        refused "admissionController.image.repository .*$WHY" --set "admissionController.image.repository=$name"
    done
    for file in values-1.8-defaults.yaml values-1.9-defaults.yaml; do refused "$WHY" -f "$DATA/$file"; done
    refused "image.registry .docker.io/apache/. $WHY" --set image.registry=docker.io/apache/
    # What is not installed is not refused.
    template --set embedAdmissionController=false,admissionController.image.repository=apache/yunikorn >/dev/null
    template --set web.image.repository=apache/yunikorn,pluginImage.repository=apache/yunikorn >/dev/null
}

@test "image: a tag of Apache YuniKorn is refused with the default repository" {
    for tag in scheduler-1.9.0 scheduler-1.3.0 scheduler-1.9.0-amd64 scheduler-1.10.2-rc1 scheduler-plugin-1.6.0; do
        refused "image.tag .$tag. $WHY" --set "image.tag=$tag"
        equal "$(image --set "image.repository=example/yunikorn,image.tag=$tag")" "example/yunikorn:$tag IfNotPresent"
    done
    refused "admissionController.image.tag .*$WHY" --set admissionController.image.tag=admission-1.9.0
    for tag in scheduler-latest scheduler-1 scheduler-1.9 scheduler-1.9.0x my-scheduler-1.9.0 1.9.0; do
        equal "$(image --set-string "image.tag=$tag")" "yunikorn:$tag IfNotPresent"
    done
}

@test "image: an upgrade replaces an image of Apache YuniKorn" {
    default="$(image)"
    for name in apache/yunikorn docker.io/apache/yunikorn apache/yunikorn@sha256; do
        equal "$(image --is-upgrade --set "image.registry=docker.io,image.repository=$name"` \
            `",image.tag=scheduler-1.9.0,image.pullPolicy=Always")" "$default"
    done
    equal "$(image --is-upgrade --set image.tag=scheduler-1.9.0,image.pullPolicy=Always)" "$default"
    equal "$(admission_pod --is-upgrade --set admissionController.image.repository=apache/yunikorn \
        --set admissionController.image.tag=admission-1.9.0,image.repository=a,image.tag=1 |
        jq -r '.containers[0].image')" a:1
}

@test "values: plugin mode of 1.3 to 1.8 changes nothing" {
    diff <(rendered) <(rendered --set enableSchedulerPlugin=true --set pluginImage.repository=apache/yunikorn \
        --set pluginImage.tag=scheduler-plugin-1.6.0)
}

@test "values: a misspelt or unsuitable one is refused by name" {
    refused yunikornDefault --set yunikornDefault.a=b
    refused port --set service.port=http
    refused access --set rest.access=open
    refused antiAffinity --set antiAffinity=maybe
    refused interval --set serviceMonitor.interval=30
    refused scrapeTimeout --set serviceMonitor.scrapeTimeout=soon
    refused maxUnavailable --set podDisruptionBudget.maxUnavailable=many
    refused serviceAccount --set serviceAccount.nam=a
    refused imagePullSecrets --set 'imagePullSecrets[0].nam=a'
    refused extraVolumes --set 'extraVolumes[0].emptyDir.medium=Memory'
}

@test "values: yunikornDefaults become text, deprecated values only fill gaps" {
    data="$(one ConfigMap yunikorn-defaults -f "$DATA/values-1.9.yaml" | jq .data)"
    equal "$(jq -r '.["service.clusterId"]' <<<"$data")" production
    equal "$(jq -r '.["event.ringBufferCapacity"]' <<<"$data")" 1048576
    equal "$(jq -r '.["service.enableConfigHotRefresh"]' <<<"$data")" true
    equal "$(jq -r '.["service.placeholderImage"]' <<<"$data")" example/pause:3.7
    equal "$(jq -r '.["admissionController.filtering.processNamespaces"]' <<<"$data")" "^team-"
    equal "$(jq -r '.["admissionController.filtering.bypassNamespaces"]' <<<"$data")" '^kube-system$'
    contains "$(jq -r '.["queues.yaml"]' <<<"$data")" '^partitions:'
    equal "$(one ConfigMap yunikorn-defaults --set placeholderImage=a | jq -r '.data["service.placeholderImage"]')" a
}

@test "values: the scheduler trusts the admission controller where there is one that can be trusted" {
    trust() { one ConfigMap yunikorn-defaults "$@" | jq -r '.data["service.trustUserInfo"]'; }
    equal "$(trust)" webhook
    equal "$(trust --set yunikornDefaults.service\\.trustUserInfo=any)" any
    equal "$(trust --set embedAdmissionController=false)" null
    equal "$(trust --set 'yunikornDefaults.admissionController\.accessControl\.bypassAuth=true')" null
    equal "$(trust --set 'yunikornDefaults.admissionController\.accessControl\.bypassAuth=false')" webhook
    equal "$(trust --set 'yunikornDefaults.admissionController\.webHook\.failurePolicy=Ignore')" null
    KUBE_VERSION=1.30.0-gke.1
    equal "$(trust)" webhook
    KUBE_VERSION=1.29.9
    equal "$(trust)" null
}

@test "values: ConfigMap yunikorn-defaults survives an uninstallation" {
    equal "$(one ConfigMap yunikorn-defaults | jq -r '.metadata.annotations["helm.sh/resource-policy"]')" keep
}
