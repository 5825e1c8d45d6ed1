# SPDX-License-Identifier: Apache-2.0
# What hack/chart.py writes: the README of the chart, plain manifests, kustomize.

bats_require_minimum_version 1.5.0
load lib

@test "generated: README, manifests and kustomize are what the chart renders" {
    "$REPO/hack/chart.py" check
}

@test "generated: check notices a change" {
    copy="$BATS_TEST_TMPDIR/copy"
    mkdir -p "$copy/hack"
    cp -r "$REPO/deploy" "$copy/"
    cp "$REPO/hack/chart.py" "$copy/hack/"
    "$copy/hack/chart.py" check
    sed -i 's/^  port: 9080$/  port: 9081/' "$copy/deploy/helm/yunikorn/values.yaml"
    run ! "$copy/hack/chart.py" check
    for file in helm/yunikorn/README.md manifests/scheduler.yaml; do
        contains "$output" "deploy/$file is not"
    done
    "$copy/hack/chart.py" write
    "$copy/hack/chart.py" check
    touch "$copy/deploy/kustomize/overlays/left.yaml"
    run ! "$copy/hack/chart.py" check
}

@test "generated: the README has each value with its description" {
    page="$(cat "$CHART/README.md")"
    objects <"$CHART/values.yaml" | jq -r '.[0] | paths(type != "object" or length == 0) |
        select(all(type == "string")) | join(".")' >"$BATS_TEST_TMPDIR/keys"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/keys")" -gt 100 ]
    while read -r key; do
        grep -qF "| \`$key\` |" <<<"$page" || fail "no $key"
    done <"$BATS_TEST_TMPDIR/keys"
    # shellcheck disable=SC2016 # Markdown
    contains "$page" '^\| `leaderElection.leaseDuration` \| `15s` \| Time without a renewal'
}

# plain: objects without what says something about a Helm release, sorted.
plain() {
    jq -S 'def no_helm: walk(if type == "object" then del(.release, .chart, .heritage, ."helm.sh/chart",
            ."helm.sh/resource-policy", ."app.kubernetes.io/managed-by", ."app.kubernetes.io/instance") else . end) |
            if .metadata.annotations == {} then del(.metadata.annotations) else . end;
        map(no_helm) | sort_by(.kind, .metadata.name)'
}

@test "manifests: say the same as the chart" {
    for file in "$REPO"/deploy/manifests/{yunikorn-rbac,scheduler,admission-controller{,-rbac,-secrets}}.yaml; do
        echo ---
        cat "$file"
    done >"$BATS_TEST_TMPDIR/manifests"
    diff <(objects <"$BATS_TEST_TMPDIR/manifests" | plain) <(rendered | plain)
    run ! grep -rnE 'heritage|helm.sh|managed-by|release' "$REPO/deploy/manifests" "$REPO/deploy/kustomize"
}

@test "kustomize: base and overlays say the same as the chart" {
    diff <(kubectl kustomize "$REPO/deploy/kustomize/base" | objects | plain) <(rendered | plain)
    for overlay in "$REPO"/deploy/kustomize/overlays/*; do
        mapfile -t values < <(sed -n 's/^# Values of the chart: //p' "$overlay/kustomization.yaml" | tr ' ' '\n' | sed 's/^/--set=/')
        [ "${#values[@]}" -gt 0 ]
        diff <(kubectl kustomize "$overlay" | objects | plain) <(rendered "${values[@]}" | plain)
    done
}

@test "kustomize: another namespace reaches all objects" {
    mkdir -p "$BATS_TEST_TMPDIR/mine"
    cp -r "$REPO/deploy" "$BATS_TEST_TMPDIR/"
    printf 'namespace: batch\nresources: [../deploy/kustomize/base]\nimages: [{name: yunikorn, newName: r.example/yk, newTag: "7"}]\n' \
        >"$BATS_TEST_TMPDIR/mine/kustomization.yaml"
    all="$(kubectl kustomize "$BATS_TEST_TMPDIR/mine" | objects)"
    equal "$(jq -r '.[] | .metadata.namespace // empty, .subjects[]?.namespace' <<<"$all" | sort -u)" batch
    equal "$(jq -r '.[] | .spec.template.spec.containers[]?.image // empty' <<<"$all" | sort -u)" r.example/yk:7
}

@test "package: the address of the project is that of the release" {
    "$REPO/hack/chart.py" package --source https://git.example.org/batch/ "$BATS_TEST_TMPDIR"
    helm show chart "$BATS_TEST_TMPDIR"/yunikorn-*.tgz >"$BATS_TEST_TMPDIR/chart"
    packed="$(objects <"$BATS_TEST_TMPDIR/chart" | jq '.[0]')"
    equal "$(jq -c '[.home, .sources, .maintainers[].url]' <<<"$packed")" \
        '["https://git.example.org/batch",["https://git.example.org/batch"],"https://git.example.org/batch"]'
    jq -r '.annotations["artifacthub.io/links"]' <<<"$packed" | objects | jq -r '.[0][].url' >"$BATS_TEST_TMPDIR/links"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/links")" -ge 2 ]
    while read -r link; do
        test -e "$REPO/${link#https://git.example.org/batch/}" || fail "$link"
    done <"$BATS_TEST_TMPDIR/links"
    # All else is as in the checkout.
    diff <(jq -S 'del(.home, .sources, .maintainers[].url, .annotations["artifacthub.io/links"])' <<<"$packed") \
        <(objects <"$CHART/Chart.yaml" | jq -S '.[0]')
    run ! grep -F '](../' <(helm show readme "$BATS_TEST_TMPDIR"/yunikorn-*.tgz)
}
