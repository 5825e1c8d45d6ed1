# SPDX-License-Identifier: Apache-2.0
# Who the user is: groups from the operating system, and a directory that is not there.
# These tests are one story; each begins where the one before has ended.

bats_require_minimum_version 1.5.0
load lib/e2e

setup_file() {
    resolver os
    [ "$E2E_EXTERNAL" = 1 ] || nodes identity 1
    SPACE="$(namespace identity)"
    export SPACE
    scheduler_start
}

teardown() { tidy; }

teardown_file() {
    finish "$SPACE" identity
}

# resolver TYPE: the group root may use root.work, everybody root.play.
resolver() {
    queues <<YAML
partitions:
  - name: default
    usergroupresolver:
      type: $1
    placementrules:
      - name: provided
    queues:
      - name: root
        queues:
          - name: work
            submitacl: " root"
          - name: play
            submitacl: "*"
YAML
}

# of USER QUEUE: a pod of that user, without groups.
of() {
    printf '.metadata.annotations["yunikorn.apache.org/user.info"] = ({user: "%s"} | tojson) | %s' "$1" "$(in_queue "$2")"
}

groups_of() {
    rest "/ws/v1/partition/default/queue/$1/applications" |
        jq -r --arg id "$2" '.[] | select(.applicationID == $id) | .groups | join(",")'
}

@test "identity: a user of this machine has its groups" {
    pods "$SPACE" ours 1 "$(of root root.work)"
    eventually is_bound "$SPACE" ours-0
    contains "$(groups_of root.work ours)" '^root(,|$)'
}

@test "identity: an unknown user" {
    pods "$SPACE" theirs 1 "$(of no-such-user root.play)"
    eventually has_event "$SPACE" theirs-0 ApplicationFailed
    contains "$(event "$SPACE" theirs-0 ApplicationFailed)" "'no-such-user' is not known"
    run ! is_bound "$SPACE" theirs-0
}

@test "identity: a reload to ldap without its settings is refused, the old resolver stays" {
    resolver ldap
    eventually settings_missed
    pods "$SPACE" more 1 "$(of root root.work)"
    eventually is_bound "$SPACE" more-0
    contains "$(groups_of root.work more)" '^root(,|$)'
}

settings_missed() {
    kubectl -n "$E2E_SYSTEM" get events.events.k8s.io -o json | jq -e 'any(.items[];
        .type == "Warning" and .regarding.kind == "ConfigMap" and (.note | contains("/run/secrets/ldap/Host")))'
}

@test "identity: a start with ldap without its settings says what is missing" {
    scheduler_stop
    scheduler_spawn
    equal "$(scheduler_exit_code 30)" 1
    contains "$(tail -n 3 "$(scheduler_log)")" "resolver 'ldap': LDAP setting 'Host': the file .* is missing"
}

@test "identity: a directory that is down loses nothing that runs" {
    local settings="$BATS_TEST_TMPDIR/ldap" name
    mkdir "$settings"
    for name in BaseDN BindUser BindPassword; do echo "dc=example" >"$settings/$name"; done
    for name in GroupAttr ReturnAttr; do echo memberOf >"$settings/$name"; done
    echo '(uid=%s)' >"$settings/Filter"
    echo 127.0.0.1 >"$settings/Host"
    echo 1 >"$settings/Port"
    scheduler_start --ldap-secrets "$settings"
    # It is not known now whether root is in the group root, so its queue is not theirs to use.
    has_application root.@recovery@ ours
    has_application root.@recovery@ more
    equal "$(groups_of root.@recovery@ ours)" nogroup
    is_bound "$SPACE" ours-0
    pods "$SPACE" later 1 "$(of ann root.play)"
    eventually has_event "$SPACE" later-0 ApplicationFailed
    contains "$(event "$SPACE" later-0 ApplicationFailed)" "LDAP server '127.0.0.1', port 1"
}
