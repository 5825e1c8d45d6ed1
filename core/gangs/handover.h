/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handovers: asks that have their nodes, and the allocations that end for them. All asks of a handover are
 * allocated in one step, once the last of these allocations has ended.
 *
 * Until then an ask of a handover is not pending. It is counted on its node, whose free amounts are below
 * zero by what is still to end there, so that no other ask can use what becomes free. Its size is nominated
 * on the path of its queue (objects/queue.h) and in the entries of its user and group (limits/usage.h). Only
 * asks that preempt count the latter as used: if a limit has no headroom in the end, the asks wait again.
 *
 * A handover is broken when one of its asks goes or loses its node, or its gang runs out of time: its asks
 * wait again, and the allocations that were asked to end still end.
 *
 * Owns:      itself. Freed once it has neither asks nor allocations.
 * Thread:    scheduling thread only.
 * Invariant: an ask with a handover is YK_ASK_REPLACING without a peer; an allocation with one is
 *            YK_ASK_PREEMPTED.
 * Source:    docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_HANDOVER_H
#define YK_GANGS_HANDOVER_H

#include "state/partition.h"
#include "state/turn.h"

struct yk_handover {
    struct yk_partition *partition;
    struct yk_gang *gang;      /* that starts with it; NULL: asks without a gang */
    struct yk_vec asks;        /* struct yk_ask that have their nodes */
    size_t ending;             /* allocations that have not ended */
    bool broken;               /* its asks are to wait again */
    struct yk_list in_settled; /* of the partition: to be settled in the next turn */
};

/*
 * Begins a handover: the pending ask at index i of `asks` gets the node at index i of `nodes`, and the
 * allocations `victims` are asked to end with `message`. The vectors are borrowed for the call. Without
 * victims the asks are allocated at once. `gang` may be NULL.
 */
void yk_handover_begin(struct yk_partition *partition, struct yk_gang *gang, const struct yk_vec *asks,
                       const struct yk_vec *nodes, const struct yk_vec *victims, const char *message);
/* Call it before an allocation stops counting. Returns the handover for which it ends, or NULL; the caller
 * passes that to yk_handover_victim_ended() after the allocation has stopped counting. */
struct yk_handover *yk_handover_victim_ends(struct yk_ask *allocation);
/* One of its victims has ended and is no longer counted. After the last one, its asks are allocated in the
 * next turn. `handover` may be freed. */
void yk_handover_victim_ended(struct yk_handover *handover);
/* Takes the ask out of its handover, because it ends or waits again for another reason: its node no longer
 * counts it, and it is neither pending nor allocated. Breaks the handover. */
void yk_handover_drop(struct yk_ask *ask);
/* Breaks the handover at once: its asks wait again, and asks of an application that fails end. `handover` may
 * be freed. */
void yk_handover_break(struct yk_handover *handover);
/* Breaks each handover that has asks of the application. O(its asks). */
void yk_handovers_end(struct yk_app *app);
/* Allocates the asks of one handover whose victims have ended, or lets them wait again. */
enum yk_turn yk_handover_turn(struct yk_partition *partition);

#endif
