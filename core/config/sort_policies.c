/* SPDX-License-Identifier: Apache-2.0 */
#include "config/sort_policies.h"

#define FIRST(symbol, name, ...) " '" #name "'"
#define NEXT(symbol, name, ...)  ", '" #name "'"
#define NOR(symbol, name, ...)   " nor '" #name "'"
const char yk_node_sorts_neither[] = "neither" YK_NODE_SORTS(FIRST, NEXT, NOR);
#undef FIRST
#define FIRST(symbol, name, ...) "'" #name "'"
#define OR(symbol, name, ...)    " or '" #name "'"
const char yk_app_sorts_either[] = YK_APP_SORTS(FIRST, NEXT, OR);

#define NODE_ROW(symbol, name) [YK_NODE_SORT_##symbol] = #name,
static const char *const node_sorts[] = {YK_NODE_SORTS(NODE_ROW, NODE_ROW, NODE_ROW)};

#define APP_ROW(symbol, name, by_share, takes_gangs) [YK_APP_SORT_##symbol] = {#name, by_share, takes_gangs},
static const struct {
    const char *name;
    bool by_share, takes_gangs;
} app_sorts[] = {YK_APP_SORTS(APP_ROW, APP_ROW, APP_ROW)};

const char *yk_node_sort_name(enum yk_node_sort sort)
{
    return node_sorts[sort];
}

const char *yk_app_sort_name(enum yk_app_sort sort)
{
    return app_sorts[sort].name;
}

bool yk_node_sort_of(struct yk_str name, enum yk_node_sort *ret_sort)
{
    for (size_t i = 0; i < YK_COUNT(node_sorts); i++) {
        if (!yk_str_is(name, node_sorts[i]))
            continue;
        *ret_sort = (enum yk_node_sort)i;
        return true;
    }
    return false;
}

bool yk_app_sort_of(struct yk_str name, enum yk_app_sort *ret_sort)
{
    for (size_t i = 0; i < YK_COUNT(app_sorts); i++) {
        if (!yk_str_is(name, app_sorts[i].name))
            continue;
        *ret_sort = (enum yk_app_sort)i;
        return true;
    }
    return false;
}

bool yk_app_sort_by_share(enum yk_app_sort sort)
{
    return app_sorts[sort].by_share;
}

bool yk_app_sort_takes_gangs(enum yk_app_sort sort)
{
    return app_sorts[sort].takes_gangs;
}
