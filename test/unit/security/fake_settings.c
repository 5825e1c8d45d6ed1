/* SPDX-License-Identifier: Apache-2.0 */
#include "security/fake_settings.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

void fake_settings_put(const struct fake_settings *settings, const char *name, const char *value)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", settings->folder, name);
    if (value == NULL) {
        (void)unlink(path); /* need not have been there */
        return;
    }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(value, file) < 0 || fclose(file) != 0)
        abort();
}

void fake_settings_init(struct fake_settings *settings)
{
    static const char *const files[][2] = {
        {"Host", "127.0.0.1\n"},
        {"Port", "1"},
        {"BaseDN", "dc=example,dc=org"},
        {"Filter", "(uid=%s)"},
        {"GroupAttr", "memberOf"},
        {"ReturnAttr", "cn, MemberOf"},
        {"BindUser", "cn=admin,dc=example,dc=org"},
        {"BindPassword", "secret"},
    };
    (void)snprintf(settings->folder, sizeof(settings->folder), "/tmp/yk-ldap-XXXXXX");
    if (mkdtemp(settings->folder) == NULL)
        abort();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        fake_settings_put(settings, files[i][0], files[i][1]);
}

void fake_settings_done(struct fake_settings *settings)
{
    if (nftw(settings->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
        abort();
}
