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
    run -2 "$YK_BINARY" scheduler -v loud
    run -2 "$YK_BINARY" scheduler --log-format=xml
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
