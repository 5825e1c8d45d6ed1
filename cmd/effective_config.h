/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration that a scheduler would read: the queues and the settings beside them, from a text or from
 * the ConfigMaps of a cluster.
 *
 * Owns:   copies of all texts.
 * Thread: any one.
 */
#ifndef YK_CMD_EFFECTIVE_CONFIG_H
#define YK_CMD_EFFECTIVE_CONFIG_H

#include "cache/config_merge.h"
#include "config/config.h"

struct yk_effective_config {
    struct yk_arena arena;
    struct yk_buf queues;     /* the text of queues.yaml, or of the policy group's file */
    struct yk_pairs settings; /* all other entries */
    struct yk_str file;       /* "queues.yaml"; of ConfigMaps only */
    uint32_t entry_line;      /* of `queues` in the text it came in; 0: not part of another text */
    bool from_config_maps;
    bool has_queues; /* of ConfigMaps: there is an entry `file` */
    /* What a scheduler only writes to its log: entries it cannot read, entries it leaves out. */
    struct yk_config_errors errors, warnings;
};

/*
 * From a queue configuration, or from a text with ConfigMaps: those called yunikorn-defaults and
 * yunikorn-configs, laid over each other, else the only one. The caller ends `*ret` with
 * yk_effective_config_done(), also after an error. Errors: YK_ERR_INVALID, the text has objects but not
 * these; YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_effective_config_read(struct yk_str text, struct yk_effective_config *ret,
                                                     struct yk_err *err);
/* Fills `*ret` from two ConfigMaps, each of which may be NULL and is borrowed for the call. The caller ends
 * `*ret` with yk_effective_config_done(). */
void yk_effective_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                               struct yk_effective_config *ret);
void yk_effective_config_done(struct yk_effective_config *config);

#endif
