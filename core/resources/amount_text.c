/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/amount_text.h"

#include <math.h>

struct unit {
    double size; /* in base units */
    const char *one, *many;
};

static bool is_bytes(int type)
{
    const char *name = yk_restype_name(type);
    return type == YK_RESTYPE_MEMORY || type == YK_RESTYPE_EPHEMERAL_STORAGE ||
           strncmp(name, "hugepages-", strlen("hugepages-")) == 0;
}

static struct unit unit_of_bytes(int64_t amount)
{
    static const struct {
        double least;
        struct unit unit;
    } units[] = {
        {1152921504606846976.0, {1152921504606846976.0, "Ei", "Ei"}},
        {10 * 1125899906842624.0, {1125899906842624.0, "Pi", "Pi"}},
        {10 * 1099511627776.0, {1099511627776.0, "Ti", "Ti"}},
        {1073741824.0, {1073741824.0, "Gi", "Gi"}},
        {1048576.0, {1048576.0, "Mi", "Mi"}},
        {1024.0, {1024.0, "Ki", "Ki"}},
    };
    for (size_t i = 0; i < YK_COUNT(units); i++) {
        if (fabs((double)amount) >= units[i].least)
            return units[i].unit;
    }
    return (struct unit){1, "byte", "bytes"};
}

static struct unit unit_of(int type, int64_t amount)
{
    if (type == YK_RESTYPE_VCORE)
        return (struct unit){1000, "core", "cores"};
    if (type == YK_RESTYPE_PODS)
        return (struct unit){1, "pod", "pods"};
    if (is_bytes(type))
        return unit_of_bytes(amount);
    return (struct unit){1, yk_restype_name(type), yk_restype_name(type)};
}

/* Appends the number with at most three digits behind the point, without zeros at its end. */
static void add_number(struct yk_buf *text, double number)
{
    char digits[64];
    (void)snprintf(digits, sizeof(digits), "%.3f", number); /* an int64_t always fits */
    size_t len = strlen(digits);
    while (digits[len - 1] == '0')
        len--;
    if (digits[len - 1] == '.')
        len--;
    yk_buf_str(text, (struct yk_str){digits, len});
}

static void add_unit(struct yk_buf *text, int type, const struct unit *unit, bool is_one)
{
    yk_buf_printf(text, " %s", is_one ? unit->one : unit->many);
    if (is_bytes(type) && type != YK_RESTYPE_MEMORY)
        yk_buf_printf(text, " of %s", yk_restype_name(type));
}

void yk_amount_text(struct yk_buf *text, int type, int64_t amount)
{
    struct unit unit = unit_of(type, amount);
    add_number(text, (double)amount / unit.size);
    add_unit(text, type, &unit, (double)amount == unit.size);
}

void yk_amount_text_of(struct yk_buf *text, int type, int64_t part, int64_t whole)
{
    struct unit unit = unit_of(type, whole);
    add_number(text, (double)part / unit.size);
    yk_buf_text(text, " of ");
    add_number(text, (double)whole / unit.size);
    add_unit(text, type, &unit, (double)whole == unit.size);
}

static int next_shown(const struct yk_resvec *amounts, const struct yk_resvec *only, int type)
{
    for (type = yk_resvec_next(amounts, type); type < YK_RESTYPE_MAX;
         type = yk_resvec_next(amounts, type + 1)) {
        bool is_asked = only != NULL ? yk_resvec_has(only, type) : type != YK_RESTYPE_PODS;
        if (is_asked && yk_resvec_get(amounts, type) > 0)
            break;
    }
    return type;
}

void yk_amounts_text(struct yk_buf *text, const struct yk_resvec *amounts, const struct yk_resvec *only)
{
    int type = next_shown(amounts, only, 0);
    bool is_first = true;
    if (type >= YK_RESTYPE_MAX)
        yk_buf_text(text, "nothing");
    while (type < YK_RESTYPE_MAX) {
        int next = next_shown(amounts, only, type + 1);
        if (!is_first)
            yk_buf_text(text, next < YK_RESTYPE_MAX ? ", " : " and ");
        yk_amount_text(text, type, yk_resvec_get(amounts, type));
        is_first = false;
        type = next;
    }
}
