/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers about this process. Most are from the kernel, and have the names that the usual client libraries of
 * Prometheus use (docs/reference/rest.md 10.3). A value that cannot be read is left out.
 * Source: proc(5).
 */
#include "web/process_metrics.h"
#include "web/process_start.h"

#include "base/log.h"
#include "base/thread_names.h"
#include "metrics/metric_text.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Fields of /proc/self/stat after the name, which ends with the last ')': the state is number 3. */
enum {
    FIELD_UTIME = 14,
    FIELD_STIME = 15,
    FIELD_START = 22,
    FIELD_VSIZE = 23,
    FIELD_RSS = 24,
    FIELD_FIRST = 3
};

/* Appends the name of the process or thread to `name` (may be NULL). */
static bool read_fields(const char *path, struct yk_buf *name, uint64_t fields[FIELD_RSS + 1])
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 16384};
    struct yk_str rest, part;
    if (yk_file_read(path, &text, NULL) != YK_OK)
        return false;
    const char *begin = strchr(yk_buf_cstr(&text), '('), *name_end = strrchr(yk_buf_cstr(&text), ')');
    if (begin == NULL || name_end == NULL || name_end < begin || name_end[1] == '\0')
        return false;
    if (name != NULL)
        yk_buf_add(name, begin + 1, (size_t)(name_end - begin - 1));
    rest = yk_str_from(name_end + 2);
    for (int field = FIELD_FIRST; field <= FIELD_RSS; field++) {
        if (!yk_str_split(&rest, ' ', &part))
            return false;
        if (yk_str_to_u64(part, &fields[field]) != YK_OK)
            fields[field] = 0; /* the field is a letter or a negative number; the fields in use are neither */
    }
    return true;
}

/* When the machine was started, in seconds since 1970; 0: unknown. */
static uint64_t boot_time(void)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4 << 20};
    uint64_t seconds = 0;
    if (yk_file_read("/proc/stat", &text, NULL) != YK_OK)
        return 0;
    const char *line = strstr(yk_buf_cstr(&text), "\nbtime ");
    if (line == NULL)
        return 0;
    struct yk_str number = yk_str_from(line + strlen("\nbtime "));
    number.len = strspn(number.p, "0123456789");
    return yk_str_to_u64(number, &seconds) == YK_OK ? seconds : 0;
}

int64_t yk_process_start_wall_ns(void)
{
    uint64_t fields[FIELD_RSS + 1] = {0}, boot = boot_time();
    long ticks = sysconf(_SC_CLK_TCK);
    if (boot == 0 || ticks <= 0 || !read_fields("/proc/self/stat", NULL, fields))
        return 0;
    return (int64_t)boot * YK_NS_PER_S + (int64_t)fields[FIELD_START] * (YK_NS_PER_S / ticks);
}

static void put(struct yk_buf *out, const struct yk_metric *metric, double value)
{
    struct yk_metric_lines lines = yk_metric_begin(metric, out);
    yk_metric_put_double(&lines, "", value);
}

static void put_count(struct yk_buf *out, const struct yk_metric *metric, uint64_t count)
{
    struct yk_metric_lines lines = yk_metric_begin(metric, out);
    yk_metric_put(&lines, "", count);
}

static void from_stat(struct yk_buf *out)
{
    uint64_t fields[FIELD_RSS + 1] = {0}, boot = boot_time();
    double ticks = (double)sysconf(_SC_CLK_TCK);
    if (!read_fields("/proc/self/stat", NULL, fields) || ticks <= 0)
        return;
    put(out, &yk_metric_process_cpu, (double)(fields[FIELD_UTIME] + fields[FIELD_STIME]) / ticks);
    put(out, &yk_metric_process_resident, (double)fields[FIELD_RSS] * (double)sysconf(_SC_PAGESIZE));
    put(out, &yk_metric_process_virtual, (double)fields[FIELD_VSIZE]);
    if (boot > 0)
        put(out, &yk_metric_process_start, (double)boot + (double)fields[FIELD_START] / ticks);
}

static void limit(struct yk_buf *out, const struct yk_metric *metric, rlim_t value)
{
    /* Compat: "no limit" is the largest number, as in other clients of Prometheus. */
    put(out, metric, value == RLIM_INFINITY ? 18446744073709551615.0 : (double)value);
}

