/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel says about this process, under the names of the usual client libraries:
 * docs/reference/rest.md 10.4. A value that cannot be read is left out.
 * Source: proc(5).
 */
#include "web/process_start.h"
#include "web/prometheus_priv.h"

#include "base/log.h"

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

static bool read_fields(uint64_t fields[FIELD_RSS + 1])
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 16384};
    struct yk_str rest, part;
    if (yk_file_read("/proc/self/stat", &text, NULL) != YK_OK)
        return false;
    const char *name_end = strrchr(yk_buf_cstr(&text), ')');
    if (name_end == NULL || name_end[1] == '\0')
        return false;
    rest = yk_str_from(name_end + 2);
    for (int field = FIELD_FIRST; field <= FIELD_RSS; field++) {
        if (!yk_str_split(&rest, ' ', &part))
            return false;
        if (yk_str_to_u64(part, &fields[field]) != YK_OK)
            fields[field] = 0; /* a letter or a negative number: none of those we use */
    }
    return true;
}

/* Seconds since 1970 when the machine was started; 0 when unknown. */
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
    if (boot == 0 || ticks <= 0 || !read_fields(fields))
        return 0;
    return (int64_t)boot * YK_NS_PER_S + (int64_t)fields[FIELD_START] * (YK_NS_PER_S / ticks);
}

static void gauge(struct yk_buf *out, const char *name, const char *help, double value)
{
    yk__family(out, name, "gauge", help);
    yk__sample_double(out, name, "", value);
}

static void from_stat(struct yk_buf *out)
{
    uint64_t fields[FIELD_RSS + 1] = {0}, boot = boot_time();
    double ticks = (double)sysconf(_SC_CLK_TCK);
    if (!read_fields(fields) || ticks <= 0)
        return;
    yk__family(out, "process_cpu_seconds_total", "counter",
               "Total user and system CPU time spent in seconds.");
    yk__sample_double(out, "process_cpu_seconds_total", "",
                      (double)(fields[FIELD_UTIME] + fields[FIELD_STIME]) / ticks);
    gauge(out, "process_resident_memory_bytes", "Resident memory size in bytes.",
          (double)fields[FIELD_RSS] * (double)sysconf(_SC_PAGESIZE));
    gauge(out, "process_virtual_memory_bytes", "Virtual memory size in bytes.", (double)fields[FIELD_VSIZE]);
    if (boot > 0)
        gauge(out, "process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
              (double)boot + (double)fields[FIELD_START] / ticks);
}

static void limit(struct yk_buf *out, const char *name, const char *help, rlim_t value)
{
    /* Compat: no limit is the largest number, as other clients of Prometheus print it. */
    gauge(out, name, help, value == RLIM_INFINITY ? 18446744073709551615.0 : (double)value);
}

static void open_files(struct yk_buf *out)
{
    DIR *dir = opendir("/proc/self/fd");
    if (dir == NULL)
        return;
    int64_t count = -1; /* the directory itself */
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += entry->d_name[0] != '.';
    (void)closedir(dir); /* only read from */
    gauge(out, "process_open_fds", "Number of open file descriptors.", (double)count);
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
    yk__family(out, "process_network_receive_bytes_total", "counter", "Bytes received over the network.");
    yk__sample_uint(out, "process_network_receive_bytes_total", "", in);
    yk__family(out, "process_network_transmit_bytes_total", "counter", "Bytes sent over the network.");
    yk__sample_uint(out, "process_network_transmit_bytes_total", "", sent);
}

void yk__process_metrics(struct yk_buf *out)
{
    struct rlimit files, memory;
    from_stat(out);
    yk__family(out, "yunikorn_log_lines_dropped_total", "counter",
               "Lines of the log that standard output did not take.");
    yk__sample_uint(out, "yunikorn_log_lines_dropped_total", "", yk_log_dropped());
    open_files(out);
    network(out);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        limit(out, "process_max_fds", "Maximum number of open file descriptors.", files.rlim_cur);
    if (getrlimit(RLIMIT_AS, &memory) == 0)
        limit(out, "process_virtual_memory_max_bytes", "Maximum amount of virtual memory available in bytes.",
              memory.rlim_cur);
    yk__family(out, "yunikorn_scheduler_assertion_failures_total", "counter",
               "Broken invariants that the scheduler has met and passed by. Above 0: report a bug.");
    yk__sample_uint(out, "yunikorn_scheduler_assertion_failures_total", "", yk_assert_failures());
}
