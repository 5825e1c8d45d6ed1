# SPDX-License-Identifier: Apache-2.0
# The commands a newcomer tries first.

bats_require_minimum_version 1.5.0
load lib/e2e

@test "run: the example on a cluster in memory" {
    YK_SKIP_BUILD=1 run -0 "$REPO/hack/run.sh"
    [ "${#lines[@]}" -gt 3 ]
}

@test "run: the same seed gives the same run, decision by decision" {
    equal "$("$YK_BINARY" simulate --seed 7 -o json | sha256sum)" "$("$YK_BINARY" simulate --seed 7 -o json | sha256sum)"
}

@test "run: the example on a control plane of its own, from start to clean-up" {
    own_cluster_only
    # Its own kubectl and cluster, not the suite's.
    run -0 env -u KUBECONFIG YK_SKIP_BUILD=1 "$REPO/hack/run.sh" --local-cluster --once
    contains "$output" 'raising the maximum'
    contains "$output" 'all pods are bound'
}

@test "run: version and help" {
    contains "$("$YK_BINARY" version)" '[0-9]+\.[0-9]+'
    for command in "" scheduler simulate validate version; do
        # shellcheck disable=SC2086 # no word when empty
        run -0 "$YK_BINARY" $command --help
        contains "$output" usage
    done
    for command in scheduler simulate validate version; do
        equal "$("$YK_BINARY" help "$command")" "$("$YK_BINARY" "$command" --help)"
    done
    equal "$("$YK_BINARY" help)" "$("$YK_BINARY" --help)"
    run ! "$YK_BINARY" help nonsense
    contains "$output" nonsense
    run ! "$YK_BINARY" nonsense
    run ! "$YK_BINARY" scheduler --nonsense
}
