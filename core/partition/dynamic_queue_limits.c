/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/dynamic_queue_limits.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "pending/impossible.h"
#include "pending/parked.h"
#include "pending/stateaware.h"
#include "report/report.h"
#include "reservation/preempt.h"
#include "reservation/reservation_look.h"
#include "state/turn.h"

#include <jansson.h>

enum { TEXT_BYTES_MAX = 64 << 10 };

/* ---- reading ---- */

static enum yk_status parse_entries(json_t *resources, struct yk_resvec *ret_amounts, bool *ret_has_unknown)
{
    const char *name;
    json_t *entry;
    bool is_positive = false;
    json_object_foreach(resources, name, entry)
    {
        int type = yk_restype_find(yk_str_from(name));
        const json_t *value = json_object_get(entry, "value");
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return YK_ERR_INVALID;
        is_positive = is_positive || json_integer_value(value) > 0;
        if (type == YK_RESTYPE_UNKNOWN)
            *ret_has_unknown = true;
        else
            yk_resvec_put(ret_amounts, type, json_integer_value(value));
    }
    return is_positive ? YK_OK : YK_ERR_INVALID;
}

/* Reads {"resources":{"<type>":{"value":<integer>}}}. Sets `ret_amounts` to the amounts of known types, and
 * `*ret_has_unknown` to whether the text names other types, too. Errors: YK_ERR_INVALID, the text has another
 * form, an amount is negative, or none is positive; YK_ERR_LIMIT, it is too long. */
static enum yk_status dynamic_queue_limits_parse(const char *json, struct yk_resvec *ret_amounts,
                                                 bool *ret_has_unknown)
{
    yk_resvec_clear(ret_amounts);
    *ret_has_unknown = false;
    if (strlen(json) > TEXT_BYTES_MAX)
        return YK_ERR_LIMIT;
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    json_t *resources = json_object_get(root, "resources");
    enum yk_status st =
        json_is_object(resources) ? parse_entries(resources, ret_amounts, ret_has_unknown) : YK_ERR_INVALID;
    json_decref(root);
    return st;
}

void yk_dynamic_queue_limits_each_unknown(const char *json,
                                          void (*visit)(void *context, const char *type, int64_t amount),
                                          void *context)
{
    YK_RESVEC(known);
    bool has_unknown;
    const char *name;
    json_t *entry;
    if (dynamic_queue_limits_parse(json, &known, &has_unknown) != YK_OK || !has_unknown)
        return;
    json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    json_object_foreach(json_object_get(root, "resources"), name, entry)
    {
        if (yk_restype_find(yk_str_from(name)) == YK_RESTYPE_UNKNOWN)
            visit(context, name, json_integer_value(json_object_get(entry, "value")));
    }
    json_decref(root);
}

/* What the value of a tag says. */
struct said {
    const char *text;         /* borrowed; NULL: the tag is absent or invalid */
    struct yk_resvec amounts; /* of known types */
    bool has_unknown;         /* it names other types, too */
};

static void read_said(struct said *said, const struct yk_queue *leaf, const char *what, const char *text)
{
    memset(said, 0, sizeof(*said));
    said->text = text != NULL && text[0] != '\0' ? text : NULL;
    if (said->text == NULL || dynamic_queue_limits_parse(text, &said->amounts, &said->has_unknown) == YK_OK)
        return;
    yk_warn(yk_log_queue, "resources of the namespace are ignored", KV("queue", leaf->path), KV("tag", what),
            KV("value", text));
    said->text = NULL;
    said->has_unknown = false;
    yk_resvec_clear(&said->amounts);
}

/* ---- limits ---- */

static bool same_limit(const struct yk_resvec *limit, bool had, const struct yk_resvec *before)
{
    return (!yk_resvec_is_empty(limit)) == had && (!had || yk_resvec_same(limit, before));
}

/* Copies the amounts of a limit. False: there is no limit, because `from` has no type. */
static bool set_limit(struct yk_resvec *to, const struct yk_resvec *from)
{
    yk_resvec_copy(to, from);
    return !yk_resvec_is_empty(from);
}

/* Looks again at what depends on the maxima of all queues: gangs and applications that could never start, and
 * reservations. */
static void follow_max(struct yk_partition *partition)
{
    yk_gang_wait_capacity_changed(partition);
    yk_impossible_maxima_changed(partition);
    yk_stateaware_capacity_changed(partition);
    yk_reservation_look_again(partition);
}

