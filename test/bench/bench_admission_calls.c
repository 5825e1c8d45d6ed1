/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the admission controller takes to answer, without an API server in between.
 *
 *     bench_admission_calls --url URL --ca FILE [--rate CALLS_PER_S] [--at-once N] [--calls N] [--get]
 * [--name NAME]
 *
 * The client connects as an API server does: HTTP/1.1, TLS sessions are not resumed, 25 connections are kept
 * while they are not in use, and a further call at the same time opens another one. Calls arrive as a Poisson
 * process, or N are in flight all the time. The time of a call runs from when it is due to the end of its
 * answer; for the first call of a connection it includes the handshakes. --get asks for URL (/health) instead
 * of posting a review. Every call must be answered with 200, else there is no result. One JSON line.
 */
#include "base/base.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/version.h"

#include <curl/curl.h>
#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { CALLS_MAX = 10000000, AT_ONCE_MAX = 1000, IDLE_MAX = 25, LIMIT_S = 600 };

struct call {
    CURL *easy;
    int64_t due_ns;
    struct call *next; /* that is not in use */
};

struct bench {
    const char *url, *ca, *name;
    uint64_t rate, at_once, calls; /* rate 0: `at_once` are in flight */
    bool is_get;
    CURLM *multi;
    struct curl_slist *headers;
    struct call *unused;
    int timer;
    struct yk_random random;
    int64_t first_ns, last_ns, next_due_ns;
    int64_t *took_ns; /* of calls that are done */
    size_t begun, done, most_in_flight;
    long connections;
};

static const char review[] =
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":"
    "\"705ab4f5-6393-11e8-b7cc-42010a800002\",\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"},"
    "\"resource\":{\"group\":\"\",\"version\":\"v1\",\"resource\":\"pods\"},\"name\":\"a\",\"namespace\":"
    "\"bench\","
    "\"operation\":\"CREATE\",\"userInfo\":{\"username\":\"ann\",\"groups\":[\"system:authenticated\"]},"
    "\"object\":"
    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"bench\",\"labels\":"
    "{\"team\":"
    "\"bench\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"pause\",\"resources\":{\"requests\":{"
    "\"cpu\":"
    "\"10m\",\"memory\":\"10Mi\"}}}],\"schedulerName\":\"default-scheduler\"},\"status\":{}},\"oldObject\":"
    "null,"
    "\"dryRun\":false,\"options\":{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}}}";

_Noreturn static void die(const char *what)
{
    (void)fprintf(stderr, "bench_admission_calls: %s: no result\n", what);
    exit(1);
}

static int64_t now_ns(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

static size_t drop(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes, (void)context;
    return size * count;
}

static struct call *call_new(const struct bench *bench)
{
    struct call *call = yk_new0(struct call);
    call->easy = curl_easy_init();
    if (call->easy == NULL)
        die("out of memory");
    curl_easy_setopt(call->easy, CURLOPT_URL, bench->url);
    curl_easy_setopt(call->easy, CURLOPT_CAINFO, bench->ca);
    curl_easy_setopt(call->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(call->easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    curl_easy_setopt(call->easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(call->easy, CURLOPT_TIMEOUT, 10L); /* as an API server */
    curl_easy_setopt(call->easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(call->easy, CURLOPT_PRIVATE, call);
    if (bench->is_get)
        return call;
    curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, bench->headers);
    curl_easy_setopt(call->easy, CURLOPT_POSTFIELDS, review);
    curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE, (long)strlen(review));
    return call;
}

static void begin(struct bench *bench, int64_t due_ns)
{
    struct call *call = bench->unused;
    if (call == NULL)
        call = call_new(bench);
    else
        bench->unused = call->next;
    call->due_ns = due_ns;
    bench->begun++;
    bench->most_in_flight = YK_MAX(bench->most_in_flight, bench->begun - bench->done);
    if (bench->begun - bench->done > AT_ONCE_MAX)
        die("more than 1000 calls at once, it does not keep up");
    if (curl_multi_add_handle(bench->multi, call->easy) != CURLM_OK)
        die("libcurl refuses a call");
}

static void finish(struct bench *bench, const CURLMsg *message)
{
    struct call *call;
    long status = 0, connects = 0;
    CURL *easy = message->easy_handle;
    if (message->data.result != CURLE_OK)
        die(curl_easy_strerror(message->data.result));
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connects);
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call);
    if (status != 200)
        die("a status other than 200");
    bench->connections += connects;
    bench->last_ns = now_ns();
    bench->took_ns[bench->done++] = bench->last_ns - call->due_ns;
    curl_multi_remove_handle(bench->multi, easy);
    call->next = bench->unused;
    bench->unused = call;
}

static void finish_all(struct bench *bench)
{
    const CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(bench->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE)
            finish(bench, message);
    }
}

