# SPDX-License-Identifier: Apache-2.0
# The web page in Debian's Chromium: of the real scheduler, and of a simulation. Pictures are kept in build/page.

bats_require_minimum_version 1.5.0
load lib/e2e
load lib/browser

setup_file() {
    if ! need_browser; then
        export PAGE_SKIPPED="chromium, node or the packages of web/ cannot be installed"
        return 0
    fi
    begin page 2
    pods "$SPACE" paged 3 "$(in_queue root.paged)"
    eventually all_bound "$SPACE" 3
}

# A queue more comes into force, and then a name that no queue may have is refused.
change_queues() {
    more_queues more
    eventually has_queue root.more
    unreviewed more_queues '"not.a.name"'
    eventually is_refused
}

more_queues() {
    queues <<YAML
partitions:
  - name: default
    placementrules:
      - name: provided
        create: true
    queues:
      - name: root
        submitacl: "*"
        queues:
          - name: paged
          - name: $1
          - name: another
YAML
}

is_refused() { [ "$(rest /ws/v1/config/history | jq -r '.entries[0].outcome')" = refused ]; }

setup() { [ -z "${PAGE_SKIPPED:-}" ] || skip "$PAGE_SKIPPED"; }

has_ended() { curl -sf "http://127.0.0.1:$port/ws/v1/partition/default/applications/completed?filter=$1&view=summary" | grep -q "\"$1\""; }

stands_still() { [ "$(curl -sf "http://127.0.0.1:$port/sim/v1/state" | jq '.paused and .elapsedNs >= 120e9')" = true ]; }

# A failed test leaves its simulation.
teardown() {
    [ -z "${simulation:-}" ] || stop_pid "$simulation"
    tidy
}

teardown_file() {
    [ -n "${PAGE_SKIPPED:-}" ] || finish "$SPACE" page
}

# check_page PORT NAME [ARGS]: all pages without script errors, messages of the console, findings of axe-core and numbers that
# lead to no list.
check_page() {
    run -0 timeout 420 node "$WEB/test/browser/check.mjs" "http://127.0.0.1:$1/" "$REPO/build/page/$2" "${@:3}"
    contains "$output" 'no findings'
}

@test "page: all pages of the scheduler" {
    change_queues
    check_page "$(cat "$E2E_DIR/scheduler.port")" scheduler --looks=light --application=paged --queue=root.paged \
        --node="$(node_of "$SPACE" paged-0)" --user="$(rest /ws/v1/partition/default/usage/users | jq -r '.[0].userName')" --history=not.a.name
}

@test "page: a simulation, and its buttons" {
    port="$(free_port)"
    "$YK_BINARY" simulate --web="127.0.0.1:$port" --speed 20 --quiet >"$E2E_DIR/log/page-simulation.log" 2>&1 3>&- &
    simulation=$!
    wait_until 10 curl -sf "http://127.0.0.1:$port/sim/v1/state"
    curl -sf -H 'Content-Type: application/json' "http://127.0.0.1:$port/sim/v1/clock" -d '{"forward": "14m"}' >/dev/null
    wait_until 30 has_ended train-1
    curl -sf -H 'Content-Type: application/json' "http://127.0.0.1:$port/sim/v1/clock" -d '{"paused": false}' >/dev/null
    check_page "$port" simulation --looks=dark --application=shop-1 --queue=root.research.vision --node=gpu-0 --user=wanda --ended=train-1 \
        --simulated
    stop_pid "$simulation"
    contains "$(cat "$E2E_DIR/log/page-simulation.log")" 'no node beyond what it has'
}

@test "page: long lists of waiting pods, gangs before and after their timeouts" {
    port="$(free_port)"
    "$YK_BINARY" simulate --web="127.0.0.1:$port" --speed 20 --quiet "$WEB/test/browser/waits.yaml" \
        >"$E2E_DIR/log/page-waits.log" 2>&1 3>&- &
    simulation=$!
    wait_until 10 curl -sf "http://127.0.0.1:$port/sim/v1/state"
    curl -sf -H 'Content-Type: application/json' "http://127.0.0.1:$port/sim/v1/clock" -d '{"forward": "2m"}' >/dev/null
    wait_until 30 stands_still
    check_page "$port" waits --looks=none --waits
    stop_pid "$simulation"
}

@test "page: names with markup, huge numbers, a cluster without nodes" {
    port="$(free_port)"
    "$YK_BINARY" simulate --web="127.0.0.1:$port" --speed 20 --quiet "$WEB/test/browser/hostile.yaml" \
        >"$E2E_DIR/log/page-hostile.log" 2>&1 3>&- &
    simulation=$!
    wait_until 10 curl -sf "http://127.0.0.1:$port/sim/v1/state"
    sleep 1
    check_page "$port" hostile --looks=narrow '--application=<img src=x onerror=alert(1)>' --queue=root.none --hostile
    stop_pid "$simulation"
}
