/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `yunikorn migrate check` has found.
 *
 * Owns:   copies of all texts. Texts from outside become part of one line each, and are cut.
 * Thread: one at a time.
 */
#ifndef YK_MIGRATE_FINDING_H
#define YK_MIGRATE_FINDING_H

#include "base/arena.h"

enum yk_severity {
    YK_SEVERITY_INFO,    /* worth knowing */
    YK_SEVERITY_WARNING, /* means something else than before */
    YK_SEVERITY_ERROR,   /* stops working */
};

enum {
    YK_FINDINGS_PER_CHECK_MAX = 20, /* further ones are only counted */
    YK_FINDING_TEXT_MAX = 1024,     /* bytes of one text */
};

struct yk_check; /* migrate/check.h */

/* An object of the cluster; kind "Values" without names: the values of the chart. */
struct yk_object_name {
    struct yk_str kind, namespace_, name; /* "" or absent: none */
};

struct yk_finding {
    const struct yk_check *check; /* static */
    const char *kind, *namespace_, *name;
    const char *sentence;
    const char *command; /* for a shell; "" if there is none */
    const char *values;  /* arguments of `helm upgrade`: "--set a=b --set c=d"; "" if there are none */
};

struct yk_findings {
    struct yk_arena arena;
    struct yk_finding **items; /* owned, in the order of their arrival */
    size_t count, capacity;
    struct yk_count_of_check {
        const struct yk_check *check;
        uint64_t found; /* also those that were only counted */
    } * counts;         /* owned, in the order of the first finding */
    size_t check_count;
};

void yk_findings_done(struct yk_findings *findings);
/* Adds a finding about `object`. The result is borrowed; NULL: there are too many of this check, it was only
 * counted. */
struct yk_finding *yk_findings_add(struct yk_findings *findings, const struct yk_check *check,
                                   const struct yk_object_name *object, const char *format, ...)
    YK_PRINTF(4, 5);
/* Sets the shell command that mends the finding. `finding` NULL: without effect. Names from outside must have
 * gone through yk_shell_word(). */
void yk_finding_set_command(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
    YK_PRINTF(3, 4);
/* Sets the values of the chart that mend the finding, as YAML. The formatted text is kept by `findings`.
 * `finding` NULL: without effect. */
void yk_finding_set_values(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
    YK_PRINTF(3, 4);
/* Orders by severity, the worst first, then by check (the order of the table), kind, namespace and name. */
void yk_findings_sort(struct yk_findings *findings);
/* The number of findings of a severity, including those that were only counted. */
uint64_t yk_findings_of(const struct yk_findings *findings, enum yk_severity severity);
/* "info", "warning" or "error"; static. */
const char *yk_severity_word(enum yk_severity severity);

/* Appends `text` as one word of a shell, in quotes if it needs them. */
void yk_shell_word(struct yk_buf *out, struct yk_str text);

#endif
