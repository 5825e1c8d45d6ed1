/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients of the REST interface that list everything without pause, for measurements beside them.
 *
 *     bench_rest_clients --port PORT [--clients N] [--per-s R] [--save FOLDER]
 *     bench_rest_clients --serve FOLDER --port PORT
 *
 * Each of N (3) clients has a connection and asks for one path after the other, all of them together at most R
 * (0: as often as they are answered) times per second. Bodies are not decoded. SIGTERM ends it with one JSON
 * line; then `--save` writes the last body of each path to FOLDER. `--serve` answers requests for the same paths
 * with these bodies, from a process that does nothing else: the load of the clients without that of the
 * scheduler.
 */
#include "base/base.h"
#include "base/clock.h"
#include "base/str.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS_MAX = 64, PATIENCE_S = 60, RETRY_MS = 50, REQUEST_MAX = 8192 };

static const char *const paths[] = {
    "partitions",
    "partition/default/queues",
    "partition/default/nodes",
    "partition/default/applications/active",
    "partition/default/applications/completed",
    "partition/default/usage/users",
    "scheduler/node-utilizations",
    "metrics",
};

struct client {
    pthread_t thread;
    struct bench *bench;
    CURL *easy;
    struct yk_buf body;
};

struct bench {
    uint16_t port;
    size_t client_count;
    double per_s;
    const char *folder;
    struct client clients[CLIENTS_MAX];
    /* What the clients share. */
    pthread_mutex_t lock;
    struct yk_buf bodies[YK_COUNT(paths)]; /* the last of each */
    uint64_t answered, failed, bytes, begun;
    int64_t start_ns, first_ns;         /* of the first answer */
    double thread_s, thread_first_s;    /* of the scheduling thread for REST, as /metrics says */
    int64_t thread_ns, thread_first_ns; /* when that was */
};

static _Noreturn void die(const char *what)
{
    (void)fprintf(stderr, "bench_rest_clients: %s\n", what);
    exit(1);
}

static int64_t now_ns(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

static void nap(int64_t ns)
{
    const struct timespec span = {.tv_sec = ns / YK_NS_PER_S, .tv_nsec = ns % YK_NS_PER_S};
    if (ns > 0)
        (void)nanosleep(&span, NULL); /* woken early: asks early */
}

/* ---- a client ---- */

static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct client *client = context;
    yk_buf_add(&client->body, bytes, size * count);
    return size * count;
}

/* With the lock. */
static void read_thread_time(struct bench *bench, const struct yk_buf *text)
{
    static const char name[] = "\nyunikorn_rest_scheduling_thread_seconds_total ";
    const char *at = strstr(yk_buf_cstr(text), name);
    if (at == NULL)
        return;
    bench->thread_s = strtod(at + strlen(name), NULL);
    bench->thread_ns = now_ns();
    if (bench->thread_first_ns != 0)
        return;
    bench->thread_first_s = bench->thread_s;
    bench->thread_first_ns = bench->thread_ns;
}

static void note_answer(struct client *client, size_t path, bool fine)
{
    struct bench *bench = client->bench;
    (void)pthread_mutex_lock(&bench->lock);
    if (fine && bench->answered == 0)
        bench->first_ns = now_ns();
    bench->answered += fine;
    bench->failed += !fine;
    bench->bytes += client->body.len;
    if (fine && path == YK_COUNT(paths) - 1)
        read_thread_time(bench, &client->body);
    if (fine) { /* swapped: nothing is copied */
        struct yk_buf before = bench->bodies[path];
        bench->bodies[path] = client->body;
        client->body = before;
    }
    (void)pthread_mutex_unlock(&bench->lock);
}

/* The turn of the next request. */
static void wait_for_turn(struct bench *bench)
{
    (void)pthread_mutex_lock(&bench->lock);
    uint64_t number = bench->begun++;
    (void)pthread_mutex_unlock(&bench->lock);
    if (bench->per_s > 0)
        nap(bench->start_ns + (int64_t)((double)number / bench->per_s * (double)YK_NS_PER_S) - now_ns());
}

static void ask(struct client *client, size_t path, struct curl_slist *gzip)
{
    char url[256];
    long status = 0;
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/ws/v1/%s", client->bench->port, paths[path]);
    yk_buf_clear(&client->body);
    client->body.max = SIZE_MAX / 2;
    curl_easy_setopt(client->easy, CURLOPT_URL, url);
    curl_easy_setopt(client->easy, CURLOPT_HTTPHEADER, path == YK_COUNT(paths) - 1 ? NULL : gzip);
    bool fine = curl_easy_perform(client->easy) == CURLE_OK &&
                curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK && status == 200;
    if (!fine)
        nap(RETRY_MS * YK_NS_PER_MS);
    note_answer(client, path, fine);
}

