/* SPDX-License-Identifier: Apache-2.0 */
#include "app/task_groups.h"

#include "api/json_reader.h"
#include "base/log.h"
#include "cache/resource_sum.h"
#include "resources/quantity.h"
#include "si.h"

#include <jansson.h>

static void decref(json_t **json)
{
    json_decref(*json);
}

/* ---- the parts of a group ---- */

struct reading {
    struct yk_arena *arena;
    struct yk_gang_group *group;
    struct yk_str namespace_;
    struct yk_err *err;
};

static enum yk_status wrong(const struct reading *at, const char *what, const char *wanted)
{
    return yk_fail(at->err, YK_ERR_INVALID, "'%s' is not %s", what, wanted);
}

static struct yk_str text_of(const struct reading *at, const json_t *value)
{
    if (json_is_string(value))
        return yk_arena_str(at->arena, (struct yk_str){json_string_value(value), json_string_length(value)});
    /* With 15 digits, 0.1 is written as 0.1. */
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    struct yk_str text = yk_arena_str(at->arena, yk_str_from(dump));
    free(dump);
    return text;
}

/* Reads an object whose values are texts. `numbers`: the values are quantities, which may be numbers, too. */
static enum yk_status take_pairs(const struct reading *at, json_t *object, const char *what, bool numbers,
                                 struct yk_pairs *ret)
{
    if (object == NULL)
        return YK_OK;
    if (!json_is_object(object))
        return wrong(at, what, "an object");
    size_t count = json_object_size(object);
    if (count > YK_TASK_GROUP_PAIRS_MAX)
        return yk_fail(at->err, YK_ERR_LIMIT, "'%s' has %zu entries (at most %d)", what, count,
                       YK_TASK_GROUP_PAIRS_MAX);
    ret->items = yk_arena_alloc0(at->arena, (count + 1) * sizeof(*ret->items));
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
        const json_t *value = json_object_iter_value(i);
        if (!json_is_string(value) && !json_is_null(value) && !(numbers && json_is_number(value)))
            return yk_fail(at->err, YK_ERR_INVALID, "'%s' of '%s' is not a %s", json_object_iter_key(i), what,
                           numbers ? "quantity" : "text");
        struct yk_pair *pair = &ret->items[ret->count++];
        pair->key = yk_arena_str(at->arena, yk_str_from(json_object_iter_key(i)));
        pair->value = !json_is_null(value) ? text_of(at, value) : numbers ? YK_STR("0") : YK_STR("");
    }
    return YK_OK;
}

static enum yk_status take_json(const struct reading *at, json_t *value, const char *what, bool is_list,
                                struct yk_str *ret)
{
    if (value == NULL)
        return YK_OK;
    if (is_list ? !json_is_array(value) : !json_is_object(value))
        return wrong(at, what, is_list ? "a list" : "an object");
    for (size_t i = 0; is_list && i < json_array_size(value); i++) {
        if (!json_is_object(json_array_get(value, i)))
            return wrong(at, what, "a list of objects");
    }
    *ret = text_of(at, value);
    return YK_OK;
}

static enum yk_status take_name(const struct reading *at, const json_t *name)
{
    if (name != NULL && !json_is_string(name))
        return wrong(at, "name", "a text");
    if (name == NULL || json_string_length(name) == 0)
        return yk_fail(at->err, YK_ERR_INVALID, "it has no name");
    at->group->name = text_of(at, name);
    return YK_OK;
}

static enum yk_status take_min_member(const struct reading *at, const json_t *count)
{
    if (count != NULL && !json_is_integer(count))
        return wrong(at, "minMember", "an integer");
    json_int_t members = count != NULL ? json_integer_value(count) : 0;
    if (members <= 0)
        return yk_fail(at->err, YK_ERR_INVALID, "'minMember' is %lld, it has to be positive",
                       (long long)members);
    if (members > YK_GANG_MEMBERS_MAX)
        return yk_fail(at->err, YK_ERR_LIMIT, "'minMember' is %lld (at most %d)", (long long)members,
                       YK_GANG_MEMBERS_MAX);
    at->group->min_member = (uint32_t)members;
    return YK_OK;
}

