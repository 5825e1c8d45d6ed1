# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The stand-in for the charts of Apache YuniKorn (test/chart/data/original).

# shellcheck disable=SC2034 # used by the test files
DATA="$REPO/test/chart/data"

# original RELEASE: the stand-in, in $ORIGINAL.
original() {
    ORIGINAL="$BATS_TEST_TMPDIR/original-$1"
    cp -r "$DATA/original" "$ORIGINAL"
    cp "$DATA/values-$1-defaults.yaml" "$ORIGINAL/values.yaml"
}

# What the stand-in, or a chart with hooks, leaves in the cluster.
delete_hooked() {
    kubectl get clusterroles,clusterrolebindings -o json |
        jq -r '.items[] | select(.metadata.annotations["helm.sh/hook"]) | "\(.kind)/\(.metadata.name)"' |
        xargs -r kubectl delete
}
