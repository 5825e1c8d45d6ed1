# SPDX-License-Identifier: Apache-2.0
# Network policies and monitoring, which are installed only where they are asked for.

bats_require_minimum_version 1.5.0
load lib

@test "network policies: off, or for both components" {
    equal "$(rendered | jq '[.[] | select(.kind == "NetworkPolicy")] | length')" 0
    on=(--set networkPolicy.enabled=true)
    equal "$(one NetworkPolicy yunikorn-scheduler "${on[@]}" | jq -c '.spec | [.policyTypes, .ingress[0].from, .ingress[0].ports[0].port]')" \
        '[["Ingress"],[{"podSelector":{}}],"http1"]'
    # The API server calls from addresses that no policy can name.
    equal "$(one NetworkPolicy yunikorn-admission-controller "${on[@]}" | jq -c '.spec.ingress')" \
        '[{"ports":[{"port":"webhook-api","protocol":"TCP"}]}]'
    equal "$(one NetworkPolicy yunikorn-scheduler "${on[@]}" \
        --set-json 'networkPolicy.from=[{"namespaceSelector":{"matchLabels":{"a":"b"}}}]' |
        jq -c '.spec.ingress[0].from[1]')" '{"namespaceSelector":{"matchLabels":{"a":"b"}}}'
}

@test "monitoring: off, or a ServiceMonitor that selects the Service" {
    equal "$(rendered | jq '[.[] | select(.apiVersion | startswith("monitoring"))] | length')" 0
    on=(--set serviceMonitor.enabled=true)
    monitor="$(one ServiceMonitor yunikorn-scheduler "${on[@]}" --set serviceMonitor.labels.release=prometheus)"
    service="$(one Service yunikorn-service)"
    equal "$(jq -n --argjson m "$monitor" --argjson s "$service" '$s.metadata.labels | contains($m.spec.selector.matchLabels)')" true
    equal "$(jq -n --argjson m "$monitor" --argjson s "$service" '[$s.spec.ports[].name] | index($m.spec.endpoints[0].port) != null')" true
    # Not that of the admission controller.
    equal "$(jq -n --argjson m "$monitor" --argjson s "$(one Service yunikorn-admission-controller-service)" \
        '$s.metadata.labels | contains($m.spec.selector.matchLabels)')" false
    equal "$(jq -c '[.spec.endpoints[0].path, .spec.endpoints[0].interval, .spec.endpoints[0].scheme, .metadata.labels.release]' \
        <<<"$monitor")" '["/ws/v1/metrics","30s","https","prometheus"]'
    equal "$(one ServiceMonitor yunikorn-scheduler "${on[@]}" --set serviceMonitor.namespace=m,serviceMonitor.scrapeTimeout=10s |
        jq -c '[.metadata.namespace, .spec.namespaceSelector.matchNames, .spec.endpoints[0].scrapeTimeout]')" '["m",["yunikorn"],"10s"]'
    equal "$(jq -c '.spec.endpoints[0].tlsConfig' <<<"$monitor")" '{"insecureSkipVerify":true}'
    equal "$(one ServiceMonitor yunikorn-scheduler "${on[@]}" --set rest.access=none |
        jq -c '.spec.endpoints[0] | [.scheme, .tlsConfig, .bearerTokenFile]')" '[null,null,null]'
}

@test "monitoring: rules name metrics that the scheduler has" {
    rule="$(one PrometheusRule yunikorn-scheduler --set prometheusRule.enabled=true \
        --set-json 'prometheusRule.additionalRules=[{"alert":"Mine","expr":"1"}]')"
    equal "$(jq -r '.spec.groups[0].rules[-1].alert' <<<"$rule")" Mine
    jq -r '.spec.groups[0].rules[].expr' <<<"$rule" | grep -oE 'yunikorn_[a-z_]+' | sort -u >"$BATS_TEST_TMPDIR/names"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -ge 3 ]
    while read -r name; do
        grep -qF "\"$name\"" "$REPO/core/metrics/metric_rows.h" || fail "no metric $name"
    done <"$BATS_TEST_TMPDIR/names"
    equal "$(jq '[.spec.groups[0].rules[:-1][] | select(.annotations.summary and .annotations.description and .labels.severity)] |
        length' <<<"$rule")" "$(jq '.spec.groups[0].rules | length - 1' <<<"$rule")"
}

# with_files: a copy of the chart with a dashboard and a file of rules, whatever the chart has.
with_files() {
    cp -r "$CHART" "$BATS_TEST_TMPDIR/chart"
    FROM="$BATS_TEST_TMPDIR/chart"
    mkdir -p "$FROM/files/dashboards"
    rm -f "$FROM"/files/dashboards/*
    # shellcheck disable=SC2016 # the syntax of Grafana
    printf '{\n  "title": "Queues {{queue}}",\n  "panels": [{"expr": "rate(a[$__interval])"}]\n}\n' >"$FROM/files/dashboards/queues.json"
    # shellcheck disable=SC2016 # the syntax of Prometheus
    printf 'groups:\n  - name: more\n    rules:\n      - {alert: Slow, expr: a > 1, annotations: {summary: "{{ $labels.queue }}"}}\n' \
        >"$FROM/files/rules.yaml"
}

@test "dashboards: off, or a labelled ConfigMap for each" {
    with_files
    equal "$(rendered | jq '[.[] | select(.metadata.name | startswith("yunikorn-dashboard"))] | length')" 0
    board="$(one ConfigMap yunikorn-dashboard-queues --set dashboards.enabled=true,dashboards.annotations.grafana_folder=Batch)"
    equal "$(jq -c '.metadata | [.namespace, .labels.grafana_dashboard, .labels.app, .annotations.grafana_folder]' <<<"$board")" \
        '["yunikorn","1","yunikorn","Batch"]'
    diff <(jq -j '.data["queues.json"]' <<<"$board") "$FROM/files/dashboards/queues.json"
    equal "$(one ConfigMap yunikorn-dashboard-queues --set dashboards.enabled=true,dashboards.namespace=grafana \
        --set dashboards.label=mine,dashboards.labelValue=x |
        jq -c '.metadata | [.namespace, .labels.grafana_dashboard, .labels.mine]')" '["grafana",null,"x"]'
}

@test "dashboards: those of the chart are JSON with a title, and fit into a ConfigMap" {
    rendered --set dashboards.enabled=true | jq -c '.[] | select(.metadata.name | startswith("yunikorn-dashboard")) |
        .data | to_entries[] | .value' | while read -r text; do
        [ "${#text}" -lt 1000000 ]
        equal "$(jq -r . <<<"$text" | jq '.title | length > 0')" true
    done
}

@test "monitoring: groups of files/rules.yaml follow the rules of the chart" {
    with_files
    rule="$(one PrometheusRule yunikorn-scheduler --set prometheusRule.enabled=true)"
    equal "$(jq -c '[.spec.groups[0].name, .spec.groups[-1].name]' <<<"$rule")" '["yunikorn","more"]'
    # shellcheck disable=SC2016 # the syntax of Prometheus
    equal "$(jq -r '.spec.groups[-1].rules[0].annotations.summary' <<<"$rule")" '{{ $labels.queue }}'
    rm "$FROM/files/rules.yaml"
    equal "$(one PrometheusRule yunikorn-scheduler --set prometheusRule.enabled=true | jq '.spec.groups | length')" 1
}

@test "ingress: a host without paths has all of them" {
    equal "$(one Ingress yunikorn-ingress --set ingress.enabled=true | jq -c '.spec.rules[0].http.paths[0] |
        [.path, .backend.service.port.number]')" '["/",9889]'
}
