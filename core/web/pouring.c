/* SPDX-License-Identifier: Apache-2.0 */
/* Sends long answers, whole or in pieces, and shares them (docs/reference/rest.md 1.1 and 1.8). */
#include "web/gzip.h"
#include "web/pour_priv.h"
#include "web/web_priv.h"

/* ---- who shares ---- */

/* The answer that the jobs wait for is no longer made: each of them writes an answer of its own. */
static void let_go(struct yk_job *waiting)
{
    while (waiting != NULL) {
        struct yk_job *job = waiting;
        waiting = job->next;
        job->is_alone = true;
        yk__web_wait_for_turn(job);
    }
}

static void keep_for_itself(struct yk_job *job)
{
    struct yk_shared *shared = job->makes;
    if (shared == NULL)
        return;
    job->makes = NULL;
    shared->maker = NULL;
    struct yk_job *waiting = yk_shared_take_waiting(shared);
    yk_shelf_drop(&job->web->shelf, shared);
    let_go(waiting);
}

void yk__pour_abandon(struct yk_job *job)
{
    if (job->makes == NULL)
        return;
    job->makes->maker = NULL;
    (void)yk_shared_take_waiting(job->makes); /* the caller abandons these jobs, too */
    job->makes = NULL;
}

/* Makes the answer, which has an ETag, a 304 if the client has it already. */
static void skip_if_known(struct yk_job *job)
{
    struct yk_answer *answer = &job->answer;
    if (!yk_answer_is_known(job->request.if_none_match, answer->etag))
        return;
    answer->status = 304;
    answer->content_type = NULL;
    answer->gzipped = false;
}

void yk__web_validate(struct yk_job *job)
{
    if (job->etag[0] == '\0')
        return;
    job->answer.etag = job->etag;
    skip_if_known(job);
}

static void serve(struct yk_job *job, struct yk_shared *shared)
{
    struct yk_answer *answer = &job->answer;
    job->served = yk_shared_ref(shared);
    answer->etag = shared->etag;
    answer->total_count = shared->total_count;
    yk_buf_clear(&answer->next_after);
    yk_buf_str(&answer->next_after, yk_buf_view(&shared->next_after));
    answer->gzipped = shared->gzipped;
    skip_if_known(job);
    yk__web_send(job);
}

/* Equal requests have the same key. It says whether the client takes gzip, because bodies are stored as they
 * are sent. */
static void put_key(const struct yk_job *job, struct yk_buf *key)
{
    yk_buf_char(key, job->request.gzip ? 'z' : 'p');
    yk_buf_str(key, job->request.target.path);
    yk_buf_char(key, '?');
    yk_buf_str(key, job->request.target.query);
}

void yk__share(struct yk_job *job)
{
    struct yk_web *web = job->web;
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    put_key(job, &key);
    struct yk_shared *shared = yk_shelf_find(&web->shelf, yk_buf_view(&key), yk_clock_mono_ns(job->clock));
    if (shared != NULL && shared->maker != NULL) {
        yk_shared_wait(shared, job);
        return;
    }
    if (shared != NULL) {
        serve(job, shared);
        return;
    }
    job->makes = yk_shelf_begin(&web->shelf, yk_buf_view(&key), job);
    yk__web_wait_for_turn(job);
}

static void hand_out(struct yk_job *job)
{
    struct yk_shared *shared = job->makes;
    struct yk_pour *pour = job->pour;
    job->makes = NULL;
    shared->maker = NULL;
    shared->ready_mono_ns = yk_clock_mono_ns(job->clock);
    shared->body = pour->held;
    pour->held = (struct yk_buf){0};
    yk_pour_etag(pour, shared->etag, sizeof(shared->etag));
    shared->total_count = job->answer.total_count;
    yk_buf_str(&shared->next_after, yk_buf_view(&job->answer.next_after));
    shared->gzipped = pour->gzipped;
    struct yk_job *waiting = yk_shared_take_waiting(shared);
    yk_shared_ref(shared);
    while (waiting != NULL) {
        struct yk_job *other = waiting;
        waiting = other->next;
        serve(other, shared);
    }
    serve(job, shared);
    yk_shared_unref(shared);
}

