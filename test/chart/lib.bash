# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Functions of the tests that render the chart. They need Helm and no cluster.

# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../hack/lib.sh"
# shellcheck source=test/e2e/lib/check.bash
source "$REPO/test/e2e/lib/check.bash"

CHART="$REPO/deploy/helm/yunikorn"
# shellcheck disable=SC2034 # used by the test files
DATA="$REPO/test/chart/data"
NAMESPACE=yunikorn
# The version of Kubernetes that is assumed when a chart is rendered, whatever Helm was built with.
KUBE_VERSION=1.36.0

# objects: the YAML documents on stdin as a JSON array.
objects() {
    python3 -c 'import json, sys, yaml
documents = yaml.load_all(sys.stdin, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
json.dump([d for d in documents if d], sys.stdout)'
}

# template [HELM ARGS...]: the chart as YAML, or that in $FROM.
template() {
    helm template yunikorn "${FROM:-$CHART}" --namespace "$NAMESPACE" --kube-version "$KUBE_VERSION" "$@"
}

# rendered [HELM ARGS...]: the objects of the chart without its test, as a JSON array.
rendered() { template --no-hooks "$@" | objects; }

# one KIND NAME [HELM ARGS...]: the object, or nothing.
one() {
    rendered "${@:3}" |
        jq --arg kind "$1" --arg name "$2" '.[] | select(.kind == $kind and .metadata.name == $name)'
}

# pod [HELM ARGS...]: the pod template's spec of the scheduler.
pod() { one Deployment yunikorn-scheduler "$@" | jq .spec.template.spec; }

# admission_pod [HELM ARGS...]: that of the admission controller.
admission_pod() { one Deployment yunikorn-admission-controller "$@" | jq .spec.template.spec; }

# refused MESSAGE [HELM ARGS...]: the chart does not render, and says so.
refused() {
    run ! template "${@:2}"
    # shellcheck disable=SC2154 # bats sets it
    contains "$output" "$1"
}