static enum yk_status take_resources(const struct reading *at, json_t *resources)
{
    if (resources == NULL)
        return yk_fail(at->err, YK_ERR_INVALID, "it has no 'minResource'");
    return take_pairs(at, resources, "minResource", true, &at->group->resources);
}

static enum yk_status take_constraints(const struct reading *at, json_t *object)
{
    struct yk_gang_group *group = at->group;
    enum yk_status st = take_pairs(at, yk_json_member_nocase(object, "nodeSelector"), "nodeSelector", false,
                                   &group->node_selector);
    if (st == YK_OK)
        st = take_json(at, yk_json_member_nocase(object, "tolerations"), "tolerations", true,
                       &group->tolerations);
    if (st == YK_OK)
        st = take_json(at, yk_json_member_nocase(object, "affinity"), "affinity", false, &group->affinity);
    if (st == YK_OK)
        st = take_json(at, yk_json_member_nocase(object, "topologySpreadConstraints"),
                       "topologySpreadConstraints", true, &group->spread);
    return st;
}

/* ---- resources of a member ---- */

static enum yk_status check_name(const struct reading *at, size_t index)
{
    const struct yk_pairs *resources = &at->group->resources;
    struct yk_str type = yk_restype_of_kubernetes(resources->items[index].key);
    if (yk_str_is(type, "pods"))
        return yk_fail(at->err, YK_ERR_INVALID, "'minResource' may not name 'pods', each member is one");
    for (size_t i = 0; i < index; i++) {
        if (yk_str_eq(type, yk_restype_of_kubernetes(resources->items[i].key)))
            return yk_fail(at->err, YK_ERR_INVALID,
                           "'minResource' names '" YK_STR_FMT "' and '" YK_STR_FMT "', which are the same",
                           YK_STR_ARG(resources->items[i].key), YK_STR_ARG(resources->items[index].key));
    }
    return YK_OK;
}

static enum yk_status amount_of(const struct reading *at, const struct yk_pair *pair, int64_t *ret)
{
    yk_quantity quantity;
    enum yk_status st = yk_quantity_parse(pair->value, &quantity, at->err);
    if (st != YK_OK)
        return yk_fail_in(at->err, st, "'minResource' '" YK_STR_FMT "'", YK_STR_ARG(pair->key));
    if (quantity < 0)
        return yk_fail(at->err, YK_ERR_INVALID, "'minResource' asks for '" YK_STR_FMT "' of '" YK_STR_FMT "'",
                       YK_STR_ARG(pair->value), YK_STR_ARG(pair->key));
    *ret = yk_quantity_amount(pair->key, quantity);
    return YK_OK;
}

static enum yk_status add_amount(const struct reading *at, struct yk_resvec *total, struct yk_str type,
                                 int64_t amount)
{
    int64_t sum;
    int slot = yk_restype_find(type);
    if (slot == YK_RESTYPE_UNKNOWN)
        slot = yk_restype_asked(type, at->namespace_);
    if (amount > YK_SI_AMOUNT_MAX || __builtin_mul_overflow(amount, (int64_t)at->group->min_member, &sum) ||
        __builtin_add_overflow(sum, yk_resvec_get(total, slot), &sum))
        return yk_fail(at->err, YK_ERR_LIMIT, "its members ask for too much '" YK_STR_FMT "'",
                       YK_STR_ARG(type));
    yk_resvec_put(total, slot, sum);
    return YK_OK;
}

static enum yk_status add_to_total(const struct reading *at, struct yk_resvec *total)
{
    const struct yk_pairs *resources = &at->group->resources;
    enum yk_status st = add_amount(at, total, YK_STR("pods"), 1);
    for (size_t i = 0; st == YK_OK && i < resources->count; i++) {
        int64_t amount = 0;
        st = check_name(at, i);
        if (st == YK_OK)
            st = amount_of(at, &resources->items[i], &amount);
        if (st == YK_OK && amount > 0)
            st = add_amount(at, total, yk_restype_of_kubernetes(resources->items[i].key), amount);
    }
    return st;
}