static void open_files(struct yk_buf *out)
{
    DIR *dir = opendir("/proc/self/fd");
    if (dir == NULL)
        return;
    uint64_t count = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(dir); /* only read from */
    /* The descriptor of `dir` is not counted. */
    put_count(out, &yk_metric_process_open_fds, count > 0 ? count - 1 : 0);
}

/* ---- threads ---- */

enum { ROLE_CONFIG, ROLE_IO, ROLE_NAMES, ROLE_OTHER, ROLE_SCHEDULING };

static const struct {
    const char *label, *thread; /* the name of the thread; NULL: it is recognised otherwise */
} roles[] = {
    [ROLE_CONFIG] = {"role=\"config\"", YK_THREAD_CONFIG},
    [ROLE_IO] = {"role=\"io\"", NULL},
    [ROLE_NAMES] = {"role=\"names\"", YK_THREAD_NAMES},
    [ROLE_OTHER] = {"role=\"other\"", NULL},
    [ROLE_SCHEDULING] = {"role=\"scheduling\"", YK_THREAD_SCHEDULING},
};

struct threads {
    uint64_t count[YK_COUNT(roles)], ticks[YK_COUNT(roles)];
};

/* The role of a thread. `thread`: its number as a text. */
static size_t role_of(const char *thread, const char *name)
{
    int64_t number;
    if (yk_str_to_i64(yk_str_from(thread), &number) == YK_OK && number == getpid())
        return ROLE_IO; /* the main thread */
    for (size_t i = 0; i < YK_COUNT(roles); i++) {
        if (roles[i].thread != NULL && strcmp(roles[i].thread, name) == 0)
            return i;
    }
    return ROLE_OTHER;
}

static void count_thread(struct threads *threads, const char *thread)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0}, name = {0};
    uint64_t fields[FIELD_RSS + 1] = {0};
    yk_buf_printf(&path, "/proc/self/task/%s/stat", thread);
    if (!read_fields(yk_buf_cstr(&path), &name, fields))
        return; /* the thread has ended */
    size_t role = role_of(thread, yk_buf_cstr(&name));
    threads->count[role]++;
    threads->ticks[role] += fields[FIELD_UTIME] + fields[FIELD_STIME];
}

static void put_threads(struct yk_buf *out)
{
    struct threads threads = {0};
    double ticks = (double)sysconf(_SC_CLK_TCK);
    DIR *dir = opendir("/proc/self/task");
    if (dir == NULL || ticks <= 0)
        return;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] != '.')
            count_thread(&threads, entry->d_name);
    }
    (void)closedir(dir); /* only read from */
    struct yk_metric_lines count = yk_metric_begin(&yk_metric_threads, out);
    for (size_t i = 0; i < YK_COUNT(roles); i++)
        yk_metric_put_used(&count, roles[i].label, threads.count[i]);
    struct yk_metric_lines cpu = yk_metric_begin(&yk_metric_thread_cpu, out);
    for (size_t i = 0; i < YK_COUNT(roles); i++) {
        if (threads.count[i] > 0)
            yk_metric_put_double(&cpu, roles[i].label, (double)threads.ticks[i] / ticks);
    }
}

static void network(struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 1 << 20};
    uint64_t in = 0, sent = 0;
    if (yk_file_read("/proc/self/net/dev", &text, NULL) != YK_OK)
        return;
    struct yk_str rest = yk_buf_view(&text), line;
    while (yk_str_split(&rest, '\n', &line)) {
        YK_CLEANUP(yk_freep) char *copy = yk_str_dup(line);
        const char *colon = strchr(copy, ':');
        uint64_t received, transmitted;
        if (colon != NULL && sscanf(colon + 1, "%" SCNu64 " %*s %*s %*s %*s %*s %*s %*s %" SCNu64, &received,
                                    &transmitted) == 2) {
            in += received;
            sent += transmitted;
        }
    }
    put_count(out, &yk_metric_process_received, in);
    put_count(out, &yk_metric_process_transmitted, sent);
}

void yk__process_metrics(struct yk_buf *out)
{
    struct rlimit files, memory;
    from_stat(out);
    put_count(out, &yk_metric_log_dropped, yk_log_dropped());
    put_threads(out);
    open_files(out);
    network(out);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        limit(out, &yk_metric_process_max_fds, files.rlim_cur);
    if (getrlimit(RLIMIT_AS, &memory) == 0)
        limit(out, &yk_metric_process_virtual_max, memory.rlim_cur);
    put_count(out, &yk_metric_assertion_failures, yk_assert_failures());
}
