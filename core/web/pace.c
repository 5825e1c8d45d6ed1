/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pauses between answers while the scheduler is busy, so that bindings, which the I/O thread sends as well, come
 * first (docs/reference/rest.md 1.1). Two things wait for the end of a pause: requests on which no work has begun,
 * and turns of long answers.
 */
#include "base/log.h"
#include "web/web_priv.h"

#include <event2/event.h>

int64_t yk_web_pause_ns(size_t bytes)
{
    /* The socket takes larger bodies in parts, between which other requests are handled. */
    enum { BYTES_MAX = 1 << 20 };
    return (YK_WEB_SHARE - 1) *
           (YK_WEB_ANSWER_NS + YK_WEB_BYTE_NS * (int64_t)YK_MIN(bytes, (size_t)BYTES_MAX));
}

static void lengthen(struct yk_web *web, int64_t ns)
{
    int64_t now = yk_clock_mono_ns(web->options.clock);
    web->paced_until_mono_ns = YK_MAX(web->paced_until_mono_ns, now) + ns;
    web->paced_until_mono_ns = YK_MIN(web->paced_until_mono_ns, now + YK_WEB_PAUSE_MAX_NS);
}

void yk__pace_note_bytes(struct yk_web *web, size_t bytes)
{
    lengthen(web, yk_web_pause_ns(bytes) - yk_web_pause_ns(0));
}

void yk__pace_note_compressed(struct yk_web *web, size_t bytes)
{
    lengthen(web, (YK_WEB_SHARE - 1) * YK_WEB_COMPRESSED_BYTE_NS * (int64_t)bytes);
}

void yk__pace_note_answer(struct yk_job *job)
{
    if (job->route->is_probe)
        return;
    job->was_paced = true;
    lengthen(job->web, yk_web_pause_ns(0));
}

int64_t yk__pace_left_ns(struct yk_web *web)
{
    int64_t now = yk_clock_mono_ns(web->options.clock);
    bool is_busy = yk_renderer_is_busy(&web->renderer, now) && !web->stopping;
    return is_busy && web->pace_timer != NULL ? YK_MAX(web->paced_until_mono_ns - now, INT64_C(0)) : 0;
}

void yk__pace_arm(struct yk_web *web)
{
    int64_t ns = yk__pace_left_ns(web);
    struct timeval in = {.tv_sec = ns / YK_NS_PER_S, .tv_usec = ns % YK_NS_PER_S / 1000 + 1};
    if (!evtimer_pending(web->pace_timer, NULL) && evtimer_add(web->pace_timer, &in) != 0)
        yk_warn(yk_log_rest, "no timer for requests that wait");
}

static void append(struct yk_web *web, struct yk_job *job)
{
    job->next = NULL;
    *web->last_paced = job;
    web->last_paced = &job->next;
    web->paced_count++;
}

static void give_up(struct yk_job *job)
{
    yk_http_exchange_free(yk_move(job->exchange));
    yk__web_end_job(job);
}

static struct yk_job *take_first(struct yk_web *web)
{
    while (web->paced != NULL) {
        struct yk_job *job = web->paced;
        web->paced = job->next;
        if (web->paced == NULL)
            web->last_paced = &web->paced;
        web->paced_count--;
        if (job->exchange->connection != NULL)
            return job;
        give_up(job);
    }
    return NULL;
}

static void drop_gone(struct yk_web *web)
{
    struct yk_job *rest = web->paced;
    web->paced = NULL;
    web->last_paced = &web->paced;
    web->paced_count = 0;
    while (rest != NULL) {
        struct yk_job *job = rest;
        rest = job->next;
        if (job->exchange->connection != NULL)
            append(web, job);
        else
            give_up(job);
    }
}

/* At least one turn is given and one request begins: other answers may have lengthened the pause, and nothing must
 * wait for them without end. */
void yk__pace_end(struct yk_web *web)
{
    bool more;
    do {
        struct yk_job *job = take_first(web);
        more = yk__web_give_turn(web);
        if (job != NULL)
            yk__web_begin_work(job);
        more = more || job != NULL;
    } while (more && yk__pace_left_ns(web) == 0);
    if (web->paced != NULL || yk__web_has_turn_to_give(web))
        yk__pace_arm(web);
}

static void on_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    yk__pace_end(context);
}

void yk__pace_init(struct yk_web *web)
{
    web->last_paced = &web->paced;
    web->pace_timer = evtimer_new(yk_io_base(web->options.io), on_timer, web);
}

bool yk__pace_takes(struct yk_job *job)
{
    struct yk_web *web = job->web;
    if (job->route->is_probe || (web->paced == NULL && yk__pace_left_ns(web) == 0))
        return false;
    if (web->paced_count >= YK_WEB_IN_FLIGHT_MAX)
        drop_gone(web);
    if (web->paced_count >= YK_WEB_IN_FLIGHT_MAX) {
        yk__web_refuse_for_now(job);
        return true;
    }
    append(web, job);
    yk__pace_arm(web);
    return true;
}
