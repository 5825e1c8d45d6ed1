/* SPDX-License-Identifier: Apache-2.0 */
#include "selectors/requirement.h"

enum { NAME_MAX_LEN = 63, PREFIX_MAX_LEN = 253 };

static bool alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool lower_alphanumeric(char c)
{
    return alphanumeric(c) && !(c >= 'A' && c <= 'Z');
}

static bool name_valid(struct yk_str text)
{
    if (text.len == 0 || text.len > NAME_MAX_LEN || !alphanumeric(text.p[0]) ||
        !alphanumeric(text.p[text.len - 1]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (!alphanumeric(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return true;
}

bool yk_label_value_valid(struct yk_str text)
{
    return text.len == 0 || name_valid(text);
}

static bool dns_part_valid(struct yk_str text)
{
    if (text.len == 0 || !lower_alphanumeric(text.p[0]) || !lower_alphanumeric(text.p[text.len - 1]))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!lower_alphanumeric(text.p[i]) && text.p[i] != '-')
            return false;
    }
    return true;
}

bool yk_dns_subdomain_valid(struct yk_str text)
{
    if (text.len == 0 || text.len > PREFIX_MAX_LEN)
        return false;
    struct yk_str part;
    while (yk_str_split(&text, '.', &part)) {
        if (!dns_part_valid(part))
            return false;
    }
    return true;
}

bool yk_dns_label_valid(struct yk_str text)
{
    return text.len <= NAME_MAX_LEN && dns_part_valid(text);
}

bool yk_qualified_name_valid(struct yk_str text)
{
    const char *slash = text.len > 0 ? memchr(text.p, '/', text.len) : NULL;
    if (slash == NULL)
        return name_valid(text);
    size_t prefix = (size_t)(slash - text.p);
    return yk_dns_subdomain_valid((struct yk_str){text.p, prefix}) &&
           name_valid((struct yk_str){slash + 1, text.len - prefix - 1});
}

static enum yk_operator operator_of(struct yk_str text)
{
    static const struct {
        const char *name;
        enum yk_operator operator_;
    } all[] = {
        {"In", YK_OPERATOR_IN},         {"NotIn", YK_OPERATOR_NOT_IN},
        {"Exists", YK_OPERATOR_EXISTS}, {"DoesNotExist", YK_OPERATOR_DOES_NOT_EXIST},
        {"Gt", YK_OPERATOR_GT},         {"Lt", YK_OPERATOR_LT},
    };
    for (size_t i = 0; i < YK_COUNT(all); i++) {
        if (yk_str_is(text, all[i].name))
            return all[i].operator_;
    }
    return YK_OPERATOR_NEVER;
}

static bool values_fit_operator(enum yk_operator operator_, const struct yk_requirement *from,
                                int64_t *ret_number)
{
    switch (operator_) {
    case YK_OPERATOR_IN:
    case YK_OPERATOR_NOT_IN:
        return from->value_count > 0;
    case YK_OPERATOR_EXISTS:
    case YK_OPERATOR_DOES_NOT_EXIST:
        return from->value_count == 0;
    case YK_OPERATOR_GT:
    case YK_OPERATOR_LT:
        return from->value_count == 1 && yk_str_to_i64(from->values[0], ret_number) == YK_OK;
    case YK_OPERATOR_NEVER:
        break;
    }
    return false;
}

static void take_values(struct yk_compiled_requirement *ret, const struct yk_requirement *from)
{
    if (from->value_count == 0)
        return;
    ret->values = yk_new0_array(yk_name, from->value_count);
    for (uint32_t i = 0; i < from->value_count; i++)
        ret->values[i] = yk_name_get(from->values[i]);
    ret->value_count = from->value_count;
}

void yk_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from)
{
    *ret = (struct yk_compiled_requirement){.operator_ = operator_of(from->operator_)};
    bool valid =
        yk_qualified_name_valid(from->key) && values_fit_operator(ret->operator_, from, &ret->number);
    for (uint32_t i = 0; valid && i < from->value_count; i++)
        valid = yk_label_value_valid(from->values[i]);
    if (!valid) {
        ret->operator_ = YK_OPERATOR_NEVER;
        return;
    }
    ret->key = yk_name_get(from->key);
    take_values(ret, from);
}

void yk_field_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from)
{
    *ret = (struct yk_compiled_requirement){.operator_ = operator_of(from->operator_)};
    bool is_list = ret->operator_ == YK_OPERATOR_IN || ret->operator_ == YK_OPERATOR_NOT_IN;
    if (!is_list || from->value_count != 1) {
        ret->operator_ = YK_OPERATOR_NEVER;
        return;
    }
    ret->key = yk_name_get(from->key);
    take_values(ret, from);
}

void yk_requirement_done(struct yk_compiled_requirement *requirement)
{
    yk_name_put(requirement->key);
    for (uint32_t i = 0; i < requirement->value_count; i++)
        yk_name_put(requirement->values[i]);
    free(requirement->values);
    *requirement = (struct yk_compiled_requirement){.operator_ = YK_OPERATOR_NEVER};
}

static bool listed(const struct yk_compiled_requirement *requirement, yk_name value)
{
    for (uint32_t i = 0; i < requirement->value_count; i++) {
        if (yk_name_eq(requirement->values[i], value))
            return true;
    }
    return false;
}

static bool above(yk_name value, int64_t number, int sign)
{
    int64_t have;
    if (value.id == 0 || yk_str_to_i64(yk_str_from(yk_name_text(value)), &have) != YK_OK)
        return false;
    return sign > 0 ? have > number : have < number;
}

bool yk_requirement_matches(const struct yk_compiled_requirement *requirement, yk_name value)
{
    bool present = value.id != 0;
    switch (requirement->operator_) {
    case YK_OPERATOR_IN:
        return present && listed(requirement, value);
    case YK_OPERATOR_NOT_IN:
        return !present || !listed(requirement, value);
    case YK_OPERATOR_EXISTS:
        return present;
    case YK_OPERATOR_DOES_NOT_EXIST:
        return !present;
    case YK_OPERATOR_GT:
        return above(value, requirement->number, 1);
    case YK_OPERATOR_LT:
        return above(value, requirement->number, -1);
    case YK_OPERATOR_NEVER:
        break;
    }
    return false;
}
