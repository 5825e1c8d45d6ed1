/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/selector.h"

struct requirement {
    struct yk_str key, value;
    bool equal;
};

/* Parses "key=value", "key==value" or "key!=value". False: the text has another form. */
static bool parse_requirement(struct yk_str text, struct requirement *ret)
{
    const char *sign = text.len > 0 ? memchr(text.p, '=', text.len) : NULL;
    if (sign == NULL || sign == text.p)
        return false;
    size_t at = (size_t)(sign - text.p);
    ret->equal = text.p[at - 1] != '!';
    ret->key = yk_str_trim((struct yk_str){text.p, ret->equal ? at : at - 1});
    if (at + 1 < text.len && text.p[at + 1] == '=')
        at++;
    ret->value = yk_str_trim((struct yk_str){text.p + at + 1, text.len - at - 1});
    return ret->key.len > 0;
}

static const struct yk_pod *as_pod(const struct yk_object *object)
{
    return object->kind == YK_KIND_POD ? (const struct yk_pod *)(const void *)object : NULL;
}

/* Sets `*ret` to the field `key` of the object. False: objects of this kind have no such field. */
static bool field_of(const struct yk_object *object, struct yk_str key, struct yk_str *ret)
{
    const struct yk_pod *pod = as_pod(object);
    if (yk_str_is(key, "metadata.name"))
        *ret = object->name;
    else if (yk_str_is(key, "metadata.namespace"))
        *ret = object->namespace_;
    else if (pod != NULL && yk_str_is(key, "spec.nodeName"))
        *ret = pod->node_name;
    else if (pod != NULL && yk_str_is(key, "spec.schedulerName"))
        *ret = pod->scheduler_name;
    else if (pod != NULL && yk_str_is(key, "status.phase"))
        *ret = pod->phase;
    else
        return false;
    return true;
}

static enum yk_status check_fields(const struct yk_watch_spec *spec, struct yk_err *err)
{
    struct yk_pod any = {.object = {.kind = spec->kind}};
    struct yk_str rest = yk_str_from(spec->field_selector), part, value;
    while (rest.p != NULL && yk_str_split(&rest, ',', &part)) {
        struct requirement requirement;
        if (!parse_requirement(part, &requirement) || !field_of(&any.object, requirement.key, &value))
            return yk_fail(err, YK_ERR_INVALID, "field selector of %s: '" YK_STR_FMT "' is not understood",
                           yk_kind_name(spec->kind), YK_STR_ARG(part));
    }
    return YK_OK;
}

enum yk_status yk_sim_selector_check(const struct yk_watch_spec *spec, struct yk_err *err)
{
    struct yk_str rest = yk_str_from(spec->label_selector), part;
    while (rest.p != NULL && yk_str_split(&rest, ',', &part)) {
        struct requirement requirement;
        if (!parse_requirement(part, &requirement))
            return yk_fail(err, YK_ERR_INVALID, "label selector of %s: '" YK_STR_FMT "' is not understood",
                           yk_kind_name(spec->kind), YK_STR_ARG(part));
    }
    return check_fields(spec, err);
}

static bool labels_match(const char *selector, const struct yk_object *object)
{
    struct yk_str rest = yk_str_from(selector), part;
    while (rest.p != NULL && yk_str_split(&rest, ',', &part)) {
        struct requirement want;
        if (!parse_requirement(part, &want))
            return false;
        bool found = false, same = false;
        for (uint32_t i = 0; i < object->labels.count && !found; i++) {
            found = yk_str_eq(object->labels.items[i].key, want.key);
            same = found && yk_str_eq(object->labels.items[i].value, want.value);
        }
        if (same != want.equal)
            return false;
    }
    return true;
}

static bool fields_match(const char *selector, const struct yk_object *object)
{
    struct yk_str rest = yk_str_from(selector), part, value;
    while (rest.p != NULL && yk_str_split(&rest, ',', &part)) {
        struct requirement want;
        if (!parse_requirement(part, &want) || !field_of(object, want.key, &value) ||
            yk_str_eq(value, want.value) != want.equal)
            return false;
    }
    return true;
}

bool yk_sim_selector_matches(const struct yk_watch_spec *spec, const struct yk_object *object)
{
    if (spec->namespace_ != NULL && !yk_str_is(object->namespace_, spec->namespace_))
        return false;
    return labels_match(spec->label_selector, object) && fields_match(spec->field_selector, object);
}
