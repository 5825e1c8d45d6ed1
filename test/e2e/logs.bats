# SPDX-License-Identifier: Apache-2.0
# What the running scheduler writes into its log: its format and detail, and settings that it does not know.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    [ "$E2E_EXTERNAL" = 0 ] || return 0
    queues_by_label
}

setup() { own_cluster_only; }

teardown() {
    tidy
    scheduler_cleanup
    [ "$E2E_EXTERNAL" = 1 ] || cp_running kube-apiserver || cp_start_apiserver_again "$CP_DIR"
}

log_lines() { if [ -e "$(scheduler_log)" ]; then wc -l <"$(scheduler_log)"; else echo 0; fi; }

# log_since LINE: what the scheduler wrote from that line of its log on.
log_since() { tail -n "+$(($1 + 1))" "$(scheduler_log)"; }

# says LINE TEXT: how many lines since LINE have that text.
says() { log_since "$1" | grep -cF -- "$2" || true; }

# settings JSON: what yunikorn-configs has besides its queues.
settings() { kubectl -n "$E2E_SYSTEM" patch configmap yunikorn-configs --type=merge -p "{\"data\": $1}" >/dev/null; }

has_said() { [ "$(says "$1" "$2")" -ge 1 ]; }

@test "logs: --log-format=json is one object per line" {
    mark="$(log_lines)"
    scheduler_start --log-format=json
    scheduler_stop
    [ "$(log_since "$mark" | wc -l)" -ge 3 ]
    log_since "$mark" | jq -e . >/dev/null
}

@test "logs: -v decides how much is written, and a wrong value is refused" {
    mark="$(log_lines)"
    scheduler_start -v 0
    scheduler_stop
    equal "$(log_since "$mark" | grep -c $'\tINFO\t' || true)" 0
    mark="$(log_lines)"
    scheduler_start -v 2
    scheduler_stop
    [ "$(log_since "$mark" | grep -c $'\tINFO\t')" -ge 1 ]
    mark="$(log_lines)"
    scheduler_start -v 5
    rest /ws/v1/clusters >/dev/null
    eventually has_said "$mark" $'\tDEBUG\tcore.rest\t'
    scheduler_stop
    run -2 "$YK_BINARY" scheduler -v loud
    run -2 "$YK_BINARY" scheduler --log-format=xml
}

@test "logs: a level of the ConfigMaps wins over -v" {
    settings '{"log.level": "INFO", "log.core.rest.level": "DEBUG"}'
    mark="$(log_lines)"
    scheduler_start -v 0
    rest /ws/v1/clusters >/dev/null
    eventually has_said "$mark" "request answered"
    scheduler_stop
    log_since "$mark" | grep -q $'\tINFO\t'
    # All loggers but one are at INFO.
    equal "$(log_since "$mark" | grep $'\tDEBUG\t' | cut -f 3 | sort -u)" core.rest
    settings '{"log.level": null, "log.core.rest.level": null}'
}

@test "logs: an unknown setting and an unknown level are named once" {
    settings '{"service.typo": "x", "log.level": "LOUD"}'
    mark="$(log_lines)"
    scheduler_start
    eventually has_said "$mark" service.typo
    settings '{"service.another": "y"}'
    eventually has_said "$mark" service.another
    equal "$(says "$mark" service.typo)" 1
    equal "$(says "$mark" LOUD)" 1
    scheduler_stop
    settings '{"service.typo": null, "service.another": null, "log.level": null}'
}

# unready_because TEXT: /readyz fails, and a check that failed says that.
unready_because() {
    local answer
    answer="$(curl -s --max-time 10 -w '%{http_code}' "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")/readyz?verbose")"
    [[ $answer == *500 ]] && grep -q "^\[-\].* failed: $1" <<<"$answer"
}

@test "logs: an outage of the API server is said every 30 s, and /readyz says what is missing" {
    mark="$(log_lines)"
    cp_stop_apiserver "$CP_DIR"
    scheduler_spawn
    within 20 unready_because "the API server does not answer"
    equal "$(rest_code /livez)" 200
    within 45 has_said "$mark" "the API server does not answer"
    log_since "$mark" | grep -F "the API server does not answer" | grep -q '"outage_ns": [0-9]*, "tries": [0-9]*, "err": "..*"'
    cp_start_apiserver_again "$CP_DIR"
    within 60 rest /readyz
    eventually has_said "$mark" "the API server answers again"
    # Not a line for each try.
    [ "$(says "$mark" "the API server does not answer")" -le 3 ]
    scheduler_stop
}
