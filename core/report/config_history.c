/* SPDX-License-Identifier: Apache-2.0 */
#include "report/config_history.h"

#include "base/yaml_comments.h"
#include "state/core.h"

/* Bytes of the lines of a comparison before they are cut. */
enum { COMPARISON_MAX = 1 << 20 };

struct yk_config_history {
    uint64_t total;    /* number of ids that were given so far */
    size_t text_bytes; /* of all texts */
    uint32_t count;
    struct yk_config_entry entries[YK_CONFIG_HISTORY_MAX]; /* by time, the oldest first */
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
    entry->text = yk_str_dup(yk_buf_view(&kept)); /* a copy without the spare bytes of `kept` */
}

/* The number of bytes that are kept: whole lines, or the beginning of the first line up to a whole
 * character. */
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

static void drop_text(struct yk_config_history *history, struct yk_config_entry *entry)
{
    history->text_bytes -= entry->text_bytes;
    entry->text_bytes = 0;
    free(entry->text);
    entry->text = NULL;
}

static void remove_entry(struct yk_config_history *history, uint32_t i)
{
    struct yk_config_entry *entry = &history->entries[i];
    drop_text(history, entry);
    yk_config_entry_done(entry);
    history->count--;
    memmove(entry, entry + 1, (history->count - i) * sizeof(*entry));
    history->entries[history->count] = (struct yk_config_entry){.id = 0};
}

/* The place of the configuration in force; `count` if none was applied. */
static uint32_t in_force(const struct yk_config_history *history)
{
    for (uint32_t i = history->count; i > 0; i--) {
        if (history->entries[i - 1].is_applied)
            return i - 1;
    }
    return history->count;
}

/* The place of the same refusal since the configuration in force was applied; `count` if there is none. Other
 * refusals in between do not matter: two writers may overwrite each other's text again and again. */
static uint32_t same_refusal(const struct yk_config_history *history, const struct yk_config_entry *entry)
{
    if (entry->is_applied)
        return history->count;
    for (uint32_t i = history->count; i > 0 && !history->entries[i - 1].is_applied; i--) {
        const struct yk_config_entry *old = &history->entries[i - 1];
        if (strcmp(old->checksum, entry->checksum) == 0 && strcmp(old->error, entry->error) == 0)
            return i - 1;
    }
    return history->count;
}

/* The index of the entry to drop when the history is full; never that of the entry in force. If more than
 * half are refused ones, the oldest of these goes, so that earlier configurations remain for a return to
 * them. */
static uint32_t to_drop(const struct yk_config_history *history)
{
    uint32_t refused = 0, active = in_force(history), i = 0;
    for (uint32_t j = 0; j < history->count; j++)
        refused += !history->entries[j].is_applied;
    while (refused > YK_CONFIG_HISTORY_MAX / 2 ? history->entries[i].is_applied : i == active)
        i++;
    return i;
}

void yk_config_history_add(struct yk_rm *rm, struct yk_config_entry *entry)
{
    if (rm->config_history == NULL)
        rm->config_history = yk_new0(struct yk_config_history);
    struct yk_config_history *history = rm->config_history;
    uint32_t same = same_refusal(history, entry);
    if (same < history->count) {
        entry->id = history->entries[same].id;
        entry->repeated = history->entries[same].repeated + 1;
        remove_entry(history, same);
    } else {
        entry->id = ++history->total;
    }
    if (history->count == YK_CONFIG_HISTORY_MAX)
        remove_entry(history, to_drop(history));
    entry->wall_ns = yk_core_now(rm->core);
    history->text_bytes += entry->text_bytes;
    history->entries[history->count++] = *entry;
    *entry = (struct yk_config_entry){.id = 0};

    /* The loop ends, because the text in force alone is not too long. */
    for (uint32_t i = 0, active = in_force(history); history->text_bytes > YK_CONFIG_HISTORY_TEXT_MAX; i++) {
        if (i != active)
            drop_text(history, &history->entries[i]);
    }
}

uint64_t yk_config_history_kept(const struct yk_rm *rm)
{
    return rm->config_history != NULL ? rm->config_history->count : 0;
}

uint64_t yk_config_history_total(const struct yk_rm *rm)
{
    return rm->config_history != NULL ? rm->config_history->total : 0;
}

const struct yk_config_entry *yk_config_history_at(const struct yk_rm *rm, uint64_t age)
{
    uint64_t kept = yk_config_history_kept(rm);
    return age < kept ? &rm->config_history->entries[kept - 1 - age] : NULL;
}

const struct yk_config_entry *yk_config_history_find(const struct yk_rm *rm, uint64_t id)
{
    for (uint64_t i = 0; i < yk_config_history_kept(rm); i++) {
        if (rm->config_history->entries[i].id == id)
            return &rm->config_history->entries[i];
    }
    return NULL;
}
