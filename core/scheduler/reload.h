/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration that is being applied: its text, the configuration that it is compared with, and the
 * result. si.h describes the steps; this struct carries the data from one to the next.
 *
 * Thread: yk_reload_new() scheduling thread, yk_reload_prepare() and yk_reload_free() any, one at a time.
 * Source: docs/reference/queues.md, C5, C6, C17, R9.
 */
#ifndef YK_SCHEDULER_RELOAD_H
#define YK_SCHEDULER_RELOAD_H

#include "partition/apply_config.h"
#include "report/config_history.h"
#include "si.h"

struct yk_reload {
    char *rm_id;
    bool keeps_default; /* see struct yk_si_register */
    char *refusal;      /* the same; NULL: none */
    struct yk_buf text;
    struct yk_tags extra;                 /* settings beside the queues: in force with them or not at all */
    const struct yk_directory *directory; /* borrowed; may be NULL */
    struct yk_config *active;             /* held: what it is compared with; NULL: nothing */
    bool is_prepared;
    enum yk_status status; /* of the preparation */
    struct yk_err err;
    bool is_same;                       /* the text is the active one */
    struct yk_config_entry entry;       /* for the history, if it is not the same */
    struct yk_config *config;           /* owned; NULL when refused, the same, or taken */
    struct yk_activation **activations; /* one for each partition of `config` */
    uint32_t activation_count;
};

/* Copies the request, and adds a reference to `active` (NULL: there is none). `directory` is borrowed until
 * the end, and may be NULL. The caller frees the result with yk_reload_free(). */
struct yk_reload *yk_reload_new(const struct yk_si_register *request, struct yk_config *active,
                                const struct yk_directory *directory);
/* Drops what was prepared, because it was compared with another configuration than `active`, to which a
 * reference is added. Call yk_reload_prepare() again afterwards. */
void yk_reload_restart(struct yk_reload *reload, struct yk_config *active);

#endif
