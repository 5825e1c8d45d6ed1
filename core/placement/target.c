/* SPDX-License-Identifier: Apache-2.0 */
#include "placement/target_priv.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool append(struct yk__name *name, const char *text, size_t len)
{
    if (len > sizeof(name->text) - name->len)
        return false;
    memcpy(name->text + name->len, text, len);
    name->len += len;
    return true;
}

bool yk__name_from(struct yk_str value, struct yk__name *ret_name)
{
    ret_name->len = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = lower(value.p[i]);
        bool fits = c == '.' ? append(ret_name, "_dot_", 5) : append(ret_name, &c, 1);
        if (!fits)
            return false;
    }
    return yk_queue_name_valid(yk__name_view(ret_name));
}

void yk__target_reset(struct yk__target *target)
{
    yk_buf_clear(target->path);
    yk_buf_text(target->path, "root");
    target->deepest = target->root;
    target->exists = true;
}

void yk__target_add(struct yk__target *target, struct yk_str part)
{
    struct yk_buf *path = target->path;
    yk_buf_char(path, '.');
    size_t start = path->len;
    yk_buf_str(path, part);
    for (size_t i = start; i < path->len; i++)
        path->p[i] = lower(path->p[i]);
    if (!target->exists)
        return;
    struct yk_queue *child =
        yk_queue_child(target->deepest, (struct yk_str){path->p + start, path->len - start});
    target->exists = child != NULL;
    if (child != NULL)
        target->deepest = child;
}

void yk__target_add_path(struct yk__target *target, struct yk_str path)
{
    struct yk_str part;
    while (yk_str_split(&path, '.', &part))
        yk__target_add(target, part);
}

bool yk__target_has_child(const struct yk__target *target, struct yk_str name)
{
    return target->exists && yk_queue_child(target->deepest, name) != NULL;
}

void yk__target_root_it(struct yk__target *target)
{
    struct yk_buf *path = target->path;
    struct yk_str rest;
    if (yk_str_starts(yk_buf_view(path), "root."))
        return;
    char *end = yk_buf_reserve(path, 5);
    if (end == NULL)
        return; /* path->failed is set, which yk__rule_result() checks */
    memmove(path->p + 5, path->p, path->len);
    memcpy(path->p, "root.", 5);
    path->len += 5;
    path->p[path->len] = '\0';
    target->deepest = yk_queue_find_deepest(target->root, yk_buf_view(path), &rest);
    target->exists = target->deepest != NULL && rest.p == NULL;
}
