/* SPDX-License-Identifier: Apache-2.0 */
/* Adds many asks that are equal but for their numbered keys, for resource managers that give a number of asks
 * instead of single asks (scheduling.md 1.8). */
#include "state/core.h"

#include <stdio.h>

enum { NUMBER_MAX = 8 }; /* bytes of "-99999" and the terminating NUL, rounded up to 8 */

enum yk_status yk_core_repeat_ask(struct yk_core *core, const char *rm_id, const struct yk_si_allocation *ask,
                                  size_t count, struct yk_err *err)
{
    char key[YK_SI_KEY_MAX + NUMBER_MAX];
    struct yk_si_allocation one = *ask;
    bool has_key = ask->key != NULL && ask->key[0] != '\0';
    if (!has_key || strlen(ask->key) + NUMBER_MAX > YK_SI_KEY_MAX)
        return yk_fail(err, YK_ERR_INVALID, "ask '%.64s...': its key is empty or too long to be numbered",
                       has_key ? ask->key : "");
    if (count > YK_SI_REPEAT_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "ask '%s': %zu times is more than %d", ask->key, count,
                       YK_SI_REPEAT_MAX);
    if (ask->node_id != NULL && ask->node_id[0] != '\0')
        return yk_fail(err, YK_ERR_INVALID, "ask '%s': what has a node is not repeated", ask->key);
    one.key = key;
    one.key_stays = false;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(key, sizeof(key), "%s-%zu", ask->key, i); /* its length was checked */
        enum yk_status st = yk_core_update_allocation(core, rm_id, &one);
        if (st != YK_OK)
            return yk_fail(err, st, "resource manager '%s' is not registered", rm_id != NULL ? rm_id : "");
    }
    return YK_OK;
}