static enum yk_status take_group(const struct reading *at, json_t *object)
{
    if (!json_is_object(object))
        return yk_fail(at->err, YK_ERR_INVALID, "it is not an object");
    enum yk_status st = take_name(at, yk_json_member_nocase(object, "name"));
    if (st == YK_OK)
        st = take_min_member(at, yk_json_member_nocase(object, "minMember"));
    if (st == YK_OK)
        st = take_resources(at, yk_json_member_nocase(object, "minResource"));
    if (st == YK_OK)
        st = take_pairs(at, yk_json_member_nocase(object, "labels"), "labels", false, &at->group->labels);
    if (st == YK_OK)
        st = take_pairs(at, yk_json_member_nocase(object, "annotations"), "annotations", false,
                        &at->group->annotations);
    if (st == YK_OK)
        st = take_constraints(at, object);
    return st;
}

/* ---- all groups ---- */

static enum yk_status add_group(struct yk_task_groups *groups, json_t *object, struct yk_str namespace_,
                                struct yk_err *err)
{
    struct yk_gang_group *group = &groups->items[groups->count];
    const struct reading at = {&groups->arena, group, namespace_, err};
    enum yk_status st = take_group(&at, object);
    if (st == YK_OK && yk_task_groups_find(groups, group->name.p) != NULL)
        st = yk_fail(err, YK_ERR_INVALID, "there is one of that name already");
    if (st == YK_OK)
        st = add_to_total(&at, &groups->total);
    groups->members += group->min_member;
    if (st == YK_OK && groups->members > YK_GANG_MEMBERS_MAX)
        st = yk_fail(err, YK_ERR_LIMIT, "with it there are %u members (at most %d)", groups->members,
                     YK_GANG_MEMBERS_MAX);
    if (st != YK_OK)
        return yk_fail_in(err, st, "task group %zu '" YK_STR_FMT "'", groups->count + 1,
                          YK_STR_ARG(group->name));
    groups->count++;
    return YK_OK;
}