/* Begins what is due, and sets the timer to what is due next. */
static void begin_due(struct bench *bench)
{
    int64_t now = now_ns();
    while (bench->rate == 0 && bench->begun < bench->calls && bench->begun - bench->done < bench->at_once)
        begin(bench, now);
    while (bench->rate > 0 && bench->begun < bench->calls && bench->next_due_ns <= now) {
        begin(bench, bench->next_due_ns);
        double gap_s = -log(1 - yk_random_unit(&bench->random)) / (double)bench->rate;
        bench->next_due_ns += (int64_t)(gap_s * (double)YK_NS_PER_S);
    }
    if (bench->begun == bench->calls)
        bench->next_due_ns = 0; /* disarms it */
    const struct itimerspec at = {.it_value = {.tv_sec = bench->next_due_ns / YK_NS_PER_S,
                                               .tv_nsec = bench->next_due_ns % YK_NS_PER_S}};
    if (timerfd_settime(bench->timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
        die("the timer");
}

static void run(struct bench *bench)
{
    int running;
    bench->first_ns = bench->next_due_ns = now_ns();
    while (bench->done < bench->calls) {
        struct curl_waitfd timer = {.fd = bench->timer, .events = CURL_WAIT_POLLIN};
        begin_due(bench);
        if (curl_multi_perform(bench->multi, &running) != CURLM_OK)
            die("libcurl");
        finish_all(bench);
        if (now_ns() - bench->first_ns > LIMIT_S * YK_NS_PER_S)
            die("too slow");
        if (curl_multi_poll(bench->multi, &timer, 1, 1000, NULL) != CURLM_OK)
            die("libcurl");
    }
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double percentile_ms(const struct bench *bench, double share)
{
    return (double)bench->took_ns[(size_t)(share * (double)(bench->calls - 1) + 0.5)] / (double)YK_NS_PER_MS;
}

static void report(struct bench *bench)
{
    qsort(bench->took_ns, bench->calls, sizeof(*bench->took_ns), by_time);
    double took_s = (double)(bench->last_ns - bench->first_ns) / (double)YK_NS_PER_S;
    (void)printf(
        "{\"case\":\"admission-calls\",\"name\":\"%s\",\"rate\":%llu,\"calls\":%llu,\"calls_per_s\":%.1f,"
        "\"most_in_flight\":%zu,\"connections\":%ld,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,"
        "\"version\":\"%s\",\"revision\":\"%s\"}\n",
        bench->name, (unsigned long long)bench->rate, (unsigned long long)bench->calls,
        (double)bench->calls / took_s, bench->most_in_flight, bench->connections, percentile_ms(bench, 0.5),
        percentile_ms(bench, 0.99), percentile_ms(bench, 1), yk_version, yk_revision);
}

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {
        {"url", required_argument, NULL, 'u'},   {"ca", required_argument, NULL, 'a'},
        {"rate", required_argument, NULL, 'r'},  {"at-once", required_argument, NULL, 'o'},
        {"calls", required_argument, NULL, 'c'}, {"get", no_argument, NULL, 'g'},
        {"name", required_argument, NULL, 'n'},  {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t *number = c == 'r' ? &bench->rate : c == 'o' ? &bench->at_once : &bench->calls;
        const char **text = c == 'u' ? &bench->url : c == 'a' ? &bench->ca : &bench->name;
        if (c == 'g')
            bench->is_get = true;
        else if (strchr("uan", c) != NULL)
            *text = optarg;
        else if (strchr("roc", c) == NULL || yk_str_to_u64(yk_str_from(optarg), number) != YK_OK)
            die("wrong arguments");
    }
    if (bench->url == NULL || bench->ca == NULL || bench->calls == 0 || bench->calls > CALLS_MAX ||
        bench->at_once == 0 || bench->at_once > AT_ONCE_MAX)
        die("usage: bench_admission_calls --url URL --ca FILE [--rate CALLS_PER_S] [--at-once N] [--calls N] "
            "[--get] [--name NAME]");
}

static void tear_down(struct bench *bench)
{
    for (struct call *call = bench->unused, *next; call != NULL; call = next) {
        next = call->next;
        curl_easy_cleanup(call->easy);
        free(call);
    }
    curl_multi_cleanup(bench->multi);
    curl_slist_free_all(bench->headers);
    curl_global_cleanup();
    (void)close(bench->timer);
    free(bench->took_ns);
}

int main(int argc, char **argv)
{
    struct bench bench = {.name = "calls", .at_once = 1, .calls = 30000};
    read_arguments(argc, argv, &bench);
    bench.took_ns = yk_new0_array(int64_t, bench.calls);
    yk_random_init(&bench.random, 1);
    bench.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (bench.timer < 0 || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        die("libcurl");
    bench.multi = curl_multi_init();
    bench.headers = curl_slist_append(NULL, "Content-Type: application/json");
    bench.headers = curl_slist_append(bench.headers, "Expect:");
    curl_multi_setopt(bench.multi, CURLMOPT_MAXCONNECTS, (long)IDLE_MAX);
    run(&bench);
    report(&bench);
    tear_down(&bench);
    return 0;
}
