/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a namespace's annotations, one per line in the order below. Whatever they say, the tags that
 * come out are empty or of the form that the core reads, with each resource once.
 */
#include "app/namespace_quota.h"
#include "base/log.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const keys[] = {
    "yunikorn.apache.org/namespace.quota",   "yunikorn.apache.org/namespace.guaranteed",
    "yunikorn.apache.org/namespace.max.cpu", "yunikorn.apache.org/namespace.max.memory",
    "yunikorn.apache.org/namespace.maxApps", "yunikorn.apache.org/parentqueue",
};

static void check_resources(const struct yk_buf *tag)
{
    if (tag->len == 0)
        return;
    json_t *root = json_loadb(tag->p, tag->len, JSON_REJECT_DUPLICATES, NULL), *entry;
    json_t *resources = json_object_get(root, "resources");
    const char *name;
    if (!json_is_object(resources) || json_object_size(resources) == 0)
        abort();
    json_object_foreach(resources, name, entry)
    {
        if (!json_is_integer(json_object_get(entry, "value")))
            abort();
    }
    json_decref(root);
}

static void check_max_apps(const char *text)
{
    uint64_t number;
    if (*text != '\0' && yk_str_to_u64(yk_str_from(text), &number) != YK_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_pair pairs[YK_COUNT(keys)];
    struct yk_object namespace_ = {.name = YK_STR("ns"), .annotations = {.items = pairs}};
    struct yk_str rest = {(const char *)data, size}, line;
    yk_log_set_stream(NULL);
    for (size_t i = 0; i < YK_COUNT(keys) && rest.p != NULL && yk_str_split(&rest, '\n', &line); i++)
        pairs[namespace_.annotations.count++] = (struct yk_pair){yk_str_from(keys[i]), line};
    struct yk_namespace_tags tags;
    yk_namespace_tags_init(&tags, &namespace_);
    check_resources(&tags.quota);
    check_resources(&tags.guaranteed);
    check_max_apps(tags.max_apps);
    yk_namespace_tags_done(&tags);
    return 0;
}
