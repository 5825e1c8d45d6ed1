/* SPDX-License-Identifier: Apache-2.0 */
#include "state/config_change.h"

#include "base/log.h"

const char *yk_change_kind_text(enum yk_change_kind kind)
{
    static const char *const texts[] = {
        [YK_CHANGE_ADDED] = "queues added",
        [YK_CHANGE_CHANGED] = "queues changed",
        [YK_CHANGE_TYPE] = "queues of another type",
        [YK_CHANGE_DRAINING] = "queues draining",
        [YK_CHANGE_REACTIVATED] = "queues active again",
        [YK_CHANGE_ADOPTED] = "dynamic queues now configured",
        [YK_CHANGE_REMOVED] = "queues removed",
        [YK_CHANGE_OVER_LIMIT] = "queues over a limit",
        [YK_CHANGE_APP_OVER_LIMIT] = "applications over a limit",
        [YK_CHANGE_PARTITION_ADDED] = "partitions added",
        [YK_CHANGE_PARTITION_REMOVED] = "partitions removed",
    };
    YK_INDEXED_BY(texts, YK_CHANGE_KINDS - 1);
    return texts[kind];
}

void yk_config_change_note(struct yk_config_change *change, enum yk_change_kind kind, const char *name)
{
    change->kinds[kind].count++;
    if (change->kinds[kind].name_count < YK_CHANGE_NAMES_MAX)
        change->kinds[kind].names[change->kinds[kind].name_count++] = yk_strdup(name);
}

void yk_config_change_summary(const struct yk_config_change *change, struct yk_buf *out)
{
    const char *separator = "";
    for (int kind = 0; kind < YK_CHANGE_KINDS; kind++) {
        if (change->kinds[kind].count == 0)
            continue;
        yk_buf_printf(out, "%s%s: %u", separator, yk_change_kind_text((enum yk_change_kind)kind),
                      change->kinds[kind].count);
        separator = ", ";
    }
    if (separator[0] == '\0')
        yk_buf_text(out, "nothing");
}

static void log_names(const struct yk_config_change *change, enum yk_change_kind kind)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf names = {0};
    uint32_t shown = change->kinds[kind].name_count;
    for (uint32_t i = 0; i < shown; i++)
        yk_buf_printf(&names, "%s%s", i > 0 ? " " : "", change->kinds[kind].names[i]);
    yk_info(yk_log_config, yk_change_kind_text(kind), KV("names", yk_buf_cstr(&names)),
            KV("more", change->kinds[kind].count - shown));
}

void yk_config_change_log(const struct yk_config_change *change)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf summary = {0};
    yk_config_change_summary(change, &summary);
    yk_info(yk_log_config, "queue configuration active", KV("checksum", change->checksum),
            KV("change", yk_buf_cstr(&summary)));
    for (int kind = 0; kind < YK_CHANGE_KINDS; kind++) {
        if (change->kinds[kind].count > 0)
            log_names(change, (enum yk_change_kind)kind);
    }
}

void yk_config_change_done(struct yk_config_change *change)
{
    for (int kind = 0; kind < YK_CHANGE_KINDS; kind++) {
        for (uint32_t i = 0; i < change->kinds[kind].name_count; i++)
            free(change->kinds[kind].names[i]);
    }
    *change = (struct yk_config_change){0};
}
