/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags of leader election, which have the names that other components of Kubernetes use.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_ELECTION_H
#define YK_CMD_ELECTION_H

#include "cmd/arguments.h"
#include "leader/elector.h"

/* The texts of the flags, borrowed from argv; NULL: the flag is not given. `elect` is "true" (static), or
 * NULL if the flag is not given or switched off. yk_arguments_parse() sets them. */
struct yk_election_arguments {
    const char *elect, *lease_duration, *renew_deadline, *retry_period, *name, *namespace_;
};

/* The values of the flags, with defaults filled in. */
struct yk_election {
    bool is_on;                    /* --leader-elect */
    struct yk_elector_times times; /* yk_elector_times_check() has accepted them */
    const char *name;              /* name of the Lease; borrowed from argv, or static */
    /* Namespace of the Lease; borrowed from argv; NULL: the namespace of the ConfigMaps. */
    const char *namespace_;
};

enum { YK_ELECTION_FLAGS = 6 };

/* Writes the flags of leader election to `flags`, for yk_arguments_parse(). Their texts will be set in
 * `arguments`, which must be zeroed. */
void yk_election_flags(struct yk_election_arguments *arguments, struct yk_flag flags[YK_ELECTION_FLAGS]);
/* Reads and checks the texts of the flags, also if --leader-elect is not given: the caller looks at
 * `ret->is_on`. After an error, `*ret` is unchanged. Errors: YK_ERR_INVALID; `err` names the flag, or the
 * time if the times do not fit together. */
YK_NODISCARD enum yk_status yk_election_read(const struct yk_election_arguments *arguments,
                                             struct yk_election *ret, struct yk_err *err);

#endif