static enum yk_status take_all(json_t *list, struct yk_task_groups *groups, struct yk_str namespace_,
                               struct yk_err *err)
{
    if (!json_is_array(list))
        return yk_fail(err, YK_ERR_INVALID, "task groups: not a list");
    size_t count = json_array_size(list);
    if (count > YK_TASK_GROUPS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu task groups (at most %d)", count, YK_TASK_GROUPS_MAX);
    groups->items = yk_arena_alloc0(&groups->arena, (count + 1) * sizeof(*groups->items));
    enum yk_status st = YK_OK;
    for (size_t i = 0; st == YK_OK && i < count; i++)
        st = add_group(groups, json_array_get(list, i), namespace_, err);
    return st;
}

enum yk_status yk_task_groups_parse(struct yk_str text, struct yk_str namespace_, struct yk_task_groups *ret,
                                    struct yk_err *err)
{
    json_error_t where;
    if (text.len > YK_TASK_GROUPS_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "task groups of %zu bytes (at most %d)", text.len,
                       YK_TASK_GROUPS_BYTES_MAX);
    YK_CLEANUP(decref)
    json_t *list = json_loadb(text.p != NULL ? text.p : "", text.len, JSON_DECODE_ANY, &where);
    if (list == NULL)
        return yk_fail(err, YK_ERR_INVALID, "task groups: byte %d: %s", where.position, where.text);
    struct yk_task_groups groups = {.count = 0};
    enum yk_status st = json_is_null(list) ? YK_OK : take_all(list, &groups, namespace_, err);
    if (st != YK_OK) {
        yk_task_groups_done(&groups);
        return st;
    }
    memset(ret, 0, sizeof(*ret));
    yk_task_groups_move(ret, &groups);
    return YK_OK;
}

bool yk_task_groups_resolve(struct yk_task_groups *groups, struct yk_str namespace_)
{
    YK_RESVEC(total);
    bool is_unknown = false;
    yk_resvec_foreach(type, &groups->total) is_unknown |= yk_restype_is_asked(type);
    enum yk_status st = YK_OK;
    for (size_t i = 0; is_unknown && st == YK_OK && i < groups->count; i++) {
        struct yk_err err;
        const struct reading at = {&groups->arena, &groups->items[i], namespace_, &err};
        st = add_to_total(&at, &total);
    }
    /* The resources were read before, so only a sum can be too large: then the total stays as it is. */
    if (!is_unknown || st != YK_OK || yk_resvec_same(&total, &groups->total))
        return false;
    yk_resvec_copy(&groups->total, &total);
    return true;
}

void yk_task_groups_done(struct yk_task_groups *groups)
{
    yk_arena_done(&groups->arena);
    yk_resvec_done(&groups->total);
    memset(groups, 0, sizeof(*groups));
}

void yk_task_groups_move(struct yk_task_groups *to, struct yk_task_groups *from)
{
    memcpy(to, from, sizeof(*to));
    memset(from, 0, sizeof(*from));
}

struct yk_gang_group *yk_task_groups_find(const struct yk_task_groups *groups, const char *name)
{
    for (size_t i = 0; i < groups->count; i++) {
        if (yk_str_is(groups->items[i].name, name))
            return &groups->items[i];
    }
    return NULL;
}

/* ---- schedulingPolicyParameters ---- */

/* A long value is cut, so that the text fits into an Event. */
static void add_wrong(struct yk_buf *wrong, const char *what, struct yk_str value, const char *instead)
{
    enum { SHOWN_MAX = 128 }; /* bytes */
    bool is_long = value.len > SHOWN_MAX;
    if (is_long) {
        value.len = SHOWN_MAX;
        while (value.len > 0 && ((unsigned char)value.p[value.len] & 0xc0) == 0x80)
            value.len--; /* not within a character */
    }
    yk_buf_printf(wrong, "%s%s '" YK_STR_FMT "%s', %s", wrong->len > 0 ? "; " : "", what, YK_STR_ARG(value),
                  is_long ? "..." : "", instead);
}

static void take_timeout(struct yk_str value, struct yk_gang_policy *policy, struct yk_buf *wrong)
{
    int64_t seconds, ns = 0;
    bool is_valid = yk_str_to_i64(value, &seconds) == YK_OK && seconds >= 0 &&
                    !__builtin_mul_overflow(seconds, YK_NS_PER_S, &ns);
    if (!is_valid)
        add_wrong(wrong, "placeholderTimeoutInSeconds is", value,
                  "not a number of seconds from 0 to 9223372036, so the timeout is 15 minutes");
    policy->timeout_ns = is_valid ? ns : 0;
}

static void take_style(struct yk_str value, struct yk_gang_policy *policy, struct yk_buf *wrong)
{
    policy->is_hard = yk_str_is(value, "Hard");
    if (!policy->is_hard && !yk_str_is(value, "Soft"))
        add_wrong(wrong, "gangSchedulingStyle is", value, "not Hard or Soft, so it is Soft");
}

void yk_gang_policy_parse(struct yk_str text, struct yk_gang_policy *ret, struct yk_buf *wrong)
{
    struct yk_str item;
    *ret = (struct yk_gang_policy){.timeout_ns = 0};
    while (!yk_str_empty(text) && yk_str_split(&text, ' ', &item)) {
        struct yk_str key, value, more, rest = item;
        if (yk_str_empty(item)) /* two spaces */
            continue;
        if (!yk_str_split(&rest, '=', &key) || !yk_str_split(&rest, '=', &value) ||
            yk_str_split(&rest, '=', &more)) {
            add_wrong(wrong, "there is", item, "which is not of the form key=value");
            continue;
        }
        if (yk_str_is(key, "placeholderTimeoutInSeconds"))
            take_timeout(value, ret, wrong);
        else if (yk_str_is(key, "gangSchedulingStyle"))
            take_style(value, ret, wrong);
    }
}
