# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The scheduler under test: a process of ours with the chart's service account and its rights only.

# One log per test file.
scheduler_log() { echo "$E2E_DIR/log/scheduler-$(basename "${BATS_TEST_FILENAME:-suite}" .bats).log"; }

# scheduler_spawn [ARGS...]: starts it and does not wait. A parent of its own keeps the exit code
# for whichever test asks. E2E_SCHEDULER_KUBECONFIG replaces the identity.
scheduler_spawn() {
    local port
    port="$(free_port)"
    echo "$port" >"$E2E_DIR/scheduler.port"
    rm -f "$E2E_DIR/scheduler.exit" "$E2E_DIR/scheduler.pid"
    # shellcheck disable=SC2016 # for the inner shell
    setsid env --default-signal=HUP bash -c '"$@" & echo $! >"$0.pid"; wait $!; echo $? >"$0.exit"' "$E2E_DIR/scheduler" \
        "$YK_BINARY" scheduler --kubeconfig "${E2E_SCHEDULER_KUBECONFIG:-$E2E_DIR/scheduler.kubeconfig}" \
        --namespace "$E2E_SYSTEM" --web-bind-address 127.0.0.1 --web-port "$port" "$@" \
        >>"$(scheduler_log)" 2>&1 </dev/null 3>&- &
    wait_until 5 test -s "$E2E_DIR/scheduler.pid" || fail "the scheduler was not started"
}

scheduler_pid() { cat "$E2E_DIR/scheduler.pid"; }

scheduler_alive() { [ ! -e "$E2E_DIR/scheduler.exit" ] && kill -0 "$(scheduler_pid)" 2>/dev/null; }

# rest PATH [CURL ARGS...]: the body, or failure for anything but 2xx.
rest() { curl -sf --max-time 10 -H "Cache-Control: no-cache" "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$1" "${@:2}"; }

# rest_code PATH [CURL ARGS...]: the status code only.
rest_code() {
    curl -s --max-time 10 -o /dev/null -w '%{http_code}' "http://127.0.0.1:$(cat "$E2E_DIR/scheduler.port")$1" "${@:2}"
}

ready_or_gone() { rest /readyz || [ -e "$E2E_DIR/scheduler.exit" ]; }

# scheduler_start [ARGS...]: starts it and waits until it schedules.
scheduler_start() {
    scheduler_spawn "$@"
    wait_until 60 ready_or_gone || fail "the scheduler is not ready"
    scheduler_alive || fail "the scheduler ended with $(cat "$E2E_DIR/scheduler.exit"): $(tail -n 5 "$(scheduler_log)")"
}

# The exit code, once there is one.
scheduler_exit_code() {
    within "${1:-20}" test -s "$E2E_DIR/scheduler.exit"
    cat "$E2E_DIR/scheduler.exit"
}

# scheduler_stop [SIGNAL]: a polite end (TERM), which has to be a clean one.
scheduler_stop() {
    scheduler_alive || fail "the scheduler has ended"
    kill -"${1:-TERM}" "$(scheduler_pid)"
    equal "$(scheduler_exit_code)" 0 "exit code after SIG${1:-TERM}"
}

scheduler_kill() {
    kill -9 "$(scheduler_pid)"
    scheduler_exit_code 10 >/dev/null
}

# begin NAME COUNT [ARGS...]: the start of a test file whose pods say their queues. Nodes NAME-0 ...,
# a namespace SPACE, and a scheduler with these arguments.
begin() {
    queues_by_label
    [ "$E2E_EXTERNAL" = 1 ] || nodes "$1" "$2"
    SPACE="$(namespace "$1")"
    export SPACE
    scheduler_start "${@:3}"
}

# For teardown_file: whatever a failed test has left running.
scheduler_cleanup() {
    if [ -s "$E2E_DIR/scheduler.pid" ] && [ ! -e "$E2E_DIR/scheduler.exit" ]; then
        kill -9 "$(scheduler_pid)" 2>/dev/null || true
    fi
}

# finish NAMESPACE [NODE-GROUP...]: the end of a test file. Cleans up in any case; fails if the
# scheduler did not live until here and end well.
finish() {
    local status=0 group
    scheduler_stop || status=1
    scheduler_cleanup
    namespace_delete "$1"
    for group in "${@:2}"; do nodes_delete "$group"; done
    return "$status"
}

# queue PATH [JQ]: a queue as the REST interface shows it.
queue() { rest "/ws/v1/partition/default/queue/$1" | jq -r "${2:-.}"; }

# Names of all queues.
queue_names() { rest /ws/v1/partition/default/queues | jq -r '.. | .queuename? // empty'; }

has_queue() { queue_names | grep -qxF "$1"; }

lacks_queue() { ! has_queue "$1"; }

# applications QUEUE: ids of the applications in it.
applications() { rest "/ws/v1/partition/default/queue/$1/applications" | jq -r '.[].applicationID'; }

has_application() { applications "$1" | grep -qxF "$2"; }

# kubeconfig_with USER: a kubeconfig for the cluster of $KUBECONFIG with another user entry (JSON).
kubeconfig_with() {
    kubectl config view --raw --minify --flatten -o json | jq --argjson user "$1" '
        .users = [{name: "e2e", user: $user}] | .contexts[0].context.user = "e2e"'
}
