/* SPDX-License-Identifier: Apache-2.0 */
#include "placement/config_check.h"

#include "placement/placement.h"

static enum yk_status check_rules(const struct yk_config *config, struct yk_err *err)
{
    for (uint32_t i = 0; i < config->partition_count; i++) {
        YK_CLEANUP(yk_placement_freep) struct yk_placement *placement = NULL;
        enum yk_status st = yk_placement_new(&config->partitions[i], &placement, err);
        if (st != YK_OK)
            return yk_fail_in(err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(config->partitions[i].name));
    }
    return YK_OK;
}

enum yk_status yk_placement_config_check(struct yk_str text, struct yk_config **ret_config,
                                         struct yk_err *err)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    enum yk_status st = yk_config_check(text, &config, err);
    if (st == YK_OK)
        st = yk_config_check_activation(config, err);
    if (st == YK_OK)
        st = check_rules(config, err);
    if (st == YK_OK)
        *ret_config = yk_move(config);
    return st;
}
