/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/election.h"

#define DEFAULT_NAME "yunikorn-scheduler"

enum { NAME_BYTES_MAX = 253 };

void yk_election_flags(struct yk_election_arguments *arguments, struct yk_flag flags[YK_ELECTION_FLAGS])
{
    const struct yk_flag all[YK_ELECTION_FLAGS] = {
        {"leader-elect", 0, NULL, "elect a leader among several schedulers; only it schedules (default: off)",
         &arguments->elect},
        {"leader-elect-lease-duration", 0, "TIME",
         "time without a renewal after which another scheduler can lead (default: 15s)",
         &arguments->lease_duration},
        {"leader-elect-renew-deadline", 0, "TIME",
         "time without a renewal after which the leader stops (default: 10s)", &arguments->renew_deadline},
        {"leader-elect-retry-period", 0, "TIME", "time between two requests for the Lease (default: 2s)",
         &arguments->retry_period},
        {"leader-elect-resource-name", 0, "NAME", "name of the Lease (default: " DEFAULT_NAME ")",
         &arguments->name},
        {"leader-elect-resource-namespace", 0, "NAME",
         "namespace of the Lease (default: the namespace of the ConfigMaps)", &arguments->namespace_},
    };
    memcpy(flags, all, sizeof(all));
}

static enum yk_status read_time(const char *flag, const char *text, int64_t *time_ns, struct yk_err *err)
{
    int64_t given_ns = 0;
    if (text == NULL)
        return YK_OK;
    if (yk_duration_parse(yk_str_from(text), &given_ns) != YK_OK || given_ns <= 0)
        return yk_fail(err, YK_ERR_INVALID, "--leader-elect-%s is a time like 15s, not '%s'", flag, text);
    *time_ns = given_ns;
    return YK_OK;
}

/* Names become part of a path. Most names that the API server would refuse are refused here, so that the
 * error names the flag. */
static enum yk_status check_name(const char *flag, const char *name, struct yk_err *err)
{
    size_t len = strlen(name);
    if (len == 0 || len > NAME_BYTES_MAX || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != len)
        return yk_fail(err, YK_ERR_INVALID, "--leader-elect-resource-%s: '%.300s' is not a name of an object",
                       flag, name);
    return YK_OK;
}

enum yk_status yk_election_read(const struct yk_election_arguments *arguments, struct yk_election *ret,
                                struct yk_err *err)
{
    struct yk_election election = {.is_on = arguments->elect != NULL,
                                   .times = yk_elector_times_default,
                                   .name = arguments->name != NULL ? arguments->name : DEFAULT_NAME,
                                   .namespace_ = arguments->namespace_};
    struct yk_elector_times *times = &election.times;
    enum yk_status st = read_time("lease-duration", arguments->lease_duration, &times->lease_ns, err);
    if (st == YK_OK)
        st = read_time("renew-deadline", arguments->renew_deadline, &times->renew_ns, err);
    if (st == YK_OK)
        st = read_time("retry-period", arguments->retry_period, &times->retry_ns, err);
    if (st == YK_OK)
        st = check_name("name", election.name, err);
    if (st == YK_OK && election.namespace_ != NULL)
        st = check_name("namespace", election.namespace_, err);
    if (st == YK_OK && (st = yk_elector_times_check(times, err)) != YK_OK)
        (void)yk_fail_in(err, st, "--leader-elect"); /* st is returned */
    if (st == YK_OK)
        *ret = election;
    return st;
}
