/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `yunikorn validate` finds out about a configuration, and how it is printed.
 *
 * Owns:   texts, trees and sentences of the sources.
 * Thread: the command's only one.
 */
#ifndef YK_CMD_VERDICT_H
#define YK_CMD_VERDICT_H

#include "cmd/effective_config.h"

struct yk_source { /* a configuration and where it is from */
    const char *name;
    struct yk_effective_config effective;
    struct yk_config *config;                 /* NULL: not YAML; to be used only if there are no errors */
    struct yk_config_errors errors, warnings; /* in the order in which they are printed */
};

struct yk_config_verdict {
    struct yk_source source;
    bool compared;
    struct yk_buf changes; /* a line each */
    size_t change_count;
};

/* Checks all that a scheduler checks before it activates `source->effective`, and reports all errors. */
void yk_source_check(struct yk_source *source);
/* Like yk_source_check(), but it is fine that there are no queues. */
void yk_source_check_content(struct yk_source *source);
/* Whether yk_source_check() has found a configuration and no errors. */
static inline bool yk_source_is_valid(const struct yk_source *source)
{
    return source->config != NULL && source->errors.count == 0;
}
void yk_source_done(struct yk_source *source);
void yk_verdict_done(struct yk_config_verdict *verdict);

/* Prints the verdict as text: problems to standard error, a line each; the result to standard output. */
void yk_verdict_print_text(const struct yk_config_verdict *verdict);
/* Appends the verdict to `out` as one JSON object, without the sources' texts. */
void yk_verdict_put_json(const struct yk_config_verdict *verdict, struct yk_buf *out);

#endif
