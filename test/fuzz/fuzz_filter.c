/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters: the first line is an entry for users and for groups alike, each further line a name to try. An
 * entry is refused with a sentence or compiled; allow and deny answer opposite, or neither applies where an
 * expression is undecided; and no name takes long.
 */
#include "base/log.h"
#include "placement/filter.h"

#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NAMES_MAX = 64 };

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct yk_filter *filter_of(struct yk_str entry, const char *type)
{
    struct yk_config_filter config = {.type = yk_str_from(type), .users = {&entry, 1}, .groups = {&entry, 1}};
    struct yk_filter *filter = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_filter_new(&config, &filter, &err);
    if ((st == YK_OK) != (filter != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
    return filter;
}

/* Only the search for an expression may be undecided. */
static void check_answers(bool allow_passes, bool deny_passes, bool is_pattern)
{
    if (allow_passes == deny_passes && (allow_passes || !is_pattern))
        abort();
}

static void try_name(struct yk_filter *allow, struct yk_filter *deny, struct yk_str line, bool is_pattern)
{
    char *name = yk_str_dup(line);
    check_answers(yk_filter_passes(allow, name, NULL, 0), yk_filter_passes(deny, name, NULL, 0), is_pattern);
    check_answers(yk_filter_passes(allow, "", &name, 1), yk_filter_passes(deny, "", &name, 1), is_pattern);
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_str rest = {(const char *)data, size}, entry, line;
    yk_log_set_stream(NULL);
    if (rest.p == NULL || !yk_str_split(&rest, '\n', &entry))
        return 0;
    double start = cpu_seconds();
    struct yk_filter *allow = filter_of(entry, "allow"), *deny = filter_of(entry, "deny");
    bool is_pattern = yk_config_is_pattern(entry);
    for (int i = 0; allow != NULL && i < NAMES_MAX && yk_str_split(&rest, '\n', &line); i++)
        try_name(allow, deny, line, is_pattern);
    if (cpu_seconds() - start > 3) {
        (void)fprintf(stderr, "took %.1f s\n", cpu_seconds() - start);
        abort();
    }
    yk_filter_free(allow);
    yk_filter_free(deny);
    return 0;
}
