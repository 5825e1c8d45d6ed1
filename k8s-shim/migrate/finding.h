/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of `yunikorn migrate check`.
 *
 * Owns:   copies of all texts. Each text is one line of at most YK_FINDING_TEXT_MAX bytes: control characters
 *         are replaced, and a longer text is cut.
 * Thread: any.
 */
#ifndef YK_MIGRATE_FINDING_H
#define YK_MIGRATE_FINDING_H

#include "base/arena.h"

enum yk_severity {
    YK_SEVERITY_INFO,    /* worth knowing; nothing has to be done */
    YK_SEVERITY_WARNING, /* something behaves differently after the move */
    YK_SEVERITY_ERROR,   /* something stops working */
};

enum {
    YK_FINDINGS_PER_CHECK_MAX = 20, /* further findings of a check are only counted */
    YK_FINDING_TEXT_MAX = 1024,     /* bytes of one text */
};

struct yk_check; /* migrate/check.h */

/* Names an object of the cluster, or, with the kind "Values" and no names, the values of the chart. */
struct yk_object_name {
    struct yk_str kind, namespace_, name; /* "" or a NULL text: there is none */
};

/* A finding. Its texts are in the arena of the findings. */
struct yk_finding {
    const struct yk_check *check;         /* static */
    const char *kind, *namespace_, *name; /* of the object; "" if there is none */
    const char *sentence;                 /* what was found */
    const char *command;                  /* a shell command that mends the object; "" if there is none */
    /* Arguments of `helm upgrade` that mend the object, such as "--set a=b"; "" if there are none. */
    const char *values;
};

/* All findings. A zeroed struct has no findings. */
struct yk_findings {
    struct yk_arena arena;     /* holds the findings and their texts */
    struct yk_finding **items; /* owned; in the order in which they were added, or sorted */
    size_t count, capacity;    /* of `items` */
    struct yk_count_of_check {
        const struct yk_check *check;
        /* Number of findings. It includes those beyond YK_FINDINGS_PER_CHECK_MAX, which are not in
         * `items`. */
        uint64_t found;
        /* Owned; one entry for each check with findings, in the order of their first findings. */
    } * counts;
    size_t check_count; /* entries of `counts` */
};

void yk_findings_done(struct yk_findings *findings);
/* Adds a finding of `check` about `object`, with the formatted sentence. All texts are copied; `check` is
 * borrowed until yk_findings_done(). The result has no command and no values; it is borrowed from `findings`
 * until yk_findings_done(). NULL: there were already YK_FINDINGS_PER_CHECK_MAX findings of the check, so the
 * new one was only counted. */
struct yk_finding *yk_findings_add(struct yk_findings *findings, const struct yk_check *check,
                                   const struct yk_object_name *object, const char *format, ...)
    YK_PRINTF(4, 5);
/* Sets the shell command of `finding`; the formatted text is copied. The function has no effect if `finding`
 * is NULL. Quote arguments that come from the cluster with yk_shell_word(). */
void yk_finding_set_command(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
    YK_PRINTF(3, 4);
/* Sets the arguments of `helm upgrade` of `finding`, such as "--set a=b"; the formatted text is copied. The
 * function has no effect if `finding` is NULL. Quote arguments that come from the cluster with
 * yk_shell_word(). */
void yk_finding_set_values(struct yk_findings *findings, struct yk_finding *finding, const char *format, ...)
    YK_PRINTF(3, 4);
/* Sorts `items` by severity, errors first, then by the position of the check in `yk_checks`, then by kind,
 * namespace, name and sentence. */
void yk_findings_sort(struct yk_findings *findings);
/* The number of findings of a severity, including those that were only counted and are not in `items`. */
uint64_t yk_findings_of(const struct yk_findings *findings, enum yk_severity severity);
/* "info", "warning" or "error"; static. */
const char *yk_severity_word(enum yk_severity severity);

/* Appends `text` as one word of a POSIX shell, in single quotes if it is empty or has special characters. */
void yk_shell_word(struct yk_buf *out, struct yk_str text);

#endif
