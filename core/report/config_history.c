/* SPDX-License-Identifier: Apache-2.0 */
#include "report/config_history.h"

#include "base/yaml_comments.h"
#include "state/core.h"

/* Of the lines of a comparison before they are cut; a line has a few values of 64 KiB at most. */
enum { COMPARISON_MAX = 1 << 20 };

struct yk_config_history {
    uint64_t total;                                        /* ever */
    size_t text_bytes;                                     /* of all texts */
    struct yk_config_entry entries[YK_CONFIG_HISTORY_MAX]; /* entry n at n - 1 modulo the size */
};

/* ---- an entry ---- */

const char *yk_config_entry_trigger(const struct yk_config_entry *entry)
{
    return entry->is_first ? "start" : "reload";
}

void yk_config_entry_set_text(struct yk_config_entry *entry, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf kept = {.max = YK_CONFIG_HISTORY_TEXT_MAX};
    if (text.len > YK_CONFIG_HISTORY_TEXT_MAX)
        return;
    yk_yaml_strip_comments(text, &kept);
    free(entry->text);
    entry->text_bytes = kept.len;
    entry->text = yk_str_dup(yk_buf_view(&kept)); /* exactly as long as it is */
}

/* Whole lines, or a part of the first one that ends with a whole character. */
static size_t cut_length(struct yk_str lines)
{
    size_t len = YK_CONFIG_HISTORY_CHANGES_MAX;
    if (lines.len <= len)
        return lines.len;
    const char *end = memrchr(lines.p, '\n', len);
    if (end != NULL)
        return (size_t)(end - lines.p) + 1;
    while (len > 0 && ((unsigned char)lines.p[len] & 0xC0) == 0x80)
        len--;
    return len;
}

void yk_config_entry_compare(struct yk_config_entry *entry, const struct yk_config *from,
                             const struct yk_config *to)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf lines = {.max = COMPARISON_MAX};
    free(entry->changes);
    entry->change_count = yk_config_diff(from, to, &lines);
    entry->changes = yk_str_dup((struct yk_str){yk_buf_cstr(&lines), cut_length(yk_buf_view(&lines))});
}

void yk_config_entry_done(struct yk_config_entry *entry)
{
    free(entry->source);
    free(entry->error);
    free(entry->summary);
    free(entry->changes);
    free(entry->text);
    *entry = (struct yk_config_entry){.id = 0};
}

/* ---- the history ---- */

void yk_config_history_free(struct yk_config_history *history)
{
    if (history == NULL)
        return;
    for (size_t i = 0; i < YK_CONFIG_HISTORY_MAX; i++)
        yk_config_entry_done(&history->entries[i]);
    free(history);
}

static struct yk_config_entry *entry_of(struct yk_config_history *history, uint64_t id)
{
    return &history->entries[(id - 1) % YK_CONFIG_HISTORY_MAX];
}

static void drop_text(struct yk_config_history *history, struct yk_config_entry *entry)
{
    history->text_bytes -= entry->text_bytes;
    entry->text_bytes = 0;
    free(entry->text);
    entry->text = NULL;
}

static uint64_t oldest_id(const struct yk_config_history *history)
{
    return history->total > YK_CONFIG_HISTORY_MAX ? history->total - YK_CONFIG_HISTORY_MAX + 1 : 1;
}

void yk_config_history_add(struct yk_rm *rm, struct yk_config_entry *entry)
{
    if (rm->config_history == NULL)
        rm->config_history = yk_new0(struct yk_config_history);
    struct yk_config_history *history = rm->config_history;
    uint64_t id = ++history->total;
    struct yk_config_entry *place = entry_of(history, id);
    drop_text(history, place);
    yk_config_entry_done(place);
    *place = *entry;
    *entry = (struct yk_config_entry){.id = 0};
    place->id = id;
    place->wall_ns = yk_core_now(rm->core);
    history->text_bytes += place->text_bytes;
    for (uint64_t old = oldest_id(history); history->text_bytes > YK_CONFIG_HISTORY_TEXT_MAX; old++)
        drop_text(history, entry_of(history, old)); /* never the new one, which fits alone */
}

uint64_t yk_config_history_kept(const struct yk_rm *rm)
{
    return YK_MIN(yk_config_history_total(rm), (uint64_t)YK_CONFIG_HISTORY_MAX);
}

uint64_t yk_config_history_total(const struct yk_rm *rm)
{
    return rm->config_history != NULL ? rm->config_history->total : 0;
}

const struct yk_config_entry *yk_config_history_find(const struct yk_rm *rm, uint64_t id)
{
    struct yk_config_history *history = rm->config_history;
    if (history == NULL || id < oldest_id(history) || id > history->total)
        return NULL;
    return entry_of(history, id);
}

const struct yk_config_entry *yk_config_history_at(const struct yk_rm *rm, uint64_t age)
{
    uint64_t total = yk_config_history_total(rm);
    return age < total ? yk_config_history_find(rm, total - age) : NULL;
}
