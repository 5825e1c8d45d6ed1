/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Discovery behind a transport that answers with the input: first line the status and whether the answer is
 * whole ("200 y"), then the answer to /version up to a NUL byte, then the one to /apis. Nothing is known that
 * no answer said, and later an honest answer is taken.
 */
#include "base/log.h"
#include "client/discovery.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct yk_transfer {
    struct yk_k8s_request request;
};

static struct {
    struct yk_transfer transfer;
    bool is_asking;
} wire;

struct yk_transfer *yk_transport_start(struct yk_transport *transport, const struct yk_k8s_request *request)
{
    (void)transport;
    if (wire.is_asking)
        abort();
    wire.is_asking = true;
    wire.transfer.request = *request;
    return &wire.transfer;
}

void yk_transfer_cancel(struct yk_transfer *transfer)
{
    (void)transfer;
    wire.is_asking = false;
}

static void answer(struct yk_str body, int status, bool is_whole)
{
    const struct yk_k8s_request request = wire.transfer.request;
    const struct yk_http_answer head = {.http_status = status, .complete = is_whole};
    size_t half = body.len / 2;
    if (!wire.is_asking)
        return;
    wire.is_asking = false;
    (void)request.on_data(&wire.transfer, (struct yk_str){body.p, half}, request.context);
    (void)request.on_data(&wire.transfer, (struct yk_str){body.p + half, body.len - half}, request.context);
    request.on_done(&wire.transfer, &head, request.context);
}

static void check(const struct yk_discovery *discovery, bool was_answered)
{
    enum yk_served served = yk_discovery_serves(discovery, "scheduling.k8s.io", "v1");
    if (strlen(yk_discovery_version(discovery)) > 63 || (served != YK_SERVED_UNKNOWN && !was_answered))
        abort();
}

/* Whatever was answered, an honest answer is taken later. */
static void let_it_ask_again(struct yk_discovery *discovery, struct yk_clock *clock,
                             struct yk_io_timers *timers)
{
    answer(YK_STR(""), 500, false); /* if something was not answered */
    yk_discovery_refresh(discovery);
    yk_clock_advance(clock, 3600 * YK_NS_PER_S);
    yk_io_timers_run(timers);
    answer(YK_STR("{\"gitVersion\":\"v1.36.1\"}"), 200, true);
    answer(YK_STR("{\"groups\":[{\"name\":\"scheduling.k8s.io\",\"versions\":[{\"version\":\"v1\"}]}]}"), 200,
           true);
    if (strcmp(yk_discovery_version(discovery), "v1.36.1") != 0 ||
        yk_discovery_serves(discovery, "scheduling.k8s.io", "v1") != YK_SERVED_YES)
        abort();
}

static void on_groups(void *context)
{
    (void)context; /* what was found is looked at after each answer */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_str rest = {(const char *)data, size}, head, version;
    struct yk_random random;
    struct yk_clock clock;
    struct yk_io_timers timers;
    int64_t status = 0;
    yk_log_set_stream(NULL);
    if (size == 0 || !yk_str_split(&rest, '\n', &head) || rest.p == NULL)
        return 0;
    bool is_whole = head.len == 0 || head.p[head.len - 1] != 'n';
    head.len = YK_MIN(head.len, (size_t)3);
    if (yk_str_to_i64(head, &status) != YK_OK)
        status = 200;
    yk_random_init(&random, 1);
    yk_clock_virtual_init(&clock, 0);
    if (yk_io_timers_init(&timers, NULL, &clock, NULL) != YK_OK)
        abort();
    wire.is_asking = false;
    struct yk_discovery *discovery = yk_discovery_new(NULL, &timers, &random, on_groups, NULL);
    (void)yk_str_split(&rest, '\0', &version); /* the whole rest if there is no NUL */
    answer(version, (int)status, is_whole);
    check(discovery, false);
    bool was_asked = wire.is_asking;
    if (was_asked && rest.p != NULL)
        answer(rest, (int)status, is_whole);
    check(discovery, was_asked);
    let_it_ask_again(discovery, &clock, &timers);
    yk_discovery_free(discovery);
    yk_io_timers_done(&timers);
    return 0;
}
