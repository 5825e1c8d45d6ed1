/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

/* Minor versions of Kubernetes 1. */
enum {
    MINOR_MIN = 24,   /* the chart needs it */
    MINOR_GUARD = 30, /* has matchConditions of webhooks */
};

/* The minor version: 36 of "v1.36.1"; -1 if the text has another form. */
static int minor_of(const json_t *version)
{
    struct yk_str rest = yk_str_from(yk__text(version, "gitVersion")), major, minor;
    int64_t number;
    if (!yk_str_split(&rest, '.', &major) || !yk_str_is(major, "v1") || !yk_str_split(&rest, '.', &minor) ||
        yk_str_to_i64(minor, &number) != YK_OK || number < 0 || number > 1000)
        return -1;
    return (int)number;
}

void yk__look_version_old(const struct yk_look *look)
{
    int minor = minor_of(look->object);
    if (minor >= 0 && minor < MINOR_MIN)
        (void)yk__found(look, "the API server is %s, and the chart needs Kubernetes 1.%d or later",
                        yk__text(look->object, "gitVersion"), MINOR_MIN);
}

void yk__look_version_guard(const struct yk_look *look)
{
    int minor = minor_of(look->object);
    if (minor < MINOR_MIN || minor >= MINOR_GUARD || look->migration->guard_is_off)
        return;
    struct yk_finding *finding =
        yk__found(look,
                  "the API server is %s: the webhook that guards pods of YuniKorn needs Kubernetes 1.%d, so "
                  "service.trustUserInfo stays 'any', as in 1.9",
                  yk__text(look->object, "gitVersion"), MINOR_GUARD);
    yk__values(look, finding,
               "--set 'yunikornDefaults.admissionController\\.webHook\\.failurePolicy=Ignore'");
}