static void *run_client(void *context)
{
    struct client *client = context;
    struct curl_slist *gzip = curl_slist_append(NULL, "Accept-Encoding: gzip");
    client->easy = curl_easy_init();
    curl_easy_setopt(client->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(client->easy, CURLOPT_TIMEOUT, (long)PATIENCE_S);
    curl_easy_setopt(client->easy, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(client->easy, CURLOPT_WRITEDATA, client);
    for (size_t path = 0;; path = (path + 1) % YK_COUNT(paths)) {
        wait_for_turn(client->bench);
        ask(client, path, gzip);
    }
    return NULL;
}

/* ---- the end of the clients ---- */

static void save(const struct bench *bench)
{
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        char name[4096];
        (void)snprintf(name, sizeof(name), "%s/%zu", bench->folder, i);
        FILE *file = fopen(name, "we");
        if (file == NULL || fwrite(bench->bodies[i].p, 1, bench->bodies[i].len, file) != bench->bodies[i].len)
            die("cannot write the bodies");
        (void)fclose(file); /* a short one shows in the bytes of the next run */
    }
}

static double cpu_s(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void report(const struct bench *bench)
{
    double elapsed_s = (double)(now_ns() - bench->first_ns) / 1e9;
    double thread_span_s = (double)(bench->thread_ns - bench->thread_first_ns) / 1e9;
    double share = thread_span_s > 0 ? (bench->thread_s - bench->thread_first_s) / thread_span_s : 0;
    (void)printf("{\"requests\":%llu,\"failed\":%llu,\"per_s\":%.2f,\"mib\":%.1f,\"clients_cpu_s\":%.2f,"
                 "\"thread_share\":%.4f}\n",
                 (unsigned long long)bench->answered, (unsigned long long)bench->failed,
                 (double)bench->answered / elapsed_s, (double)bench->bytes / (1 << 20), cpu_s(), share);
}

static void run_clients(struct bench *bench)
{
    sigset_t ends;
    int number;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL); /* before there are threads */
    curl_global_init(CURL_GLOBAL_DEFAULT);
    bench->start_ns = now_ns();
    for (size_t i = 0; i < bench->client_count; i++) {
        bench->clients[i].bench = bench;
        if (pthread_create(&bench->clients[i].thread, NULL, run_client, &bench->clients[i]) != 0)
            die("no thread");
    }
    (void)sigwait(&ends, &number);
    (void)pthread_mutex_lock(&bench->lock); /* no client goes on */
    report(bench);
    if (bench->folder != NULL)
        save(bench);
    (void)fflush(stdout);
    _exit(0);
}

/* ---- the server ---- */

static bool send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        len -= (size_t)sent;
    }
    return true;
}

struct visit {
    const struct bench *bench;
    int fd;
};

static bool answer(const struct visit *visit, const char *request)
{
    char head[128];
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        char line[256];
        const struct yk_buf *body = &visit->bench->bodies[i];
        (void)snprintf(line, sizeof(line), "GET /ws/v1/%s ", paths[i]);
        if (strncmp(request, line, strlen(line)) != 0)
            continue;
        int len = snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", body->len);
        return send_all(visit->fd, head, (size_t)len) && send_all(visit->fd, body->p, body->len);
    }
    return false;
}

/* One request after the other; the clients send no bodies and do not pipeline. */
static void *run_visit(void *context)
{
    struct visit *visit = context;
    char request[REQUEST_MAX];
    size_t len = 0;
    ssize_t got;
    while (len < sizeof(request) - 1 &&
           (got = recv(visit->fd, request + len, sizeof(request) - 1 - len, 0)) > 0) {
        len += (size_t)got;
        request[len] = '\0';
        if (strstr(request, "\r\n\r\n") == NULL)
            continue;
        if (!answer(visit, request))
            break;
        len = 0;
    }
    (void)close(visit->fd); /* read only */
    free(visit);
    return NULL;
}

static void load(struct bench *bench)
{
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        char name[4096];
        struct yk_err err = {0};
        (void)snprintf(name, sizeof(name), "%s/%zu", bench->folder, i);
        bench->bodies[i].max = SIZE_MAX / 2;
        if (yk_file_read(name, &bench->bodies[i], &err) != YK_OK)
            die(err.text);
    }
}

static void serve(struct bench *bench)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(bench->port)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    load(bench);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)); /* else the port may be in use */
    if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(listener, CLIENTS_MAX) != 0)
        die("cannot listen");
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        struct visit *visit = yk_new0(struct visit);
        pthread_t thread;
        *visit = (struct visit){bench, fd};
        if (fd < 0 || pthread_create(&thread, NULL, run_visit, visit) != 0)
            die("no connection");
        (void)pthread_detach(thread);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench = {.client_count = 3, .lock = PTHREAD_MUTEX_INITIALIZER};
    static const struct option options[] = {
        {"port", required_argument, NULL, 'p'},  {"clients", required_argument, NULL, 'c'},
        {"per-s", required_argument, NULL, 'r'}, {"save", required_argument, NULL, 's'},
        {"serve", required_argument, NULL, 'S'}, {0}};
    bool serves = false;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'p')
            bench.port = (uint16_t)strtoul(optarg, NULL, 10);
        else if (c == 'c')
            bench.client_count = YK_MIN(strtoul(optarg, NULL, 10), (unsigned long)CLIENTS_MAX);
        else if (c == 'r')
            bench.per_s = strtod(optarg, NULL);
        else if (c == 's' || c == 'S')
            bench.folder = optarg;
        else
            die("wrong arguments");
        serves = serves || c == 'S';
    }
    if (serves)
        serve(&bench);
    run_clients(&bench);
    return 0;
}
