/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags of leader election, named as those of other components of Kubernetes.
 * Thread: the main thread.
 */
#ifndef YK_CMD_ELECTION_H
#define YK_CMD_ELECTION_H

#include "cmd/arguments.h"
#include "leader/elector.h"

struct yk_election_arguments { /* as given; NULL: not given */
    const char *elect, *lease_duration, *renew_deadline, *retry_period, *name, *namespace_;
};

struct yk_election {
    bool is_on;
    struct yk_elector_times times;
    const char *name;
    const char *namespace_; /* NULL: that of the scheduler */
};

enum { YK_ELECTION_FLAGS = 6 };

/* Fills `flags` with the flags of leader election, whose values go to `arguments`. */
void yk_election_flags(struct yk_election_arguments *arguments, struct yk_flag flags[YK_ELECTION_FLAGS]);
/* Reads the values of the flags. `*ret` borrows the texts. Errors: YK_ERR_INVALID naming the flag. */
YK_NODISCARD enum yk_status yk_election_read(const struct yk_election_arguments *arguments,
                                             struct yk_election *ret, struct yk_err *err);

#endif
