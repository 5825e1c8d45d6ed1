/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a queue configuration as its activation does, but does not activate it. What depends on the running
 * scheduler is not checked: whether the user group resolver can be used, and whether the partition "default"
 * would be removed.
 * Thread: any.
 * Source: docs/reference/queues.md 1.5.
 */
#ifndef YK_PLACEMENT_CONFIG_CHECK_H
#define YK_PLACEMENT_CONFIG_CHECK_H

#include "config/config.h"

/* Checks `text`, a queues.yaml. A text that is empty or absent, or has only blanks and comments, counts as
 * the built-in default. `*ret_config` is the checked tree, which the caller frees with yk_config_free(). The
 * caller must not activate it or read its amounts (yk_config_check()). Only one error is reported, the first
 * in the order of the checks in queues.md 1.5, which need not be the first in the text: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_placement_config_check(struct yk_str text, struct yk_config **ret_config,
                                                      struct yk_err *err);

#endif
