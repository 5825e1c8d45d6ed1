/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_quantity.h"

#include "si.h"

#include <inttypes.h>
#include <time.h>

static bool is_bytes(const char *resource)
{
    return strcmp(resource, "memory") == 0 || strstr(resource, "storage") != NULL ||
           strncmp(resource, "hugepages-", 10) == 0;
}

/* At most three digits behind the point, without zeros at its end, as in the messages of the scheduler. */
static void put_number(struct yk_buf *out, double number)
{
    char text[32];
    (void)snprintf(text, sizeof(text), "%.3f", number); /* an int64_t fits */
    size_t len = strlen(text);
    while (text[len - 1] == '0')
        len--;
    len -= text[len - 1] == '.';
    yk_buf_add(out, text, len);
}

static void put_bytes(struct yk_buf *out, uint64_t bytes)
{
    static const char units[] = "KMGTPE";
    double size = (double)bytes;
    size_t at = 0;
    /* An amount that would be rounded to 1024 of a unit is 1 of the next one. */
    while (at + 1 < sizeof(units) && size >= 1024 - 0.0005) {
        size /= 1024;
        at++;
    }
    put_number(out, size);
    if (at > 0)
        yk_buf_printf(out, "%ci", units[at - 1]);
}

void yk_quantity_put(struct yk_buf *out, const char *resource, int64_t amount)
{
    uint64_t size = amount < 0 ? (uint64_t)0 - (uint64_t)amount : (uint64_t)amount;
    if (amount < 0)
        yk_buf_char(out, '-');
    if (strcmp(resource, "vcore") == 0)
        put_number(out, (double)size / 1000);
    else if (is_bytes(resource))
        put_bytes(out, size);
    else
        yk_buf_printf(out, "%" PRIu64, size);
}

const char *yk_resource_word(const char *resource)
{
    return strcmp(resource, "vcore") == 0 ? "cpu" : resource;
}

struct style {
    bool with_zeros, is_request;
};

static void put_entry(struct yk_buf *out, const char *key, const json_t *value, struct style style)
{
    int64_t amount = json_integer_value(value);
    if (!json_is_integer(value) || (amount == 0 && !style.with_zeros))
        return;
    if (out->len > 0)
        yk_buf_text(out, ", ");
    yk_buf_printf(out, "%s ", yk_resource_word(key));
    yk_quantity_put(out, key, amount);
    if (style.is_request && amount >= YK_SI_AMOUNT_MAX)
        yk_buf_text(out, " or more");
}

static void put_entries(struct yk_buf *out, const json_t *map, struct style style)
{
    static const char *const first[] = {"vcore", "memory"};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const char *key;
    const json_t *value;
    for (size_t i = 0; i < YK_COUNT(first); i++) {
        if ((value = json_object_get(map, first[i])) != NULL)
            put_entry(&text, first[i], value, style);
    }
    void *at = json_object_iter((json_t *)(uintptr_t)map);
    for (; at != NULL; at = json_object_iter_next((json_t *)(uintptr_t)map, at)) {
        key = json_object_iter_key(at);
        if (strcmp(key, first[0]) != 0 && strcmp(key, first[1]) != 0)
            put_entry(&text, key, json_object_iter_value(at), style);
    }
    yk_buf_str(out, yk_buf_view(&text));
}

void yk_quantities_put(struct yk_buf *out, const json_t *map, bool with_zeros)
{
    put_entries(out, map, (struct style){.with_zeros = with_zeros, .is_request = false});
}

void yk_request_put(struct yk_buf *out, const json_t *map, bool with_zeros)
{
    put_entries(out, map, (struct style){.with_zeros = with_zeros, .is_request = true});
}

void yk_age_put(struct yk_buf *out, int64_t age_ns)
{
    int64_t s = YK_MAX(age_ns, 0) / YK_NS_PER_S, m = s / 60, h = m / 60, d = h / 24;
    if (s < 120)
        yk_buf_printf(out, "%" PRId64 "s", s);
    else if (m < 10 && s % 60 > 0)
        yk_buf_printf(out, "%" PRId64 "m%" PRId64 "s", m, s % 60);
    else if (h < 3)
        yk_buf_printf(out, "%" PRId64 "m", m);
    else if (h < 8 && m % 60 > 0)
        yk_buf_printf(out, "%" PRId64 "h%" PRId64 "m", h, m % 60);
    else if (d < 2)
        yk_buf_printf(out, "%" PRId64 "h", h);
    else if (d < 8 && h % 24 > 0)
        yk_buf_printf(out, "%" PRId64 "d%" PRId64 "h", d, h % 24);
    else
        yk_buf_printf(out, "%" PRId64 "d", d);
}

void yk_time_put(struct yk_buf *out, int64_t wall_ns)
{
    char text[32];
    struct tm parts;
    time_t seconds = (time_t)(wall_ns / YK_NS_PER_S);
    if (wall_ns > 0 && gmtime_r(&seconds, &parts) != NULL &&
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) > 0)
        yk_buf_text(out, text);
}
