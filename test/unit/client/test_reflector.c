/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "client/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define OBJECT(name, version)                                                                                \
    "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" name "\",\"uid\":\"u-" name    \
    "\",\"resourceVersion\":\"" version "\"}}"
#define EVENT(type, name, version) "{\"type\":\"" type "\",\"object\":" OBJECT(name, version) "}\n"
#define MARK(version, annotations)                                                                           \
    "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{"         \
    "\"resourceVersion\":\"" version "\"" annotations "}}}\n"
#define BOOKMARK(version) MARK(version, "")
#define LISTED(version)   MARK(version, ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}")
#define STATUS(code, reason, details)                                                                        \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"m\","   \
    "\"reason\":\"" reason "\",\"code\":" code details "}"
#define FAILURE(code, reason) "{\"type\":\"ERROR\",\"object\":" STATUS(code, reason, "") "}\n"
#define LIST(version, rest, items)                                                                           \
    "{\"kind\":\"NamespaceList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" version         \
    "\"" rest "},\"items\":[" items "]}"
#define TOO_LARGE ",\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"m\"}]}"
#define A         "/api/v1/namespaces?watch=true&allowWatchBookmarks=true"
#define STREAM    A "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
#define WATCH(rv) A "&resourceVersion=" rv
#define PAGES     "/api/v1/namespaces?limit=500"

/* What the server does with the n-th list or watch; after the last one it lets them hang. */
struct step {
    enum { HANG, STAY, END, CUT, ANSWER, ANSWER_CUT } how;
    int status; /* ANSWER */
    const char *text;
    const char *retry_after;
};

struct script {
    struct step steps[8];
    size_t at;
};

static void play(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)path;
    struct world *world = context;
    struct script *script = world->script;
    const struct step *step = &script->steps[YK_MIN(script->at, YK_COUNT(script->steps) - 1)];
    script->at++;
    switch (step->how) {
    case HANG:
        return;
    case ANSWER:
        mock_answer(request, step->status, step->retry_after != NULL ? "Retry-After" : NULL,
                    step->retry_after, step->text);
        return;
    case STAY:
    case END:
    case CUT:
    case ANSWER_CUT:
        mock_stream_open(mock, request, "application/json");
        if (step->text != NULL)
            mock_stream_text(mock, step->text);
        if (step->how == END)
            mock_stream_end(mock);
        return;
    }
}

