#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Alerts and dashboards of the chart. Rules are checked by promtool (Debian: package prometheus; hack/test.sh fetches it).

bats_require_minimum_version 1.5.0
load lib

setup() { FILES="$CHART/files"; }

# rules: those of the PrometheusRule, as a file of rules: those of its template, then those of files/rules.yaml.
rules() { one PrometheusRule yunikorn-scheduler --set prometheusRule.enabled=true | jq .spec; }

# Names of the table of metrics: a scrape has no other ones (test/unit/web/test_metrics.c).
known_metrics() {
    sed -nE 's/^ROW\(.* "((yunikorn|process)_[a-z_]+)".*/\1/p' "$REPO/core/metrics/metric_rows.h" | sort -u
    # Made of a prefix and a name.
    echo yunikorn_scheduler_vcore_node_usage_total
}

metrics_of() { grep -oE '\b(yunikorn|process)_[a-z_]+' | sed -E 's/_(bucket|count|sum)$//' | sort -u; }

@test "rules: promtool accepts them, and each alert fires where it should" {
    command -v promtool >/dev/null || skip "promtool is not installed"
    cp "$DATA/rules-test.yaml" "$BATS_TEST_TMPDIR"
    rules >"$BATS_TEST_TMPDIR/rules.yaml" # JSON is YAML
    promtool check rules "$FILES/rules.yaml"
    promtool check rules "$BATS_TEST_TMPDIR/rules.yaml"
    promtool test rules "$BATS_TEST_TMPDIR/rules-test.yaml"
}

@test "rules: each alert has texts, a severity and a section of the runbook, and a test" {
    rules >"$BATS_TEST_TMPDIR/rules.json"
    while read -r alert; do
        jq -e --arg alert "$alert" '.groups[].rules[] | select(.alert == $alert) |
            .labels.severity and .annotations.summary and .annotations.description and
            .annotations.runbook == "docs/runbook.md#\($alert | ascii_downcase)"' "$BATS_TEST_TMPDIR/rules.json" >/dev/null ||
            fail "$alert lacks something"
        grep -qF "alertname: $alert" "$DATA/rules-test.yaml" || fail "$alert has no test"
    done < <(jq -r '.groups[].rules[].alert' "$BATS_TEST_TMPDIR/rules.json")
}

@test "rules: the runbook has a section for each alert, those of the templates included" {
    while read -r alert; do
        grep -qxF "## $alert" "$REPO/docs/runbook.md" || fail "docs/runbook.md has no section $alert"
    done < <(grep -hoE 'alert: Yunikorn[A-Za-z]+' "$FILES/rules.yaml" "$CHART"/templates/*.yaml | cut -d ' ' -f 2)
}

@test "rules and dashboards: they name metrics that the scheduler has" {
    known_metrics >"$BATS_TEST_TMPDIR/known"
    for file in "$FILES"/dashboards/*.json; do
        jq -r '.panels[].targets[].expr, .templating.list[].query.query?' "$file"
    done | cat - "$FILES/rules.yaml" | metrics_of >"$BATS_TEST_TMPDIR/used"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/used")" -ge 20 ]
    while read -r name; do
        grep -qE "^${name}(_seconds)?$" "$BATS_TEST_TMPDIR/known" || fail "there is no metric $name"
    done <"$BATS_TEST_TMPDIR/used"
}

@test "dashboards: identifiers are unique, panels do not overlap, each query is of one namespace" {
    equal "$(jq -s 'map(.uid) | unique | length' "$FILES"/dashboards/*.json)" 3
    for file in "$FILES"/dashboards/*.json; do
        equal "$(jq '[.panels[].id] | length == (unique | length)' "$file")" true "$file"
        equal "$(jq '[.panels[] | .gridPos as $p | range($p.w) as $x | range($p.h) as $y | [$p.x + $x, $p.y + $y]] |
            length == (unique | length)' "$file")" true "$file: overlap"
        equal "$(jq -r '.panels[].targets[].expr | select(contains("namespace=\"$namespace\"") | not)' "$file")" "" "$file"
    done
}
