# SPDX-License-Identifier: Apache-2.0
# The chart as a whole: metadata, names, labels, selectors.

# shellcheck disable=SC2034 # KUBE_VERSION is read by template()

bats_require_minimum_version 1.5.0
load lib

field() { sed -n "s/^$1: *\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$CHART/Chart.yaml"; }

@test "chart: helm lint has no findings" {
    helm lint --strict "$CHART"
    helm lint --strict "$CHART" -f "$DATA/values-1.9.yaml"
}

@test "chart: its version is that of the application and of the program" {
    version="$(sed -n 's/^project(yunikorn VERSION \([0-9.]*\).*/\1/p' "$REPO/CMakeLists.txt")"
    [[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
    equal "$(field version)" "$version"
    equal "$(field appVersion)" "$version"
    equal "$(field apiVersion)" v2
    # Pages that name the image.
    equal "$(grep -ohE 'yunikorn:[0-9]+\.[0-9]+\.[0-9]+' "$REPO/README.md" "$REPO/Dockerfile" | sort -u)" "yunikorn:$version"
    run ! grep -rn scheduler-latest "$REPO/README.md" "$REPO/Dockerfile" "$REPO/docs/install.md" "$REPO/deploy"
}

@test "chart: Chart.yaml has what a repository of charts shows" {
    metadata="$(objects <"$CHART/Chart.yaml" | jq '.[0]')"
    equal "$(jq '[.icon, .kubeVersion, .description, .maintainers] | all(length > 0)' <<<"$metadata")" true
    # The project has no address before it is published. test/chart/generated.bats looks at what a release packs.
    run ! grep -E 'https?://' "$CHART/Chart.yaml"
    equal "$(jq -r '.annotations["artifacthub.io/license"]' <<<"$metadata")" Apache-2.0
    jq -r '.icon | ltrimstr("data:image/svg+xml;base64,")' <<<"$metadata" | base64 -d |
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)'
    # Only kinds that Artifact Hub knows.
    equal "$(jq -r '.annotations["artifacthub.io/changes"]' <<<"$metadata" | objects |
        jq '.[0] | all(.kind | IN("added", "changed", "deprecated", "removed", "fixed", "security"))')" true
}

@test "chart: Kubernetes before 1.24 is refused" {
    KUBE_VERSION=1.23.17
    refused kubeVersion
    KUBE_VERSION=1.24.0
    template >/dev/null
}

@test "chart: objects have their known names" {
    diff <(rendered | jq -r '.[] | "\(.kind)/\(.metadata.name)"' | sort) - <<'LIST'
ClusterRole/yunikorn-admission-controller
ClusterRole/yunikorn-metrics-reader
ClusterRole/yunikorn-operator
ClusterRole/yunikorn-scheduler-core
ClusterRole/yunikorn-scheduler-gangs
ClusterRole/yunikorn-scheduler-preemption
ClusterRole/yunikorn-viewer
ClusterRoleBinding/yunikorn-admission-controller
ClusterRoleBinding/yunikorn-scheduler-core
ClusterRoleBinding/yunikorn-scheduler-gangs
ClusterRoleBinding/yunikorn-scheduler-preemption
ConfigMap/yunikorn-defaults
Deployment/yunikorn-admission-controller
Deployment/yunikorn-scheduler
PodDisruptionBudget/yunikorn-admission-controller
PodDisruptionBudget/yunikorn-scheduler
Role/yunikorn-admission-controller
Role/yunikorn-scheduler-config
Role/yunikorn-scheduler-election
RoleBinding/yunikorn-admission-controller
RoleBinding/yunikorn-scheduler-config
RoleBinding/yunikorn-scheduler-election
Secret/admission-controller-secrets
Service/yunikorn-admission-controller-service
Service/yunikorn-service
ServiceAccount/yunikorn-admin
ServiceAccount/yunikorn-admission-controller
LIST
}

# Everything that the chart can create.
ALL=(--set networkPolicy.enabled=true --set serviceMonitor.enabled=true --set prometheusRule.enabled=true
    --set ingress.enabled=true)

@test "chart: all objects but the test are ordinary ones, no hooks" {
    equal "$(template "${ALL[@]}" | objects | jq -r '.[] | select(.metadata.annotations["helm.sh/hook"]) |
        "\(.kind) \(.metadata.annotations["helm.sh/hook"])"')" "Job test"
}

@test "chart: all objects have the labels of 1.9 and the recommended ones" {
    rendered "${ALL[@]}" >"$BATS_TEST_TMPDIR/objects"
    missing="$(jq -r '.[] | . as $object | ("app", "component", "chart", "release", "heritage", "helm.sh/chart",
        (("name", "instance", "version", "component", "part-of", "managed-by") | "app.kubernetes.io/" + .)) |
        select($object.metadata.labels[.] == null) | "\($object.kind)/\($object.metadata.name): \(.)"' \
        "$BATS_TEST_TMPDIR/objects")"
    equal "$missing" ""
    equal "$(jq '[.[] | select(.metadata.labels["app.kubernetes.io/version"] | type != "string")] | length' \
        "$BATS_TEST_TMPDIR/objects")" 0
}

@test "chart: namespaced objects name their namespace, others do not" {
    equal "$(rendered "${ALL[@]}" | jq -r '.[] | select((.kind | startswith("Cluster")) == (.metadata.namespace != null)) |
        .metadata.name')" ""
}

# The selector of a Deployment cannot be changed. These are those of the charts 1.3 to 1.9.
@test "chart: selectors are those of the charts of Apache YuniKorn" {
    for name in yunikorn-scheduler yunikorn-admission-controller; do
        deployment="$(one Deployment "$name" --set podLabels.team=a --set admissionController.podLabels.team=a)"
        want="{\"app\":\"yunikorn\",\"component\":\"$name\",\"release\":\"yunikorn\"}"
        equal "$(jq -cS .spec.selector.matchLabels <<<"$deployment")" "$want"
        equal "$(jq '.spec as $s | $s.template.metadata.labels | contains($s.selector.matchLabels)' <<<"$deployment")" true
    done
    equal "$(one Service yunikorn-service | jq -r .spec.selector.component)" yunikorn-scheduler
    equal "$(one Service yunikorn-admission-controller-service | jq -r .spec.selector.component)" \
        yunikorn-admission-controller
}

@test "chart: helm test runs a pod that only this scheduler places" {
    job="$(template | objects | jq '.[] | select(.kind == "Job")')"
    equal "$(jq -r '.spec.template.spec | "\(.schedulerName) \(.restartPolicy) \(.containers[0].args[0])"' <<<"$job")" \
        "yunikorn Never version"
    # The admission controller does not touch pods with this label.
    equal "$(jq -r '.spec.template.metadata.labels.app' <<<"$job")" null
    equal "$(template --set 'helmTest.podLabels.yunikorn\.apache\.org/queue=root.a' | objects |
        jq -r '.[] | select(.kind == "Job").spec.template.metadata.labels["yunikorn.apache.org/queue"]')" root.a
    equal "$(template --set helmTest.enabled=false | objects | jq '[.[] | select(.kind == "Job")] | length')" 0
}
