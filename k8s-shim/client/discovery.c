/* SPDX-License-Identifier: Apache-2.0 */
#include "client/discovery.h"

#include "api/json_reader.h"
#include "base/log.h"
#include "base/map.h"
#include "client/backoff.h"

#include <jansson.h>

enum { ANSWER_MAX = 4 << 20, VERSION_TEXT_MAX = 64, GROUP_TEXT_MAX = 256, GROUP_VERSIONS_MAX = 4096 };

static const int64_t answer_timeout_ns = 30 * YK_NS_PER_S;

struct yk_discovery {
    struct yk_transport *transport;
    struct yk_io_timers *timers;
    struct yk_random *random;
    struct yk_backoff backoff;
    struct yk_timer later;
    struct yk_transfer *transfer; /* the request under way; NULL: there is none */
    struct yk_buf answer;
    bool knows_groups;
    int refusal; /* the status, 403 or 404, that was logged since the last success; 0: none was logged */
    char version[VERSION_TEXT_MAX];
    void (*on_groups)(void *context);
    void *context;
    struct yk_strmap groups; /* "group/version" -> itself, owned */
};

static void ask(struct yk_discovery *d, const char *path,
                void (*on_done)(struct yk_transfer *transfer, const struct yk_http_answer *answer,
                                void *context));

static void ask_later(struct yk_discovery *d)
{
    yk_io_timer_arm(d->timers, &d->later,
                    yk_backoff_next_ns(&d->backoff, d->random, yk_io_timers_now_ns(d->timers)));
}

static void note_refusal(struct yk_discovery *d, int http_status)
{
    if (d->refusal != http_status)
        yk_info(yk_log_client, "the API server does not tell what it serves", KV("http_status", http_status));
    d->refusal = http_status;
}

/* The caller frees the result. NULL: there is no usable answer. */
static json_t *read_answer(struct yk_discovery *d, const struct yk_http_answer *answer)
{
    json_t *tree = NULL;
    struct yk_err err = answer->error;
    bool is_success =
        answer->http_status >= 200 && answer->http_status <= 299 && answer->complete && !d->answer.failed;
    d->transfer = NULL;
    if (is_success && yk_json_parse(yk_buf_view(&d->answer), &tree, &err) == YK_OK)
        return tree;
    if (answer->http_status == 403 || answer->http_status == 404)
        note_refusal(d, answer->http_status);
    else
        yk_debug(yk_log_client, "discovery failed, asking again later", KV("err", (const char *)err.text));
    if (answer->http_status != 404)
        ask_later(d);
    return NULL;
}

static void forget_groups(struct yk_discovery *d)
{
    char *text;
    yk_strmap_foreach (text, &d->groups)
        free(text);
    yk_strmap_done(&d->groups);
    d->groups = (struct yk_strmap){0};
}

static void add_group_version(struct yk_discovery *d, const char *group, const char *version)
{
    char text[GROUP_TEXT_MAX];
    int len = snprintf(text, sizeof(text), "%s/%s", group, version);
    if (len < 0 || (size_t)len >= sizeof(text) || d->groups.count >= GROUP_VERSIONS_MAX)
        return; /* this program needs no group with such a long name, and no server has so many groups */
    struct yk_str key = {text, (size_t)len};
    if (yk_strmap_get(&d->groups, key) != NULL)
        return;
    key.p = yk_str_dup(key);
    (void)yk_strmap_put(&d->groups, key, (void *)(uintptr_t)key.p);
}

static void groups_known(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    (void)transfer;
    struct yk_discovery *d = context;
    json_t *tree = read_answer(d, answer), *group, *version;
    size_t i, j;
    if (tree == NULL)
        return;
    forget_groups(d);
    json_array_foreach(json_object_get(tree, "groups"), i, group)
    {
        const char *name = json_string_value(json_object_get(group, "name"));
        json_array_foreach(json_object_get(group, "versions"), j, version)
        {
            const char *text = json_string_value(json_object_get(version, "version"));
            if (name != NULL && text != NULL)
                add_group_version(d, name, text);
        }
    }
    d->knows_groups = true;
    d->refusal = 0;
    json_decref(tree);
    if (d->on_groups != NULL)
        d->on_groups(d->context);
}

static void version_known(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    (void)transfer;
    struct yk_discovery *d = context;
    json_t *tree = read_answer(d, answer);
    if (answer->http_status == 404) /* it is not asked for again, but the groups may be there */
        ask(d, "/apis", groups_known);
    if (tree == NULL)
        return;
    const char *version = json_string_value(json_object_get(tree, "gitVersion"));
    char text[VERSION_TEXT_MAX];
    (void)snprintf(text, sizeof(text), "%s", version != NULL ? version : "unknown");
    if (strcmp(text, d->version) != 0)
        yk_info(yk_log_client,
                d->version[0] == '\0' ? "connected to the API server" : "the API server's version changed",
                KV("version", (const char *)text));
    memcpy(d->version, text, sizeof(text));
    json_decref(tree);
    ask(d, "/apis", groups_known);
}

static enum yk_chunk take(struct yk_transfer *transfer, struct yk_str bytes, void *context)
{
    (void)transfer;
    struct yk_discovery *d = context;
    yk_buf_str(&d->answer, bytes);
    return YK_CHUNK_GO_ON;
}

static void ask(struct yk_discovery *d, const char *path,
                void (*on_done)(struct yk_transfer *transfer, const struct yk_http_answer *answer,
                                void *context))
{
    struct yk_k8s_request request = {.lane = YK_LANE_REQUESTS,
                                     .method = "GET",
                                     .path = path,
                                     .accept = "application/json",
                                     .timeout_ns = answer_timeout_ns,
                                     .on_data = take,
                                     .on_done = on_done,
                                     .context = d};
    yk_buf_done(&d->answer);
    d->answer.max = ANSWER_MAX;
    d->transfer = yk_transport_start(d->transport, &request);
}

static void later_due(struct yk_timer *timer)
{
    struct yk_discovery *d = YK_CONTAINER(timer, struct yk_discovery, later);
    if (d->transfer == NULL)
        ask(d, "/version", version_known);
}

void yk_discovery_refresh(struct yk_discovery *d)
{
    if (d->transfer == NULL && !yk_timer_armed(&d->later))
        yk_io_timer_arm(d->timers, &d->later, 0); /* with a timer, so that several calls make one request */
}

struct yk_discovery *yk_discovery_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                      struct yk_random *random, void (*on_groups)(void *context),
                                      void *context)
{
    struct yk_discovery *d = yk_new0(struct yk_discovery);
    d->transport = transport;
    d->timers = timers;
    d->random = random;
    d->on_groups = on_groups;
    d->context = context;
    d->later.fire = later_due;
    ask(d, "/version", version_known);
    return d;
}

void yk_discovery_free(struct yk_discovery *d)
{
    if (d == NULL)
        return;
    if (d->transfer != NULL)
        yk_transfer_cancel(d->transfer);
    yk_io_timer_cancel(d->timers, &d->later);
    yk_buf_done(&d->answer);
    forget_groups(d);
    free(d);
}

enum yk_served yk_discovery_serves(const struct yk_discovery *d, const char *group, const char *version)
{
    char text[GROUP_TEXT_MAX];
    (void)snprintf(text, sizeof(text), "%s/%s", group, version);
    if (!d->knows_groups)
        return YK_SERVED_UNKNOWN;
    return yk_strmap_get(&d->groups, yk_str_from(text)) != NULL ? YK_SERVED_YES : YK_SERVED_NO;
}

const char *yk_discovery_version(const struct yk_discovery *d)
{
    return d->version;
}