/* ---- in pieces ---- */

static void end(struct yk_job *job)
{
    job->web->pouring--;
    yk__web_end_turn(job);
    yk__web_end_job(job);
}

static void end_answer(struct yk_job *job)
{
    yk__web_log_access(job, job->pour->sent);
    yk_http_end(yk_move(job->exchange));
    end(job);
}

/* Closes the connection, so that the client sees that the answer is not complete. */
static void cut(struct yk_job *job)
{
    yk__web_log_access(job, job->pour->sent);
    yk_http_cut(yk_move(job->exchange));
    end(job);
}

static bool is_from(const struct yk_job *job, const uint8_t *network)
{
    return network == NULL || memcmp(job->network, network, sizeof(job->network)) == 0;
}

static size_t count_pouring(const struct yk_web *web, const uint8_t *network)
{
    const struct yk_job *job;
    size_t count = 0;
    yk_list_foreach (job, &web->open, struct yk_job, in_open)
        count += job->pour != NULL && job->pour->begun && is_from(job, network);
    return count;
}

/* The answer whose client has not taken its piece for the longest time, among the clients from `network`
 * (NULL: among all). NULL: no piece has waited for YK_WEB_SLOW_NS. */
static struct yk_job *find_slowest(const struct yk_web *web, const uint8_t *network, int64_t now_mono_ns)
{
    struct yk_job *job, *slowest = NULL;
    yk_list_foreach (job, &web->open, struct yk_job, in_open) {
        bool counts = job->pour != NULL && job->pour->begun && job->pour->waits && is_from(job, network);
        if (counts && (slowest == NULL || job->pour->waits_mono_ns < slowest->pour->waits_mono_ns))
            slowest = job;
    }
    bool is_slow = slowest != NULL && now_mono_ns - slowest->pour->waits_mono_ns >= YK_WEB_SLOW_NS;
    return is_slow ? slowest : NULL;
}

/* Whether one more answer may be sent in pieces. If there are too many already, closes the connection of the
 * slowest client, if one is slow enough (find_slowest()). */
static bool has_capacity(const struct yk_job *job)
{
    struct yk_web *web = job->web;
    int64_t now = yk_clock_mono_ns(job->clock);
    bool of_address = count_pouring(web, job->network) >= YK_WEB_POURING_OF_ADDRESS_MAX;
    if (!of_address && web->pouring < YK_WEB_POURING_MAX)
        return true;
    struct yk_job *slowest = find_slowest(web, of_address ? job->network : NULL, now);
    if (slowest == NULL)
        return false;
    cut(slowest);
    return true;
}

static void on_taken(void *context)
{
    yk__pour_taken(context);
}

static void begin(struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
    struct yk_web *web = job->web;
    job->pour->begun = true;
    job->answer.gzipped = job->pour->gzipped;
    web->pouring++;
    web->in_flight -= job->counted;
    job->counted = false;
    yk_buf_done(&job->request.body);
    yk_server_stats_count(&web->stats, job->route, job->answer.status,
                          yk_clock_mono_ns(job->clock) - job->came_mono_ns);
    yk_answer_headers(&job->answer, &headers);
    struct yk_http_reply reply = {.status = job->answer.status,
                                  .reason = yk_answer_reason(job->answer.status),
                                  .headers = yk_buf_view(&headers),
                                  .is_answer = true};
    job->exchange->ready = on_taken;
    job->exchange->context = job;
    yk_http_begin(job->exchange, &reply);
}

/* Whether the client reads slower than YK_WEB_POUR_BYTES_PER_S, after YK_WEB_POUR_GRACE_NS. Bytes in the
 * buffers of the socket count as read. */
static bool is_too_slow(const struct yk_job *job)
{
    const struct yk_pour *pour = job->pour;
    return pour->waited_ns >
           YK_WEB_POUR_GRACE_NS + (int64_t)(pour->sent / YK_WEB_POUR_BYTES_PER_S) * YK_NS_PER_S;
}

