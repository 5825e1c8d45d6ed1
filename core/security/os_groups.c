/* SPDX-License-Identifier: Apache-2.0 */
#include "security/os_groups.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>

enum {
    /* First size of the buffer for the texts of one entry; doubled until it is enough. */
    ENTRY_BYTES_MIN = 4 << 10,
    ENTRY_BYTES_MAX = 4 << 20, /* largest size; the entry of a group names all its members */
};

struct entry_buffer {
    char *p; /* owned */
    size_t size;
};

static void entry_buffer_done(struct entry_buffer *room)
{
    free(room->p);
}

/* Enlarges the buffer after ERANGE. False: it has its largest size. */
static bool grow(struct entry_buffer *room)
{
    if (room->size >= ENTRY_BYTES_MAX)
        return false;
    room->size = YK_MAX(room->size * 2, (size_t)ENTRY_BYTES_MIN);
    room->p = yk_realloc_array(room->p, room->size, 1);
    return true;
}

/* Whether an error number means that there is no such entry: see getpwnam(3). */
static bool means_absent(int error)
{
    return error == 0 || error == ENOENT || error == ESRCH || error == EBADF || error == EPERM;
}

static enum yk_status primary_group(const char *name, gid_t *ret_group, struct yk_err *err)
{
    YK_CLEANUP(entry_buffer_done) struct entry_buffer room = {0};
    struct passwd entry, *found = NULL;
    int error = ERANGE;
    while (error == ERANGE && grow(&room))
        error = getpwnam_r(name, &entry, room.p, room.size, &found);
    if (found == NULL && means_absent(error))
        return yk_fail(err, YK_ERR_NOT_FOUND, "user '%.64s' is not known to the operating system", name);
    if (found == NULL)
        return yk_fail(err, YK_ERR_IO, "user '%.64s' cannot be looked up: error %d", name, error);
    *ret_group = found->pw_gid;
    return YK_OK;
}

static bool add_group(struct yk_user *user, gid_t id, struct entry_buffer *room, size_t *bytes)
{
    struct group entry, *found = NULL;
    char number[24];
    int error = ERANGE;
    if (room->size > 0)
        error = getgrgid_r(id, &entry, room->p, room->size, &found);
    while (error == ERANGE && grow(room))
        error = getgrgid_r(id, &entry, room->p, room->size, &found);
    (void)snprintf(number, sizeof(number), "%llu", (unsigned long long)id);
    return yk_user_add_group(user, yk_str_from(found != NULL ? found->gr_name : number), bytes);
}

/* The numbers of all groups of the user, the primary one included. The caller frees the array. */
static gid_t *group_list(const char *name, gid_t primary, int *ret_count)
{
    int room = 64, count = room;
    gid_t *list = yk_new0_array(gid_t, (size_t)room);
    while (getgrouplist(name, primary, list, &count) < 0 && room < YK_USER_GROUPS_MAX + 1) {
        room = YK_MIN(YK_MAX(count, room * 2), YK_USER_GROUPS_MAX + 1);
        count = room;
        list = yk_realloc_array(list, (size_t)room, sizeof(*list));
    }
    *ret_count = count;
    return list;
}

enum yk_status yk_os_groups(struct yk_user *user, struct yk_err *err)
{
    YK_CLEANUP(entry_buffer_done) struct entry_buffer room = {0};
    YK_CLEANUP(yk_freep) gid_t *list = NULL;
    size_t bytes = 0;
    gid_t primary = 0;
    int count;
    enum yk_status st = primary_group(user->name, &primary, err);
    if (st != YK_OK)
        return st;
    list = group_list(user->name, primary, &count);
    bool fits = count <= YK_USER_GROUPS_MAX && add_group(user, primary, &room, &bytes);
    for (int i = 0; i < count && fits; i++) {
        if (list[i] != primary)
            fits = add_group(user, list[i], &room, &bytes);
    }
    return fits ? YK_OK : yk_fail(err, YK_ERR_LIMIT, "user '%.64s' has too many groups", user->name);
}
