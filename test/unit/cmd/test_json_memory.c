/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON from outside while memory runs out: each allocation that the JSON library makes for it fails once in
 * turn. The process then ends with one line. It never takes part of a text for the whole.
 */
#include "cmd/json_memory.h"

#include "api/json_reader.h"
#include "api/user_info.h"
#include "app/namespace_quota.h"
#include "app/task_groups.h"
#include "base/log.h"
#include "leader/lease.h"
#include "lib/child_exit.h"
#include "lib/object_text.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Sanitizers would end the process themselves. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static size_t calls, failing; /* failing 0: none */
static json_malloc_t process_malloc;

/* Asks for more than there is when it is to fail. */
static void *take(size_t bytes)
{
    return process_malloc(++calls == failing ? SIZE_MAX / 4 : bytes);
}

/* ---- readers: false if the text was refused; `out` has what was read ---- */

static bool read_pod(struct yk_str text, struct yk_buf *out)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    if (yk_object_from_json(YK_KIND_POD, text, &object, &err) != YK_OK)
        return false;
    object_text(object, out);
    yk_object_free(object);
    return true;
}

static void put_pairs(const struct yk_pairs *pairs, struct yk_buf *out)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        yk_buf_printf(out, " " YK_STR_FMT "=" YK_STR_FMT, YK_STR_ARG(pairs->items[i].key),
                      YK_STR_ARG(pairs->items[i].value));
}

static bool read_task_groups(struct yk_str text, struct yk_buf *out)
{
    struct yk_task_groups groups = {0};
    struct yk_err err = {0};
    if (yk_task_groups_parse(text, YK_STR(""), &groups, &err) != YK_OK) {
        yk_task_groups_done(&groups);
        return false;
    }
    for (size_t i = 0; i < groups.count; i++) {
        const struct yk_gang_group *group = &groups.items[i];
        yk_buf_printf(out, YK_STR_FMT " %u", YK_STR_ARG(group->name), group->min_member);
        put_pairs(&group->labels, out);
        put_pairs(&group->annotations, out);
        put_pairs(&group->node_selector, out);
        put_pairs(&group->resources, out);
        yk_buf_printf(out, " " YK_STR_FMT " " YK_STR_FMT " " YK_STR_FMT "\n", YK_STR_ARG(group->tolerations),
                      YK_STR_ARG(group->affinity), YK_STR_ARG(group->spread));
    }
    yk_task_groups_done(&groups);
    return true;
}

static bool read_user(struct yk_str text, struct yk_buf *out)
{
    struct yk_user_info info = {0};
    struct yk_err err = {0};
    if (yk_user_info_parse(text, &info, &err) != YK_OK)
        return false;
    yk_buf_text(out, info.user);
    for (size_t i = 0; i < info.group_count; i++)
        yk_buf_printf(out, " %s", info.groups[i]);
    yk_user_info_done(&info);
    return true;
}

/* What cannot be read is left out, and no tag is the same as a refusal. */
static bool read_namespace(struct yk_str text, struct yk_buf *out)
{
    struct yk_pair note = {YK_STR("yunikorn.apache.org/namespace.quota"), text};
    const struct yk_object object = {.name = YK_STR("x"), .annotations = {&note, 1}};
    struct yk_namespace_tags tags;
    yk_namespace_tags_init(&tags, &object);
    yk_buf_str(out, yk_buf_view(&tags.quota));
    yk_namespace_tags_done(&tags);
    return out->len > 0;
}

static bool read_lease(struct yk_str text, struct yk_buf *out)
{
    struct yk_lease *lease = NULL;
    struct yk_err err = {0};
    if (yk_lease_read(text, &lease, &err) != YK_OK)
        return false;
    yk_buf_printf(out, "%s %s %lld %d", lease->holder, lease->record, (long long)lease->duration_ns,
                  lease->transitions);
    yk_lease_free(lease);
    return true;
}

static const struct {
    const char *what;
    bool (*read)(struct yk_str text, struct yk_buf *out);
    const char *text;
} readers[] = {
    {"a pod", read_pod,
     "{\"metadata\":{\"name\":\"p\",\"namespace\":\"x\",\"uid\":\"0b5dc6a2-1f3c-4f6e-9d8a-111111111111\","
     "\"labels\":{\"applicationId\":\"a\"}},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}"},
    {"task groups", read_task_groups,
     "[{\"name\":\"g\",\"minMember\":2,\"minResource\":{\"cpu\":1.5,\"memory\":\"2Gi\"},"
     "\"labels\":{\"a\":\"b\"},\"annotations\":{\"c\":\"d\"},\"nodeSelector\":{\"e\":\"f\"},"
     "\"tolerations\":[{\"key\":\"k\",\"operator\":\"Exists\"}],"
     "\"affinity\":{\"nodeAffinity\":{\"x\":[1,2.5,true,null]}},"
     "\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":\"zone\"}]}]"},
    {"a user", read_user, "{\"user\":\"ann\",\"groups\":[\"a\",\"b\",\"c\"]}"},
    {"a quota", read_namespace, "{\"cpu\":\"5\",\"memory\":\"10Gi\",\"nvidia.com/gpu\":\"2\"}"},
    {"a Lease", read_lease,
     "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"me\",\"leaseDurationSeconds\":15,"
     "\"leaseTransitions\":3}}"},
};

struct reading {
    size_t reader;
    struct yk_str text;
};

static void read_once(const void *context)
{
    const struct reading *reading = context;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    (void)readers[reading->reader].read(reading->text, &out); /* is not to return */
}

static void check_reader(size_t i)
{
    struct yk_str text = yk_str_from(readers[i].text);
    YK_CLEANUP(yk_buf_done) struct yk_buf wanted = {0};
    calls = failing = 0;
    assert_true(readers[i].read(text, &wanted));
    const size_t all = calls;
    assert_true(all > 3);
    for (size_t n = 1; n <= all; n++) {
        char message[CHILD_MESSAGE_MAX];
        calls = 0;
        failing = n;
        int code = child_exit_code(read_once, &(struct reading){i, text}, message);
        /* Sanitizers add a warning of their own. */
        if (code != 70 || strstr(message, "out of memory") == NULL)
            fail_msg("%s, allocation %zu of %zu: exit code %d, '%s'", readers[i].what, n, all, code, message);
    }
    print_message("%s: %zu allocations\n", readers[i].what, all);
}

static void each_allocation_fails_once(void **state)
{
    json_free_t process_free;
    (void)state;
    yk_log_set_stream(NULL);
    yk_json_memory_init();
    json_get_alloc_funcs(&process_malloc, &process_free);
    json_set_alloc_funcs(take, process_free);
    for (size_t i = 0; i < YK_COUNT(readers); i++)
        check_reader(i);
    json_set_alloc_funcs(process_malloc, process_free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
