/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the figures from what the other files steady*.c have counted. */
#include "cmd/steady_priv.h"

#include <math.h>

/* The ratio of killed amount to deficit, in the type of the deficit where it is smallest. Other types do not
 * count, because a pod that is ended for a lacking type also has amounts of other types. */
static double kills_ratio(const struct yk_steady *steady)
{
    double ratio = HUGE_VAL;
    if (steady->killed == 0)
        return 0;
    yk_resvec_foreach(type, &steady->deficit)
    {
        if (yk_resvec_get(&steady->deficit, type) > 0 && type != YK_RESTYPE_PODS)
            ratio = fmin(ratio, (double)yk_resvec_get(&steady->killed_amount, type) /
                                    (double)yk_resvec_get(&steady->deficit, type));
    }
    return ratio;
}

void yk_steady_figures(const struct yk_steady *steady, struct yk_steady_figures *ret)
{
    const struct steady_sums *sums = &steady->sums;
    double count = sums->count > 0 ? (double)sums->count : 1;
    size_t heads = steady->overtaken_count;
    *ret = (struct yk_steady_figures){
        .samples = sums->count,
        .jain_mean = sums->jain / count,
        .jain_min = sums->jain_min,
        .jain_raw_mean = sums->jain_raw / count,
        .jain_raw_min = sums->jain_raw_min,
        .used = sums->used / count,
        .reserved = sums->reserved / count,
        .longest_run_ns = steady->longest_run_ns,
        .heads = heads,
        .overtaken_worst_ns = steady->worst_ns,
        .overtaken_p99_ns = heads > 0 ? steady->overtaken[(heads * 99 + 99) / 100 - 1] : 0,
        .largest_share = steady->largest_share,
        .killed = steady->killed,
        .kills_ratio = kills_ratio(steady),
    };
    if (steady->worst != NULL)
        (void)snprintf(ret->worst, sizeof(ret->worst), "%s", steady->worst); /* a longer key is cut */
}

static bool is_of(const struct steady_app *app, struct yk_str name)
{
    if (yk_str_empty(name))
        return true;
    struct yk_str id = yk_str_from(app->id);
    if (!yk_str_starts(id, name.p))
        return false;
    struct yk_str rest = {id.p + name.len, id.len - name.len};
    return rest.len == 0 ||
           (rest.len > 1 && rest.p[0] == '-' && strspn(rest.p + 1, "0123456789") == rest.len - 1);
}

void yk_steady_count(const struct yk_steady *steady, struct yk_str application, struct yk_str queue,
                     struct yk_steady_application *ret)
{
    const struct steady_app *app;
    *ret = (struct yk_steady_application){0};
    yk_vec_foreach (app, &steady->app_list) {
        if (!is_of(app, application) || (!yk_str_empty(queue) && !yk_str_is(queue, app->leaf->path)))
            continue;
        ret->pods += app->counts.pods;
        ret->bound += app->counts.bound;
        ret->ended += app->counts.ended;
        ret->killed += app->counts.killed;
        ret->wait_max_ns = YK_MAX(ret->wait_max_ns, app->counts.wait_max_ns);
        ret->last_end_ns = YK_MAX(ret->last_end_ns, app->counts.last_end_ns);
    }
}
