#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a named part of a struct of the core is touched by the module that owns it only: by the part's name and one
# of its fields. core/objects creates and frees the structs, and keeps counters of their lists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

failed=0

# part OWNER NAME FIELDS [READER...]: `FIELDS` of the part `NAME` are for files below core/OWNER. Readers only read.
part() {
    local owner="$1" pattern="(->|\\.)$2\\.($3)\\b" allowed="^core/($1|objects)/" reader found
    for reader in "${@:4}"; do allowed+="|^core/$reader:"; done
    found="$(grep -rnE "$pattern" core --include='*.[ch]' | grep -vE "$allowed" || true)"
    if [ -n "$found" ]; then
        printf 'core/%s owns these fields; call a function of it (docs/design.md, "Owners"):\n%s\n' "$owner" "$found"
        failed=1
    fi
    grep -rqE "$pattern" "core/$owner" || { echo "no file of core/$owner uses the part '$2': correct $0" && failed=1; }
}

part report report 'unreported|unskipped|in_skipped|skipped_by|next|before|failed|forgotten|joined_before|in_lacking|beyond_by|fitting|attempts' \
    scheduler/invariants.c
part reservation preempt 'in_due|due_mono_ns|due_sequence|in_tries|pause_mono_ns|passed|log' report/outstanding.c web/show_app.c web/show_pending.c
part reservation preempt 'since_mono_ns|attempts'
part reservation quota 'in_due|is_running' web/show_queue.c
part preemption ended 'since_mono_ns|count'
part gangs gangs 'epoch|priority|oldest_wall_ns|held|standing'

exit "$failed"