static void lists_and_watches(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct step steps[8];
        const char *seen, *asked;
    } cases[] = {
        {"a streaming list goes on live in the same stream",
         {{STAY, 0,
           EVENT("ADDED", "a", "1") EVENT("ADDED", "b", "2") LISTED("5") EVENT("MODIFIED", "a", "6")
               EVENT("DELETED", "b", "7"),
           NULL}},
         "[ +a@1 +b@2 ] +a@6 -b@7 ",
         STREAM "\n"},
        {"a server without streaming lists is asked for pages, then watched from the list's version",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER, 200, LIST("9", "", OBJECT("a", "1") "," OBJECT("b", "2")), NULL},
          {STAY, 0, EVENT("ADDED", "c", "10"), NULL}},
         "[ +a@1 +b@2 ] +c@10 ",
         STREAM "\n" PAGES "&resourceVersion=0\n" WATCH("9") "\n"},
        {"pages are followed without a version, the first one's version counts",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER, 200, LIST("9", ",\"continue\":\"t/1\"", OBJECT("a", "1")), NULL},
          {ANSWER, 200, LIST("12", "", OBJECT("b", "2")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 +b@2 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" PAGES "&continue=t%2F1\n" WATCH("9") "\n"},
        {"an expired continuation becomes one whole list",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER, 200, LIST("9", ",\"continue\":\"t\"", OBJECT("a", "1")), NULL},
          {ANSWER, 410, STATUS("410", "Expired", ""), NULL},
          {ANSWER, 200, LIST("12", "", OBJECT("a", "1") "," OBJECT("b", "2")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 [ +a@1 +b@2 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" PAGES "&continue=t\n"
                "/api/v1/namespaces?resourceVersion=0\n" WATCH("12") "\n"},
        {"a list that is too new for the server is asked for again, as new as it has",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER, 504, STATUS("504", "Timeout", TOO_LARGE), NULL},
          {ANSWER, 200, LIST("3", "", OBJECT("a", "1")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" PAGES "\n" WATCH("3") "\n"},
        {"an expired watch lists again, from the last version on",
         {{STAY, 0, EVENT("ADDED", "a", "1") LISTED("5") EVENT("ADDED", "b", "6") FAILURE("410", "Expired"),
           NULL},
          {STAY, 0, EVENT("ADDED", "b", "6") LISTED("20"), NULL}},
         "[ +a@1 ] +b@6 [ +b@6 ] ",
         STREAM "\n" STREAM "&resourceVersion=6\n"},
        {"a version from the future lists the newest there is",
         {{STAY, 0, LISTED("5000"), NULL}, {HANG, 0, NULL, NULL}},
         "[ ] ",
         STREAM "\n"},
        {"a clean end resumes at the last version, which a bookmark has moved",
         {{END, 0, EVENT("ADDED", "a", "1") LISTED("5") BOOKMARK("30"), NULL},
          {STAY, 0, EVENT("DELETED", "a", "31"), NULL}},
         "[ +a@1 ] -a@31 ",
         STREAM "\n" WATCH("30") "\n"},
        {"an object without a version is no place to resume from either",
         {{END, 0, LISTED("5") EVENT("ADDED", "a", "6") EVENT("MODIFIED", "a", ""), NULL},
          {STAY, 0, EVENT("DELETED", "a", "7"), NULL}},
         "[ ] +a@6 +a@ -a@7 ",
         STREAM "\n" WATCH("6") "\n"},
        {"a bookmark before the end of the list is no place to resume from",
         {{END, 0, EVENT("ADDED", "a", "1") BOOKMARK("30"), NULL},
          {STAY, 0, EVENT("ADDED", "a", "1") LISTED("40"), NULL}},
         "[ +a@1 [ +a@1 ] ",
         STREAM "\n" STREAM "\n"},
        {"a watch cut in the middle of an object resumes before that object",
         {{CUT, 0, EVENT("ADDED", "a", "1") LISTED("5") "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Na",
           NULL},
          {STAY, 0, EVENT("ADDED", "b", "6"), NULL}},
         "[ +a@1 ] +b@6 ",
         STREAM "\n" WATCH("5") "\n"},
        {"an object that makes no sense does not take its neighbours along",
         {{STAY, 0,
           EVENT("ADDED", "a", "1") "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Namespace\",\"metadata\":\"?"
                                    "\"}}\n" EVENT("ADDED", "c", "3") LISTED("5"),
           NULL}},
         "[ +a@1 +c@3 ] ",
         STREAM "\n"},
        {"an item that makes no sense does not stop a list",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER, 200, LIST("9", "", OBJECT("a", "1") ",{\"metadata\":[]}," OBJECT("c", "3")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 +c@3 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" WATCH("9") "\n"},
        {"garbage instead of an event: the same place again, then a list that goes past it",
         {{STAY, 0, EVENT("ADDED", "a", "1") LISTED("5") "<html>", NULL},
          {STAY, 0, "<html>", NULL},
          {STAY, 0, EVENT("ADDED", "b", "8") LISTED("9"), NULL}},
         "[ +a@1 ] [ +b@8 ] ",
         STREAM "\n" WATCH("5") "\n" STREAM "&resourceVersion=5\n"},
        {"garbage in a streaming list: pages instead",
         {{STAY, 0, EVENT("ADDED", "a", "1") "]", NULL},
          {ANSWER, 200, LIST("9", "", OBJECT("a", "1")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 [ +a@1 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" WATCH("9") "\n"},
        {"a list that is cut is read again from its beginning",
         {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
          {ANSWER_CUT, 0, "{\"kind\":\"NamespaceList\",\"items\":[" OBJECT("a", "1") ",{\"meta", NULL},
          {ANSWER, 200, LIST("9", "", OBJECT("a", "1")), NULL},
          {STAY, 0, NULL, NULL}},
         "[ +a@1 [ +a@1 ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" PAGES "&resourceVersion=0\n" WATCH("9") "\n"},
        {"a watch that ends at once without an event is no watch: list again",
         {{END, 0, EVENT("ADDED", "a", "1") LISTED("5"), NULL},
          {END, 0, NULL, NULL},
          {STAY, 0, EVENT("ADDED", "a", "1") LISTED("6"), NULL}},
         "[ +a@1 ] [ +a@1 ] ",
         STREAM "\n" WATCH("5") "\n" STREAM "&resourceVersion=5\n"},
        {"a server error on the watch lists again",
         {{STAY, 0, LISTED("5") FAILURE("500", "InternalError"), NULL}, {STAY, 0, LISTED("6"), NULL}},
         "[ ] [ ] ",
         STREAM "\n" STREAM "&resourceVersion=5\n"},
        {"too many requests: the watch is tried again, not the list",
         {{STAY, 0, LISTED("5") FAILURE("429", "TooManyRequests"), NULL},
          {STAY, 0, EVENT("ADDED", "a", "6"), NULL}},
         "[ ] +a@6 ",
         STREAM "\n" WATCH("5") "\n"},
        {"forbidden: asked for again, both ways, until it is allowed",
         {{ANSWER, 403, STATUS("403", "Forbidden", ""), NULL},
          {ANSWER, 403, STATUS("403", "Forbidden", ""), NULL},
          {STAY, 0, LISTED("6"), NULL}},
         "[ ] ",
         STREAM "\n" PAGES "&resourceVersion=0\n" STREAM "\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct script script = {.at = 0};
        memcpy(script.steps, cases[i].steps, sizeof(script.steps));
        world_open(&world, 0, play, &script);
        world_watch(&world, YK_KIND_NAMESPACE);
        for (int turns = 0; turns < 60; turns++) {
            const struct step *last = &script.steps[script.at > 0 ? script.at - 1 : 0];
            if (strcmp(yk_buf_cstr(&world.seen), cases[i].seen) == 0 &&
                strcmp(yk_buf_cstr(&world.asked), cases[i].asked) == 0)
                break;
            world_settle(&world);
            if ((last->how == CUT || last->how == ANSWER_CUT) && world.mock.stream != NULL)
                mock_stream_cut(&world.mock);
            if (yk_timers_next_ns(&yk_client_timers(world.server)->timers) != INT64_MAX)
                world_advance(&world, YK_NS_PER_S);
        }
        if (strcmp(yk_buf_cstr(&world.seen), cases[i].seen) != 0 ||
            strcmp(yk_buf_cstr(&world.asked), cases[i].asked) != 0)
            fail_msg("%s: saw '%s', wanted '%s'; asked for\n%swanted\n%s", cases[i].what,
                     yk_buf_cstr(&world.seen), cases[i].seen, yk_buf_cstr(&world.asked), cases[i].asked);
        world_close(&world);
    }
}

static void server_down_at_start_and_in_the_middle(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.steps = {{STAY, 0, EVENT("ADDED", "a", "1") LISTED("5"), NULL},
                                      {STAY, 0, EVENT("ADDED", "b", "6"), NULL}}};
    world_open(&world, 0, play, &script);
    mock_close(&world.mock);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_advance(&world, YK_NS_PER_S);
    assert_string_equal(yk_buf_cstr(&world.seen), "");
    mock_reopen(&world.mock);
    world_advance_until_seen(&world, "[ +a@1 ] ");

    mock_close(&world.mock);
    world_settle(&world);
    world_advance(&world, 10 * YK_NS_PER_S);
    mock_reopen(&world.mock);
    world_advance_until_seen(&world, "[ +a@1 ] +b@6 ");
    assert_string_equal(yk_buf_cstr(&world.asked), STREAM "\n" WATCH("5") "\n");
    world_close(&world);
}

/* Who looks at the end of a long log still sees it, and nothing said twice. */
static void trouble_is_told_each_minute(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.steps = {{STAY, 0, LISTED("5"), NULL}}};
    char log[16384] = "";
    int told = 0;
    world_open(&world, 0, play, &script);
    mock_close(&world.mock);
    FILE *stream = tmpfile(); /* a line goes to its descriptor */
    assert_non_null(stream);
    yk_log_set_stream(stream);
    world_watch(&world, YK_KIND_NAMESPACE);
    for (int i = 0; i < 15; i++)
        world_advance(&world, 20 * YK_NS_PER_S);
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(log, 1, sizeof(log) - 1, stream), 0);
    (void)fclose(stream);
    for (const char *rest = log; (rest = strstr(rest, "list not possible yet")) != NULL; rest++)
        told++;
    assert_in_range(told, 3, 5);
    const char *kind = strstr(log, "connect to server");
    assert_non_null(kind);
    const char *line_end = strchr(kind, '\n');
    assert_null(memmem(kind + 1, (size_t)(line_end - kind - 1), "connect to server", 17));
    assert_non_null(strstr(log, "s\"}")); /* retry_in as a duration */
    world_close(&world);
}

static size_t count_of(const char *log, const char *words)
{
    size_t count = 0;
    for (const char *rest = log; (rest = strstr(rest, words)) != NULL; rest++)
        count++;
    return count;
}

/* One line each 30 s for all watches together, and one at the end; nothing of a short interruption. */
static void an_outage_is_logged_each_30_s(void **state)
{
    (void)state;
    static const char down[] = "the API server does not answer", up[] = "the API server answers again";
    struct world world;
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.steps); i++)
        script.steps[i] = (struct step){STAY, 0, LISTED("5"), NULL};
    char log[65536] = "";
    world_open(&world, 0, play, &script);
    FILE *stream = tmpfile(); /* a line goes to its descriptor */
    assert_non_null(stream);
    yk_log_set_stream(stream);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_watch(&world, YK_KIND_NODE);
    world_until(&world, &script.at, 2, "both watches");
    size_t seconds = 0; /* of the second round */
    for (int round = 0; round < 2; round++) {
        size_t asked = script.at;
        mock_close(&world.mock);
        world_settle(&world);
        seconds = round == 0 ? 5 : 100;
        world_pass(&world, (int64_t)seconds * YK_NS_PER_S, YK_NS_PER_S);
        assert_true(yk_client_is_cut_off(world.server));
        mock_reopen(&world.mock);
        for (int i = 0; i < 200 && script.at < asked + 2; i++, seconds++)
            world_advance(&world, YK_NS_PER_S);
        world_until(&world, &script.at, asked + 2, "both watches again");
        world_settle(&world);
        assert_false(yk_client_is_cut_off(world.server));
    }
    world_advance(&world, 60 * YK_NS_PER_S);
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(log, 1, sizeof(log) - 1, stream), 0);
    (void)fclose(stream);
    assert_in_range(count_of(log, down), 3, seconds / 30);
    assert_int_equal(count_of(log, up), 1);
    assert_non_null(strstr(log, "\"tries\": "));
    world_close(&world);
}

/* The first watch that gets an answer brings back the others, whose back-off may have most of a minute
 * left. */
static void all_watches_return_with_the_first(void **state)
{
    (void)state;
    static const enum yk_kind kinds[] = {YK_KIND_NAMESPACE, YK_KIND_NODE, YK_KIND_POD,
                                         YK_KIND_PRIORITY_CLASS};
    struct world world;
    struct script script = {.at = 0};
    for (size_t i = 0; i < YK_COUNT(script.steps); i++)
        script.steps[i] = (struct step){STAY, 0, LISTED("5"), NULL};
    world_open(&world, 0, play, &script);
    for (size_t i = 0; i < YK_COUNT(kinds); i++)
        world_watch(&world, kinds[i]);
    world_until(&world, &script.at, YK_COUNT(kinds), "all watches");
    mock_close(&world.mock);
    world_settle(&world);
    world_pass(&world, 300 * YK_NS_PER_S, YK_NS_PER_S);
    size_t asked = script.at;
    mock_reopen(&world.mock);
    for (int i = 0; i < 600 && script.at == asked; i++)
        world_pass(&world, YK_NS_PER_S / 10, YK_NS_PER_S / 10);
    world_until(&world, &script.at, asked + 1, "the first watch");
    world_settle(&world);
    world_advance(&world, YK_NS_PER_S);
    world_until(&world, &script.at, asked + YK_COUNT(kinds), "all watches within a second");
    world_close(&world);
}

static void retry_after_is_waited_for(void **state)
{
    (void)state;
    struct world world;
    struct script script = {
        .steps = {{ANSWER, 429, STATUS("429", "TooManyRequests", ""), "17"}, {STAY, 0, LISTED("5"), NULL}}};
    world_open(&world, 0, play, &script);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until(&world, &script.at, 1, "the first request");
    world_settle(&world);
    world_advance(&world, 16 * YK_NS_PER_S);
    assert_int_equal(script.at, 1);
    world_advance(&world, 2 * YK_NS_PER_S);
    world_until_seen(&world, "[ ] ");
    world_close(&world);
}

static void silent_watch_is_opened_anew(void **state)
{
    (void)state;
    struct world world;
    struct script script = {
        .steps = {{STAY, 0, LISTED("5"), NULL}, {STAY, 0, EVENT("ADDED", "a", "6"), NULL}}};
    world_open(&world, 0, play, &script);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until_seen(&world, "[ ] ");
    for (int i = 0; i < 17; i++)
        world_advance(&world, 10 * YK_NS_PER_S);
    assert_int_equal(script.at, 1);
    world_advance(&world, 10 * YK_NS_PER_S);
    world_advance(&world, 10 * YK_NS_PER_S);
    world_until_seen(&world, "[ ] +a@6 ");
    assert_string_equal(yk_buf_cstr(&world.asked), STREAM "\n" WATCH("5") "\n");
    world_close(&world);
}

/* Bytes that are no event and no bookmark keep no watch open. */
static void watch_of_white_space_is_opened_anew(void **state)
{
    (void)state;
    struct world world;
    struct script script = {
        .steps = {{STAY, 0, LISTED("5"), NULL}, {STAY, 0, EVENT("ADDED", "a", "6"), NULL}}};
    world_open(&world, 0, play, &script);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until_seen(&world, "[ ] ");
    for (int i = 0; i < 20 && script.at == 1; i++) {
        if (world.mock.stream != NULL)
            mock_stream_text(&world.mock, " \n ");
        world_advance(&world, 10 * YK_NS_PER_S);
    }
    world_until_seen(&world, "[ ] +a@6 ");
    assert_string_equal(yk_buf_cstr(&world.asked), STREAM "\n" WATCH("5") "\n");
    world_close(&world);
}

/* A page whose items never come is given up as well. */
static void page_of_white_space_is_given_up(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.steps = {{ANSWER, 422, STATUS("422", "Invalid", ""), NULL},
                                      {STAY, 0, "{\"metadata\":{},\"items\":[", NULL},
                                      {ANSWER, 200, LIST("9", "", OBJECT("a", "1")), NULL},
                                      {STAY, 0, NULL, NULL}}};
    world_open(&world, 0, play, &script);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until(&world, &script.at, 2, "the page");
    for (int i = 0; i < 10 && script.at == 2; i++) {
        if (world.mock.stream != NULL)
            mock_stream_text(&world.mock, " \n ");
        world_advance(&world, 10 * YK_NS_PER_S);
    }
    assert_true(script.at > 2);
    world_until_seen(&world, "[ [ +a@1 ] ");
    world_close(&world);
}

/* What is no event is no progress: the next try comes after a pause. */
static void answers_that_are_no_stream_are_not_repeated_at_once(void **state)
{
    (void)state;
    static const char *const answers[] = {"{}", "{}{}{}", "", " ", "{\"type\":\"ADDED\"}"};
    for (size_t i = 0; i < YK_COUNT(answers); i++) {
        struct world world;
        struct script script = {.steps = {{END, 0, LISTED("5") EVENT("ADDED", "a", "6"), NULL}}};
        for (size_t at = 1; at < YK_COUNT(script.steps); at++)
            script.steps[at] = (struct step){ANSWER, 200, answers[i], NULL};
        world_open(&world, 0, play, &script);
        world_watch(&world, YK_KIND_NAMESPACE);
        world_until_seen(&world, "[ ] +a@6 ");
        for (int turns = 0; turns < 4; turns++)
            world_settle(&world);
        if (script.at > 2)
            fail_msg("'%s': %zu requests at once", answers[i], script.at);
        for (int waits = 0; waits < 10; waits++)
            world_advance(&world, 6 * YK_NS_PER_S);
        if (script.at < 3 || script.at > 15)
            fail_msg("'%s': %zu requests in a minute", answers[i], script.at);
        world_close(&world);
    }
}

/* Too large frames are refused by their length alone: four bytes decide. */
static void protobuf(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)path;
    static const unsigned char huge[] = {0x7f, 0xff, 0xff, 0xff, 0x0a};
    static const unsigned char nonsense[] = {0, 0, 0, 2, 0xff, 0xff};
    struct world *world = context;
    size_t *requests = world->script;
    (*requests)++;
    if (*requests == 1) {
        assert_string_equal(mock_header(request, "Accept"),
                            "application/vnd.kubernetes.protobuf;stream=watch, application/json");
        mock_stream_open(mock, request, "application/vnd.kubernetes.protobuf;stream=watch");
        mock_stream_send(mock, nonsense, sizeof(nonsense)); /* skipped: its end is known */
        mock_stream_send(mock, huge, sizeof(huge));
    } else if (*requests == 2) {
        assert_string_equal(mock_header(request, "Accept"), "application/json");
        mock_answer(
            request, 200, NULL, NULL,
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":"
            "[{\"metadata\":{\"name\":\"p\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"3\"}}]}");
    }
}

static void oversized_frame_falls_back_to_json(void **state)
{
    (void)state;
    struct world world;
    size_t requests = 0;
    world_open(&world, 0, protobuf, &requests);
    world_watch(&world, YK_KIND_POD);
    world_until(&world, &requests, 1, "the watch");
    world_advance_until_seen(&world, "[ [ +p@3 ] ");
    world_close(&world);
}

static void hang(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock, (void)path;
    struct world *world = context;
    size_t *json_only = world->script;
    *json_only += strcmp(mock_header(request, "Accept"), "application/json") == 0;
}

static void each_kind_is_asked_for_where_it_is(void **state)
{
    (void)state;
    static const struct {
        enum yk_kind kind;
        const char *path;
        bool json_only;
    } cases[] = {
        {YK_KIND_POD, "/api/v1/pods?", false},
        {YK_KIND_NODE, "/api/v1/nodes?", false},
        {YK_KIND_NAMESPACE, "/api/v1/namespaces?", true},
        {YK_KIND_PRIORITY_CLASS, "/apis/scheduling.k8s.io/v1/priorityclasses?", true},
        {YK_KIND_CONFIG_MAP, "/api/v1/configmaps?", true},
        {YK_KIND_DISRUPTION_BUDGET, "/apis/policy/v1/poddisruptionbudgets?", true},
        {YK_KIND_DEVICE_CLASS, "/apis/resource.k8s.io/v1/deviceclasses?", true},
        {YK_KIND_MUTATING_WEBHOOKS, "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?",
         true},
        {YK_KIND_VOLUME_CLAIM, "/api/v1/persistentvolumeclaims?", false},
        {YK_KIND_VOLUME, "/api/v1/persistentvolumes?", false},
        {YK_KIND_STORAGE_CLASS, "/apis/storage.k8s.io/v1/storageclasses?", false},
        {YK_KIND_CSI_NODE, "/apis/storage.k8s.io/v1/csinodes?", false},
        {YK_KIND_CSI_DRIVER, "/apis/storage.k8s.io/v1/csidrivers?", false},
        {YK_KIND_CSI_CAPACITY, "/apis/storage.k8s.io/v1/csistoragecapacities?", false},
        {YK_KIND_VOLUME_ATTACHMENT, "/apis/storage.k8s.io/v1/volumeattachments?", false},
    };
    YK_STATIC_ASSERT(YK_COUNT(cases) == YK_KIND_COUNT, "all kinds");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        size_t json_only = 0;
        world_open(&world, 0, hang, &json_only);
        world_watch(&world, cases[i].kind);
        world_until(&world, &world.asked.len, 1, yk_kind_name(cases[i].kind));
        if (!yk_str_starts(yk_buf_view(&world.asked), cases[i].path) || json_only != cases[i].json_only)
            fail_msg("%s: %s, %zu", yk_kind_name(cases[i].kind), yk_buf_cstr(&world.asked), json_only);
        world_close(&world);
    }
}

/* K17: a kind that the API server does not have is not asked for until discovery finds it. */
static void a_kind_that_may_be_missing(void **state)
{
    (void)state;
    struct world world;
    size_t json_only = 0;
    world_open(&world, 0, hang, &json_only);
    world.without_devices = true;
    world_watch(&world, YK_KIND_DEVICE_CLASS);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until(&world, &world.asked.len, 1, "namespaces");
    world_settle(&world);
    assert_null(strstr(yk_buf_cstr(&world.asked), "deviceclasses"));
    yk_buf_clear(&world.asked);
    world.without_devices = false;
    yk_discovery_refresh(yk_client_discovery(world.server));
    world_advance(&world, 1);
    world_until(&world, &world.asked.len, 1, "device classes");
    assert_true(yk_str_starts(yk_buf_view(&world.asked), "/apis/resource.k8s.io/v1/deviceclasses?"));
    yk_buf_clear(&world.asked);
    yk_discovery_refresh(yk_client_discovery(world.server)); /* it is watched once */
    world_advance(&world, 1);
    world_settle(&world);
    assert_int_equal(world.asked.len, 0);
    world_close(&world);
}

/* Discovery is repeated after a 403, which an operator can mend, and not after a 404. */
static void refused_discovery_is_repeated(void **state)
{
    (void)state;
    static const struct {
        int status;
        bool is_repeated;
    } cases[] = {{403, true}, {404, false}, {500, true}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        size_t json_only = 0;
        world_open(&world, 0, hang, &json_only);
        world.groups_status = cases[i].status;
        world_watch(&world, YK_KIND_DEVICE_CLASS);
        world_until(&world, &world.groups_asked, 1, "/apis");
        world_settle(&world);
        assert_int_equal(world.groups_asked, 1);
        world_advance(&world, 2 * YK_NS_PER_S); /* the first back-off is at most 1.6 s */
        world_settle(&world);
        if ((world.groups_asked == 2) != cases[i].is_repeated)
            fail_msg("%d: asked %zu times", cases[i].status, world.groups_asked);
        world.groups_status = 0;
        world_advance(&world, 4 * YK_NS_PER_S);
        world_settle(&world);
        if ((strstr(yk_buf_cstr(&world.asked), "deviceclasses") != NULL) != cases[i].is_repeated)
            fail_msg("%d: asked for '%s'", cases[i].status, yk_buf_cstr(&world.asked));
        world_close(&world);
    }
}

static void groups_are_asked_for_without_a_version(void **state)
{
    (void)state;
    struct world world;
    size_t json_only = 0;
    world_open(&world, 0, hang, &json_only);
    world.version_status = 404;
    world_watch(&world, YK_KIND_DEVICE_CLASS);
    world_until(&world, &world.groups_asked, 1, "/apis");
    world_until(&world, &world.asked.len, 1, "device classes");
    world_close(&world);
}

/* A receiver that does not keep up: the stream stands still and nothing is lost. */
static void many(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)path;
    (void)context;
    struct yk_buf text = {0};
    mock_stream_open(mock, request, "application/json");
    for (int i = 0; i < 4000; i++)
        yk_buf_printf(&text, EVENT("ADDED", "n%d", "%d"), i, i, i + 1);
    yk_buf_text(&text, LISTED("5000"));
    mock_stream_send(mock, text.p, text.len);
    yk_buf_done(&text);
}

static void full_mailbox_pauses_the_stream(void **state)
{
    (void)state;
    struct world world;
    struct yk_buf want = {0};
    world_open(&world, WORLD_SMALL_INBOX, many, NULL);
    world_watch(&world, YK_KIND_NAMESPACE);
    yk_buf_text(&want, "[ ");
    for (int i = 0; i < 4000; i++)
        yk_buf_printf(&want, "+n%d@%d ", i, i + 1);
    yk_buf_text(&want, "] ");
    world_until_seen(&world, yk_buf_cstr(&want));
    yk_buf_done(&want);
    world_close(&world);
}

static void nothing_comes_after_stop(void **state)
{
    (void)state;
    struct world world;
    struct script script = {.steps = {{STAY, 0, LISTED("5"), NULL}, {STAY, 0, LISTED("5"), NULL}}};
    world_open(&world, 0, play, &script);
    world_watch(&world, YK_KIND_NAMESPACE);
    world_until_seen(&world, "[ ] ");
    mock_stream_text(&world.mock, EVENT("ADDED", "late", "6"));
    yk_api_stop(world.server);
    world_advance(&world, 60 * YK_NS_PER_S);
    assert_string_equal(yk_buf_cstr(&world.seen), "[ ] ");
    assert_int_equal(script.at, 1);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_watches),
        cmocka_unit_test(a_kind_that_may_be_missing),
        cmocka_unit_test(refused_discovery_is_repeated),
        cmocka_unit_test(groups_are_asked_for_without_a_version),
        cmocka_unit_test(server_down_at_start_and_in_the_middle),
        cmocka_unit_test(trouble_is_told_each_minute),
        cmocka_unit_test(an_outage_is_logged_each_30_s),
        cmocka_unit_test(all_watches_return_with_the_first),
        cmocka_unit_test(retry_after_is_waited_for),
        cmocka_unit_test(silent_watch_is_opened_anew),
        cmocka_unit_test(watch_of_white_space_is_opened_anew),
        cmocka_unit_test(page_of_white_space_is_given_up),
        cmocka_unit_test(answers_that_are_no_stream_are_not_repeated_at_once),
        cmocka_unit_test(oversized_frame_falls_back_to_json),
        cmocka_unit_test(each_kind_is_asked_for_where_it_is),
        cmocka_unit_test(full_mailbox_pauses_the_stream),
        cmocka_unit_test(nothing_comes_after_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
