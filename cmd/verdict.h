/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a configuration for `yunikorn validate` and other commands, and prints the result.
 *
 * Owns:   the texts, configurations, errors and warnings of the sources.
 * Thread: any, one at a time.
 */
#ifndef YK_CMD_VERDICT_H
#define YK_CMD_VERDICT_H

#include "cmd/effective_config.h"

/* A configuration and its check. The caller sets `name` and `effective`, zeroes the rest, and ends it with
 * yk_source_done(). */
struct yk_source {
    /* Name of the file or other origin, as printed before problems; borrowed. */
    const char *name;
    struct yk_effective_config effective; /* the text to be checked; owned */
    /* Owned; NULL: not checked, or not readable. Use it only if there are no errors. */
    struct yk_config *config;
    struct yk_config_errors errors, warnings; /* of the check, in the order in which they are printed */
};

/* A checked configuration, perhaps compared with another one. Zeroed first, and ended with
 * yk_verdict_done(). */
struct yk_config_verdict {
    struct yk_source source;
    bool compared;         /* the caller has set the next two fields */
    struct yk_buf changes; /* of yk_config_diff(): one line each */
    size_t change_count;   /* lines of `changes` */
};

/* Makes all checks that a scheduler makes before it activates `source->effective`: queues, placement rules,
 * settings. Sets `config`, and adds all errors and warnings, also those of `effective`. Call it once, and not
 * if yk_effective_config_read() has failed: the caller then adds that error to `errors`. */
void yk_source_check(struct yk_source *source);
/* Like yk_source_check(), but without warnings about missing or empty queues. */
void yk_source_check_content(struct yk_source *source);
/* Whether the source was checked, and there are no errors: `config` may be used. Warnings, and the result of
 * a comparison, do not matter. */
static inline bool yk_source_is_valid(const struct yk_source *source)
{
    return source->config != NULL && source->errors.count == 0;
}
void yk_source_done(struct yk_source *source);
void yk_verdict_done(struct yk_config_verdict *verdict);

/* Prints the verdict as text: each error and warning as a line on standard error. If the configuration is
 * valid, prints its checksum and, with `compared`, the changes to `out`. Call it after
 * yk_source_check() for the source, or when the caller has added an error to it. */
void yk_verdict_print_text(const struct yk_config_verdict *verdict, FILE *out);
/* Appends the verdict to `out` as one JSON object: errors, warnings, checksum and changes. */
void yk_verdict_put_json(const struct yk_config_verdict *verdict, struct yk_buf *out);

#endif