static void set_limits(struct yk_partition *partition, struct yk_queue *leaf, const struct yk_resvec *max,
                       const struct yk_resvec *guaranteed)
{
    YK_RESVEC(max_before);
    YK_RESVEC(guaranteed_before);
    bool same_max = same_limit(max, leaf->has_max, &leaf->max);
    if (same_max && same_limit(guaranteed, leaf->has_guaranteed, &leaf->guaranteed))
        return;
    yk_resvec_copy(&max_before, &leaf->max);
    yk_resvec_copy(&guaranteed_before, &leaf->guaranteed);
    leaf->has_max = set_limit(&leaf->max, max);
    leaf->has_guaranteed = set_limit(&leaf->guaranteed, guaranteed);
    yk_wake_queue_for_limits(partition, leaf, !same_max);
    if (!same_max)
        follow_max(partition);
    yk_report_queue_max(partition, leaf, &max_before);
    yk_report_queue_guaranteed(partition, leaf, &guaranteed_before);
    yk_preempt_leaf_changed(partition, leaf);
    yk_turn_order_changed(partition);
}

static void set_max_apps(struct yk_queue *leaf, const char *text)
{
    uint64_t max_apps;
    if (text == NULL || yk_str_to_u64(yk_str_from(text), &max_apps) != YK_OK || max_apps == 0 ||
        max_apps == leaf->max_apps)
        return;
    leaf->max_apps = max_apps;
    yk_wake_queue_for_app_slot(leaf);
}

/* ---- texts that the leaf keeps ---- */

static char *copy_of(const char *text)
{
    return text != NULL ? yk_strdup(text) : NULL;
}

static void forget(struct yk_queue *leaf)
{
    yk_list_remove(&leaf->type_wait.in_type_waits);
    free(leaf->type_wait.namespace_max);
    free(leaf->type_wait.namespace_guaranteed);
    leaf->type_wait.namespace_max = leaf->type_wait.namespace_guaranteed = NULL;
}

/* Keeps both texts, because they are applied together. They may be the ones that the leaf keeps already. */
static void keep(struct yk_partition *partition, struct yk_queue *leaf, const char *max,
                 const char *guaranteed)
{
    char *kept_max = copy_of(max), *kept_guaranteed = copy_of(guaranteed);
    forget(leaf);
    leaf->type_wait.namespace_max = kept_max;
    leaf->type_wait.namespace_guaranteed = kept_guaranteed;
    yk_list_append(&partition->housekeeping.type_waits, &leaf->type_wait.in_type_waits);
}

static void said_done(struct said *said)
{
    yk_resvec_done(&said->amounts);
}

/* Sets both limits if one of the texts is present and valid; a limit whose text is absent is removed
 * (R40). */
static void apply_amounts(struct yk_partition *partition, struct yk_queue *leaf, const char *max_text,
                          const char *guaranteed_text)
{
    YK_CLEANUP(said_done) struct said max;
    YK_CLEANUP(said_done) struct said guaranteed;
    read_said(&max, leaf, "namespace.resourcequota", max_text);
    read_said(&guaranteed, leaf, "namespace.resourceguaranteed", guaranteed_text);
    if (max.text == NULL && guaranteed.text == NULL)
        return;
    set_limits(partition, leaf, &max.amounts, &guaranteed.amounts);
    if (max.has_unknown || guaranteed.has_unknown)
        keep(partition, leaf, max.text, guaranteed.text);
    else
        forget(leaf);
}

static void apply(const struct yk_app *app, const struct yk_tags *tags)
{
    struct yk_queue *leaf = app->leaf;
    if (leaf->managed || yk_queue_is_recovery(leaf))
        return;
    set_max_apps(leaf, yk_tags_get_nocase(tags, "namespace.resourcemaxapps"));
    apply_amounts(app->partition, leaf, yk_tags_get_nocase(tags, "namespace.resourcequota"),
                  yk_tags_get_nocase(tags, "namespace.resourceguaranteed"));
}

void yk_dynamic_queue_limits_apply(struct yk_app *app)
{
    apply(app, &app->tags);
}

void yk_dynamic_queue_limits_change(struct yk_app *app, const struct yk_si_tag *tags, size_t count)
{
    struct yk_tags said;
    yk_tags_init(&said, tags, count);
    apply(app, &said);
    yk_tags_done(&said);
}

void yk_dynamic_queue_limits_look(struct yk_partition *partition)
{
    uint64_t types = yk_restype_additions();
    if (types == partition->housekeeping.types_seen)
        return;
    partition->housekeeping.types_seen = types;
    struct yk_list waiting;
    yk_list_init(&waiting);
    yk_list_splice(&waiting, &partition->housekeeping.type_waits);
    while (!yk_list_empty(&waiting)) {
        struct yk_queue *leaf = yk_list_first(&waiting, struct yk_queue, type_wait.in_type_waits);
        yk_list_remove(&leaf->type_wait.in_type_waits);
        if (leaf->managed) /* the leaf is in the configuration now */
            forget(leaf);
        else
            apply_amounts(partition, leaf, leaf->type_wait.namespace_max,
                          leaf->type_wait.namespace_guaranteed);
    }
}
