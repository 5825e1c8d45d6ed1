/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration on its way: the text, what it is compared with, and what comes of it. si.h says in which
 * steps; this is what they share.
 *
 * Thread: yk_reload_new() scheduling thread, yk_reload_prepare() and yk_reload_free() any, one at a time.
 * Source: docs/reference/queues.md, C5, C6, C17, R9.
 */
#ifndef YK_SCHEDULER_RELOAD_H
#define YK_SCHEDULER_RELOAD_H

#include "partition/apply_config.h"
#include "si.h"

struct yk_reload {
    char *rm_id;
    struct yk_buf text;
    struct yk_tags extra;                 /* settings beside the queues: in force with them or not at all */
    const struct yk_directory *directory; /* borrowed; may be NULL */
    struct yk_config *active;             /* held: what it is compared with; NULL: nothing */
    bool is_prepared;
    enum yk_status status; /* of the preparation */
    struct yk_err err;
    bool is_same;                       /* the text is the active one */
    struct yk_config *config;           /* owned; NULL when refused, the same, or taken */
    struct yk_activation **activations; /* one for each partition of `config` */
    uint32_t activation_count;
};

/* Copies the request; one hold of `active` is taken. */
struct yk_reload *yk_reload_new(const struct yk_si_register *request, struct yk_config *active,
                                const struct yk_directory *directory);
/* Forgets what was prepared: it was compared with something else than `active`. */
void yk_reload_restart(struct yk_reload *reload, struct yk_config *active);

#endif
