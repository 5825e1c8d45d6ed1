/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration that a scheduler would read: queues and settings, from a text or from the ConfigMaps of a
 * cluster.
 *
 * Owns:   copies of all texts.
 * Thread: any.
 */
#ifndef YK_CMD_EFFECTIVE_CONFIG_H
#define YK_CMD_EFFECTIVE_CONFIG_H

#include "cache/config_merge.h"
#include "config/config.h"

struct yk_effective_config {
    struct yk_arena arena;    /* memory of `settings` and `file` */
    struct yk_buf queues;     /* the text of the entry `file`; without ConfigMaps, the whole text */
    struct yk_pairs settings; /* the entries of the ConfigMaps whose keys do not end in ".yaml" */
    /* Key of the entry with the queues: "queues.yaml", or another one because of service.policyGroup. Absent
     * without ConfigMaps. */
    struct yk_str file;
    /* Line of the text where `queues` begins; 0: there is no entry `file`, or it is compressed, or `queues`
     * is not from a manifest. */
    uint32_t entry_line;
    bool from_config_maps; /* false: the text was a queues.yaml */
    bool has_queues;       /* with `from_config_maps`: there is an entry `file` */
    /* Entries that cannot be read, and entries that are ignored. A scheduler only writes them to its log. */
    struct yk_config_errors errors, warnings;
};

/*
 * Reads a queues.yaml, or a text with manifests of ConfigMaps. Of these, yunikorn-configs overrides
 * yunikorn-defaults; if neither is there, the text must have only one ConfigMap. The caller makes sure that
 * `text` has at most YK_CONFIG_BYTES_MAX + 1 bytes: queues that are longer are dropped without an error.
 * `*ret` needs no initialisation. The caller ends it with yk_effective_config_done(), also after an error.
 * The queues are not checked: see yk_source_check() (cmd/verdict.h). Errors: YK_ERR_INVALID, the text has
 * objects of Kubernetes but no ConfigMap, or several ConfigMaps but neither of the two, or one of the two
 * twice, or a ConfigMap is malformed; YK_ERR_LIMIT, there are too many ConfigMaps or lists within lists, or
 * binaryData is too large. A text that is not YAML is not an error here.
 */
YK_NODISCARD enum yk_status yk_effective_config_read(struct yk_str text, struct yk_effective_config *ret,
                                                     struct yk_err *err);
/* Sets `*ret` to the entries of two ConfigMaps; `configs` overrides `defaults`. Each may be NULL. All texts
 * are copied. `*ret` needs no initialisation. The caller ends it with yk_effective_config_done(). */
void yk_effective_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                               struct yk_effective_config *ret);
void yk_effective_config_done(struct yk_effective_config *config);

#endif
