/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mailbox.h"

static uint32_t weight_of(const struct yk_command *command)
{
    return command->weight > 0 ? command->weight : 1;
}

void yk_mailbox_init(struct yk_mailbox *box, size_t max_weight)
{
    *box = (struct yk_mailbox){.max_weight = max_weight};
    box->last = &box->first;
    (void)pthread_mutex_init(&box->lock, NULL); /* a default mutex cannot fail */
}

static void drop_all(struct yk_command *command)
{
    while (command != NULL) {
        struct yk_command *next = command->next;
        command->drop(command);
        command = next;
    }
}

void yk_mailbox_close(struct yk_mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    struct yk_command *left = box->first;
    box->first = NULL;
    box->last = &box->first;
    box->closed = true;
    atomic_store_explicit(&box->weight, 0, memory_order_relaxed);
    pthread_mutex_unlock(&box->lock);
    drop_all(left);
}

void yk_mailbox_done(struct yk_mailbox *box)
{
    yk_mailbox_close(box);
    pthread_mutex_destroy(&box->lock);
}

void yk_mailbox_post(struct yk_mailbox *box, struct yk_command *command)
{
    command->next = NULL;
    pthread_mutex_lock(&box->lock);
    bool closed = box->closed, was_empty = box->first == NULL;
    if (!closed) {
        *box->last = command;
        box->last = &command->next;
        atomic_fetch_add_explicit(&box->weight, weight_of(command), memory_order_relaxed);
    }
    pthread_mutex_unlock(&box->lock);
    if (closed)
        command->drop(command);
    else if (was_empty && box->wake != NULL)
        box->wake(box->wake_context);
}

bool yk_mailbox_is_full(struct yk_mailbox *box)
{
    bool full = yk_mailbox_weight(box) >= box->max_weight;
    if (full)
        atomic_store_explicit(&box->was_full, true, memory_order_seq_cst);
    /* The weight is read again after the flag was set: if the owner emptied the box in between, it may not
     * have seen the flag, and then it does not call on_capacity. */
    return full && yk_mailbox_weight(box) >= box->max_weight / 2;
}

static struct yk_command *take_first(struct yk_mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    struct yk_command *command = box->first;
    if (command != NULL) {
        box->first = command->next;
        if (box->first == NULL)
            box->last = &box->first;
        atomic_fetch_sub_explicit(&box->weight, weight_of(command), memory_order_seq_cst);
    }
    pthread_mutex_unlock(&box->lock);
    return command;
}

size_t yk_mailbox_run(struct yk_mailbox *box, size_t max)
{
    size_t done = 0;
    while (done < max) {
        struct yk_command *command = take_first(box);
        if (command == NULL)
            break;
        box->nothing_changed = false;
        command->run(command);
        box->changes += !box->nothing_changed;
        done++;
    }
    if (done > 0 && atomic_load_explicit(&box->was_full, memory_order_seq_cst) &&
        yk_mailbox_weight(box) < box->max_weight / 2) {
        atomic_store_explicit(&box->was_full, false, memory_order_seq_cst);
        if (box->on_capacity != NULL)
            box->on_capacity(box->on_capacity_context);
    }
    return done;
}
