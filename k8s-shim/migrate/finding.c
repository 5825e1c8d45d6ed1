/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/finding.h"

#include "migrate/check.h"

#include <stdio.h>

void yk_findings_done(struct yk_findings *findings)
{
    free(findings->items);
    free(findings->counts);
    yk_arena_done(&findings->arena);
    *findings = (struct yk_findings){0};
}

enum { CHARACTER_MAX = 4 }; /* bytes of a character in UTF-8 */

/* Copies the text as one line, without dividing a character if it has to be cut. */
static const char *keep_line(struct yk_findings *findings, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
    yk_buf_line(&line,
                (struct yk_str){text.p, YK_MIN(text.len, (size_t)YK_FINDING_TEXT_MAX + CHARACTER_MAX)});
    size_t len = YK_MIN(line.len, (size_t)YK_FINDING_TEXT_MAX);
    while (len < line.len && len > 0 && ((unsigned char)line.p[len] & 0xc0) == 0x80)
        len--;
    return yk_arena_str(&findings->arena, (struct yk_str){yk_buf_cstr(&line), len}).p;
}

YK_PRINTF(2, 0)
static const char *keep_format(struct yk_findings *findings, const char *format, va_list args)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_vprintf(&text, format, args);
    return keep_line(findings, yk_buf_view(&text));
}

static uint64_t count_one(struct yk_findings *findings, const struct yk_check *check)
{
    for (size_t i = 0; i < findings->check_count; i++) {
        if (findings->counts[i].check == check)
            return ++findings->counts[i].found;
    }
    findings->counts =
        yk_realloc_array(findings->counts, findings->check_count + 1, sizeof(*findings->counts));
    findings->counts[findings->check_count++] = (struct yk_count_of_check){check, 1};
    return 1;
}

static struct yk_finding *append(struct yk_findings *findings)
{
    if (findings->count == findings->capacity) {
        findings->capacity = YK_MAX(findings->capacity * 2, (size_t)16);
        findings->items = yk_realloc_array(findings->items, findings->capacity, sizeof(*findings->items));
    }
    struct yk_finding *finding = yk_arena_alloc0(&findings->arena, sizeof(*finding));
    findings->items[findings->count++] = finding;
    return finding;
}

struct yk_finding *yk_findings_add(struct yk_findings *findings, const struct yk_check *check,
                                   const struct yk_object_name *object, const char *format, ...)
{
    if (count_one(findings, check) > YK_FINDINGS_PER_CHECK_MAX)
        return NULL;
    struct yk_finding *finding = append(findings);
    va_list args;
    va_start(args, format);
    *finding = (struct yk_finding){
        .check = check,
        .kind = keep_line(findings, object->kind),
        .namespace_ = keep_line(findings, object->namespace_),
        .name = keep_line(findings, object->name),
        .sentence = keep_format(findings, format, args),
        .command = "",
        .values = "",
    };
    va_end(args);
    return finding;
}

void yk_finding_set_command(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
{
    if (finding == NULL)
        return;
    va_list args;
    va_start(args, format);
    finding->command = keep_format(findings, format, args);
    va_end(args);
}

void yk_finding_set_values(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
{
    if (finding == NULL)
        return;
    va_list args;
    va_start(args, format);
    finding->values = keep_format(findings, format, args);
    va_end(args);
}

static int compare(const void *left, const void *right)
{
    const struct yk_finding *a = *(const struct yk_finding *const *)left,
                            *b = *(const struct yk_finding *const *)right;
    int order = (int)b->check->severity - (int)a->check->severity;
    if (order == 0)
        order = a->check < b->check ? -1 : a->check > b->check;
    if (order == 0)
        order = strcmp(a->kind, b->kind);
    if (order == 0)
        order = strcmp(a->namespace_, b->namespace_);
    if (order == 0)
        order = strcmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->sentence, b->sentence);
}

void yk_findings_sort(struct yk_findings *findings)
{
    if (findings->count > 1)
        qsort(findings->items, findings->count, sizeof(*findings->items), compare);
}

uint64_t yk_findings_of(const struct yk_findings *findings, enum yk_severity severity)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < findings->check_count; i++)
        sum += findings->counts[i].check->severity == severity ? findings->counts[i].found : 0;
    return sum;
}

const char *yk_severity_word(enum yk_severity severity)
{
    static const char *const words[] = {
        [YK_SEVERITY_INFO] = "info", [YK_SEVERITY_WARNING] = "warning", [YK_SEVERITY_ERROR] = "error"};
    return words[severity];
}

static bool is_plain(struct yk_str text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@=,+";
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\0' || strchr(plain, text.p[i]) == NULL)
            return false;
    }
    return text.len > 0;
}

void yk_shell_word(struct yk_buf *out, struct yk_str text)
{
    if (is_plain(text)) {
        yk_buf_str(out, text);
        return;
    }
    yk_buf_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\'')
            yk_buf_text(out, "'\\''");
        else
            yk_buf_char(out, text.p[i]);
    }
    yk_buf_char(out, '\'');
}
