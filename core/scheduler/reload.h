/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration that is being applied: its text, the active configuration that it is compared with, and the
 * result. si.h describes the steps, and declares yk_reload_prepare() and yk_reload_free(); this struct has
 * the data that one step hands to the next.
 *
 * Thread: yk_reload_new() and yk_reload_restart(): scheduling thread. yk_reload_prepare() and
 *         yk_reload_free(): any, one at a time.
 * Source: docs/reference/queues.md, C5, C6, C17, R9.
 */
#ifndef YK_SCHEDULER_RELOAD_H
#define YK_SCHEDULER_RELOAD_H

#include "partition/apply_config.h"
#include "report/config_history.h"
#include "si.h"

/* Written by: scheduler. */
struct yk_reload {
    char *rm_id;        /* owned */
    bool keeps_default; /* see struct yk_si_register */
    char *refusal;      /* owned; see struct yk_si_register; NULL: none */
    struct yk_buf text; /* of the configuration */
    /* Other settings, applied together with the queues, or not at all. */
    struct yk_tags extra;
    const struct yk_directory *directory; /* borrowed; NULL: none */
    /* with a reference: the text is compared with it; NULL: there is none */
    struct yk_config *active;
    bool is_prepared;      /* the fields below are set */
    enum yk_status status; /* of the preparation; YK_OK: it may be committed */
    struct yk_err err;     /* the error, unless `status` is YK_OK */
    /* The text is that of the active configuration, so there is nothing to commit. */
    bool is_same;
    struct yk_config_entry entry;       /* for the history, unless `is_same` */
    struct yk_config *config;           /* owned; NULL: the text was not loaded, or was committed */
    struct yk_activation **activations; /* owned; one for each partition of `config`; NULL: not prepared */
    uint32_t activation_count;
};

/* Makes a reload with a copy of the request, whose `rm_id` is not NULL, and a reference to `active` (NULL:
 * there is none). `directory` (may be NULL) is borrowed until the reload is freed. Nothing is checked: the
 * caller then calls yk_reload_prepare(). Outside of core.c, call yk_core_reload_begin(). The caller frees the
 * result with yk_reload_free(). */
struct yk_reload *yk_reload_new(const struct yk_si_register *request, struct yk_config *active,
                                const struct yk_directory *directory);
/* Drops what was prepared, because `active` (NULL: none) has become the active configuration meanwhile, and
 * holds a reference to `active` in place of the former one. Call yk_reload_prepare() again afterwards. */
void yk_reload_restart(struct yk_reload *reload, struct yk_config *active);

#endif
