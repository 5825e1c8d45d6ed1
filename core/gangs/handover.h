/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handovers: asks for which nodes have been chosen, and the allocations (victims) that end for them. The asks
 * of a handover are allocated in one step, after its last victim has ended.
 *
 * Until then an ask of a handover is not pending. It is counted on its node, whose free amounts may therefore
 * be negative, so no other ask can use the capacity that it waits for. Its size is nominated on the path of
 * its queue (objects/queue.h) and for its user and group (limits/usage.h). Other asks may still use up a
 * limit of the user or group, because nominated amounts count there only for asks that preempt. Then the asks
 * of the handover wait again.
 *
 * A handover is *broken* when it can no longer be carried out, such as when one of its asks is removed or
 * loses its node. Its asks then wait again, or end if their application fails. The victims still end.
 *
 * Owns:      itself: it is freed when it has no asks and all its victims have ended.
 * Thread:    scheduling thread only.
 * Invariant: an ask of a handover is YK_ASK_REPLACING without a peer; a victim of a handover is
 *            YK_ASK_PREEMPTED.
 * Source:    docs/reference/scheduling.md 5.6.
 */
#ifndef YK_GANGS_HANDOVER_H
#define YK_GANGS_HANDOVER_H

#include "state/partition.h"
#include "state/turn.h"

struct yk_handover {
    struct yk_partition *partition; /* borrowed */
    /* The gang that starts; NULL: the asks are no placeholders, or the handover is broken or being
     * settled. */
    struct yk_gang *gang;
    struct yk_vec asks;        /* struct yk_ask: not allocated yet, each counted on its node */
    size_t ending;             /* victims that have not ended */
    bool broken;               /* its asks are to wait again */
    struct yk_list in_settled; /* in the partition's gang_waits.settled: yk_handover_turn() settles it */
};

/*
 * Begins a handover that a plan has found to be possible (gangs/gang_plan.h): the pending ask (struct yk_ask)
 * at index i of `asks`, which are of one application, gets the node (struct yk_node) at index i of `nodes`.
 * Asks the resource manager to end the allocations `victims` (struct yk_ask), each of which is eligible
 * (yk_victim_eligible()), with `message` as the reason, and adds them to the log of preempted allocations
 * (yk_preemption_note()). Without victims the asks are allocated at once, on other nodes if need be, and
 * there is no handover; an ask that no node takes goes on waiting. `gang` (NULL: the asks are no placeholders
 * of a gang) is incomplete and in no handover.
 */
void yk_handover_begin(struct yk_partition *partition, struct yk_gang *gang, const struct yk_vec *asks,
                       const struct yk_vec *nodes, const struct yk_vec *victims, const char *message);
/* Call it before an allocation that ends is subtracted from what its queues use: the allocation no
 * longer refers to a handover. Returns the handover for which the allocation ends, which the caller passes to
 * yk_handover_victim_ended() after it has subtracted the allocation; NULL: it is no victim of a handover. */
struct yk_handover *yk_handover_victim_ends(struct yk_ask *allocation);
/* Call it for each victim that has ended, as yk_handover_victim_ends() says. After the last one,
 * yk_handover_turn() settles the handover. May free `handover`. */
void yk_handover_victim_ended(struct yk_handover *handover);
/* Call it when an ask of a handover ends: removes the ask from the handover. The node no longer counts the
 * ask, which is neither pending nor allocated until the caller makes it so or frees it. Breaks the handover,
 * and frees it if nothing refers to it any longer; otherwise yk_handover_turn() lets the other asks wait
 * again. Modules above core/gangs call yk_gang_give_up() instead. */
void yk_handover_drop(struct yk_ask *ask);
/* Breaks the handover at once: its asks wait again; if their application fails, they end instead. May free
 * `handover`. */
void yk_handover_break(struct yk_handover *handover);
/* Breaks each handover that has asks of the application. */
void yk_handovers_end(struct yk_app *app);
/* Settles one handover whose victims have ended, or that was broken: allocates its asks, or lets them wait
 * again if they do not fit; if their application fails, they end. Call it before anything else is tried in a
 * turn. YK_TURN_DECIDED: one was settled; YK_TURN_IDLE: there is none. */
enum yk_turn yk_handover_turn(struct yk_partition *partition);

#endif