/* Gives the socket the bytes that are held back; on_taken() of this file continues. */
static void give(struct yk_job *job)
{
    struct yk_pour *pour = job->pour;
    yk__pace_note_bytes(job->web, pour->held.len); /* first: the end of this turn may begin another one */
    yk__web_end_turn(job);
    job->place = YK_JOB_HERE;
    pour->waits = true;
    pour->waits_mono_ns = yk_clock_mono_ns(job->clock);
    pour->sent += pour->held.len;
    YK_CLEANUP(yk_buf_done) struct yk_buf piece = pour->held;
    pour->held = (struct yk_buf){.max = piece.max};
    yk_http_piece(job->exchange, yk_buf_view(&piece)); /* copied; may end the job, when the client has gone */
}

void yk__pour_taken(struct yk_job *job)
{
    struct yk_pour *pour = job->pour;
    pour->waits = false;
    pour->waited_ns += yk_clock_mono_ns(job->clock) - pour->waits_mono_ns;
    if (job->exchange->connection == NULL || is_too_slow(job)) {
        cut(job);
    } else if (pour->last) {
        end_answer(job);
    } else {
        yk__web_wait_for_turn(job);
    }
}

/* Sends what is held back if it is enough for a piece. Otherwise the job continues to write. */
static void go_on(struct yk_job *job)
{
    struct yk_pour *pour = job->pour;
    bool is_head = job->request.method == YK_METHOD_HEAD;
    if (!pour->begun && pour->held.len <= YK_POUR_HELD_MAX) {
        yk__web_post(job);
        return;
    }
    if (!pour->begun) {
        keep_for_itself(job);
        yk__web_validate(job);
        if (job->answer.status == 304) {
            yk__web_send(job);
            return;
        }
        if (!has_capacity(job)) {
            yk_pour_free(yk_move(job->pour));
            yk__web_refuse_for_now(job);
            return;
        }
        begin(job);
    }
    if (is_head) {
        end_answer(job);
    } else if (pour->held.len >= YK_POUR_PIECE) {
        give(job);
    } else {
        yk__web_post(job);
    }
}

static void send_whole(struct yk_job *job)
{
    struct yk_pour *pour = job->pour;
    if (job->makes != NULL) {
        hand_out(job);
        return;
    }
    job->answer.gzipped = pour->gzipped;
    yk_buf_done(&job->answer.body);
    job->answer.body = pour->held;
    pour->held = (struct yk_buf){0};
    if (job->has_validator) {
        yk_pour_etag(pour, job->etag, sizeof(job->etag));
        yk__web_validate(job);
    }
    yk__web_send(job);
}

static void end_pouring(struct yk_job *job)
{
    job->pour->last = true;
    if (!job->pour->begun) {
        send_whole(job);
    } else if (job->exchange->connection == NULL) {
        cut(job);
    } else if (job->pour->held.len > 0) {
        give(job);
    } else {
        end_answer(job);
    }
}

void yk__pour(struct yk_job *job, bool last)
{
    bool begun = job->pour != NULL && job->pour->begun;
    if (!last && job->route->shape != NULL)
        job->route->shape(job, false);
    if (job->answer.body.failed && begun) {
        cut(job);
        return;
    }
    if (job->exchange->connection == NULL && begun) {
        cut(job);
        return;
    }
    if (job->pour == NULL)
        job->pour = yk_pour_new(job->request.gzip);
    if (job->pour->gzip != NULL)
        yk__pace_note_compressed(job->web, job->answer.body.len);
    yk_pour_add(job->pour, &job->answer.body, last);
    job->poured = true;
    if (last)
        end_pouring(job);
    else
        go_on(job);
}

void yk__pour_refused(struct yk_job *job)
{
    keep_for_itself(job);
    if (job->pour != NULL && job->pour->begun) {
        cut(job);
        return;
    }
    yk__web_send(job);
}
