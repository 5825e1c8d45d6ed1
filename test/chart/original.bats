# SPDX-License-Identifier: Apache-2.0
# What has to hold so that `helm upgrade` leads from a chart of Apache YuniKorn to this one and back. The stand-in for
# their charts is data/original. test/e2e/chart.bats makes the upgrades on an API server.

bats_require_minimum_version 1.5.0
load lib

setup() {
    cp -r "$DATA/original" "$BATS_TEST_TMPDIR/original"
    cp "$DATA/values-1.9-defaults.yaml" "$BATS_TEST_TMPDIR/original/values.yaml"
    FROM="$BATS_TEST_TMPDIR/original" template | objects >"$BATS_TEST_TMPDIR/theirs"
    rendered --is-upgrade --set-json 'yunikornDefaults={}' >"$BATS_TEST_TMPDIR/ours"
}

# common JQ: what both charts say of each object that both have, as "OURS THEIRS" where that differs.
common() {
    jq -nr --slurpfile ours "$BATS_TEST_TMPDIR/ours" --slurpfile theirs "$BATS_TEST_TMPDIR/theirs" "
        \$theirs[0][] | select(.metadata.annotations[\"helm.sh/hook\"] == null) | . as \$t |
        \$ours[0][] | select(.kind == \$t.kind and .metadata.name == \$t.metadata.name) |
        ($1) as \$a | (\$t | $1) as \$b | select(\$a != \$b) | \"\(.kind)/\(.metadata.name): \(\$a) \(\$b)\""
}

@test "original: all objects that a release owns have the same names in both charts" {
    names() { jq -r '.[] | select(.metadata.annotations["helm.sh/hook"] == null) | "\(.kind)/\(.metadata.name)"' "$1" | sort; }
    equal "$(names "$BATS_TEST_TMPDIR/theirs" | wc -l)" 6
    equal "$(comm -13 <(names "$BATS_TEST_TMPDIR/ours") <(names "$BATS_TEST_TMPDIR/theirs"))" ""
}

@test "original: what cannot be changed is the same" {
    equal "$(common '[.spec.selector.matchLabels, .type]')" ""
    equal "$(common '.metadata.labels | if . then [.app, .release, .heritage] else . end | if . == null then ["yunikorn", "yunikorn", "Helm"] else . end')" ""
}

@test "original: ports and selectors of the Services are the same, but for the port of the web server" {
    equal "$(common 'if .kind == "Service" then [.spec.selector, [.spec.ports[].port]] else null end')" ""
}

# Helm does not adopt objects that hooks created, and refuses to create them again.
@test "original: no object has the name of one of their hooks, but the accounts" {
    hooks="$(jq -r '.[] | select(.metadata.annotations["helm.sh/hook"]) | "\(.kind)/\(.metadata.name)"' "$BATS_TEST_TMPDIR/theirs" | sort)"
    equal "$(wc -l <<<"$hooks")" 12
    equal "$(comm -12 <(echo "$hooks") <(jq -r '.[] | "\(.kind)/\(.metadata.name)"' "$BATS_TEST_TMPDIR/ours" | sort) | paste -sd ' ')" \
        "ServiceAccount/yunikorn-admin ServiceAccount/yunikorn-admission-controller"
}

@test "original: the pods of both charts use the same accounts" {
    equal "$(common '.spec.template.spec.serviceAccountName')" ""
}
