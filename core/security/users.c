/* SPDX-License-Identifier: Apache-2.0 */
#include "security/users.h"

#include "base/log.h"
#include "base/map.h"
#include "config/config.h"

#define CACHE_LIFE_NS (300 * YK_NS_PER_S)

struct cached_user {
    struct yk_user user;
    int64_t until_mono_ns;
};

struct yk_users {
    struct yk_strmap cache; /* name -> struct cached_user, owned */
};

void yk_user_done(struct yk_user *user)
{
    for (size_t i = 0; i < user->group_count; i++)
        free(user->groups[i]);
    free(user->groups);
    free(user->name);
    *user = (struct yk_user){0};
}

static struct yk_user user_copy(const char *name, const char *const *groups, size_t group_count)
{
    struct yk_user copy = {.name = yk_strdup(name), .group_count = group_count};
    copy.groups = yk_new0_array(char *, group_count);
    for (size_t i = 0; i < group_count; i++)
        copy.groups[i] = yk_strdup(groups[i]);
    return copy;
}

struct yk_users *yk_users_new(struct yk_str resolver)
{
    if (resolver.len > 0)
        yk_warn(yk_log_security, "user group resolver not available, groups of a user are its own name",
                KV("resolver", resolver));
    return yk_new0(struct yk_users);
}

static void forget_all(struct yk_users *users)
{
    struct cached_user *cached;
    yk_strmap_foreach (cached, &users->cache) {
        yk_user_done(&cached->user);
        free(cached);
    }
    yk_strmap_done(&users->cache);
    users->cache = (struct yk_strmap){0};
}

void yk_users_free(struct yk_users *users)
{
    if (users == NULL)
        return;
    forget_all(users);
    free(users);
}

static void remember(struct yk_users *users, int64_t now_mono_ns, const char *name, const char *const *groups,
                     size_t group_count)
{
    if (users->cache.count >= YK_USERS_CACHED_MAX)
        forget_all(users);
    struct cached_user *cached = yk_new0(struct cached_user);
    cached->user = user_copy(name, groups, group_count);
    cached->until_mono_ns = yk_i64_add(now_mono_ns, CACHE_LIFE_NS);
    struct cached_user *old = yk_strmap_put(&users->cache, yk_str_from(cached->user.name), cached);
    if (old != NULL) {
        yk_user_done(&old->user);
        free(old);
    }
}

static enum yk_status check_sizes(const char *user, const char *const *groups, size_t group_count,
                                  struct yk_err *err)
{
    if (strlen(user) > YK_USER_NAME_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user name of %zu bytes (at most %d)", strlen(user),
                       YK_USER_NAME_BYTES_MAX);
    if (group_count > YK_USER_GROUPS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user '%.64s' has %zu groups (at most %d)", user, group_count,
                       YK_USER_GROUPS_MAX);
    for (size_t i = 0; i < group_count; i++) {
        if (groups[i] == NULL)
            return yk_fail(err, YK_ERR_INVALID, "user '%.64s': a group without a name", user);
        if (strlen(groups[i]) > YK_USER_NAME_BYTES_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "user '%.64s': group name of %zu bytes (at most %d)", user,
                           strlen(groups[i]), YK_USER_NAME_BYTES_MAX);
    }
    return YK_OK;
}

/* Groups were not submitted: a cached answer, else the resolver. */
static void resolve_groups(struct yk_users *users, int64_t now_mono_ns, const char *user,
                           struct yk_user *ret_user)
{
    const struct cached_user *cached = yk_strmap_get(&users->cache, yk_str_from(user));
    if (cached == NULL || cached->until_mono_ns <= now_mono_ns) {
        remember(users, now_mono_ns, user, &user, 1);
        cached = yk_strmap_get(&users->cache, yk_str_from(user));
    }
    *ret_user = user_copy(user, (const char *const *)cached->user.groups, cached->user.group_count);
}

enum yk_status yk_users_resolve(struct yk_users *users, int64_t now_mono_ns, const char *user,
                                const char *const *groups, size_t group_count, bool forced,
                                struct yk_user *ret_user, struct yk_err *err)
{
    static const char *const nogroup[] = {YK_GROUP_NOGROUP};
    if (user == NULL || user[0] == '\0') {
        if (!forced)
            return yk_fail(err, YK_ERR_INVALID, "empty user cannot resolve");
        user = YK_USER_NOBODY;
        groups = nogroup;
        group_count = 1;
    }
    enum yk_status st = check_sizes(user, groups, group_count, err);
    if (st != YK_OK)
        return st;
    if (group_count == 0) {
        resolve_groups(users, now_mono_ns, user, ret_user);
        return YK_OK;
    }
    if (!yk_user_name_valid(yk_str_from(user)))
        return yk_fail(err, YK_ERR_INVALID, "invalid username, it contains invalid characters");
    remember(users, now_mono_ns, user, groups, group_count);
    *ret_user = user_copy(user, groups, group_count);
    return YK_OK;
}
