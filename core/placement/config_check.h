/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that activating a queue configuration would check, without activating it.
 * Thread: any.
 * Source: docs/reference/queues.md 1.5.
 */
#ifndef YK_PLACEMENT_CONFIG_CHECK_H
#define YK_PLACEMENT_CONFIG_CHECK_H

#include "config/config.h"

/* Checks `text`. `*ret_config` is the checked tree, which the caller frees with yk_config_free(); it must not be
 * activated (yk_config_check()). Errors: YK_ERR_INVALID, YK_ERR_LIMIT: the first thing that is wrong. */
YK_NODISCARD enum yk_status yk_placement_config_check(struct yk_str text, struct yk_config **ret_config,
                                                      struct yk_err *err);

#endif
