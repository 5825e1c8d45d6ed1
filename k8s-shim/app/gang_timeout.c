/* SPDX-License-Identifier: Apache-2.0 */
/* The time that a gang may wait for its placeholders, and the fields of the request to the core that
 * concern gangs. */
#include "app/apps_priv.h"
#include "base/clock.h"

#define TIMEOUT_DEFAULT_NS (15 * 60 * YK_NS_PER_S)
#define TIMEOUT_MIN_NS     YK_NS_PER_MS

static int64_t timeout_of(const struct yk_app_gang *gang)
{
    return gang->policy.timeout_ns > 0 ? gang->policy.timeout_ns : TIMEOUT_DEFAULT_NS;
}

int64_t yk__gang_time_left(const struct yk_apps *apps, const struct yk_app_gang *gang)
{
    return yk_i64_sub(yk_i64_add(gang->begin_wall_ns, timeout_of(gang)), yk_clock_wall_ns(apps->clock));
}

/* After a restart of this process, a gang gets the rest of its time, unless the application is submitted
 * for a running pod. */
void yk__gang_fill_request(const struct yk_apps *apps, const struct yk_application *app,
                           struct yk_si_new_app *request)
{
    const struct yk_app_gang *gang = app->gang;
    if (gang == NULL)
        return;
    request->placeholder_ask = &gang->groups.total;
    request->gang_style = gang->policy.is_hard ? YK_SI_GANG_HARD : YK_SI_GANG_SOFT;
    request->placeholder_timeout_ns = gang->policy.timeout_ns;
    if (gang->recovered && !app->forced)
        request->placeholder_timeout_ns = YK_MAX(yk__gang_time_left(apps, gang), TIMEOUT_MIN_NS);
}
