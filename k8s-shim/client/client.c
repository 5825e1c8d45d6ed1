/* SPDX-License-Identifier: Apache-2.0 */
#include "client/client.h"

#include "base/log.h"
#include "base/vec.h"
#include "client/api_stats.h"
#include "client/op_queue.h"
#include "client/reflector.h"

/* Requests that are passed from one thread to the other. One command in the mailbox takes all of them. */
struct crossing {
    pthread_mutex_t lock;
    struct yk_op *first, **last; /* under lock */
    bool is_posted;              /* under lock: a command that takes the requests is in the mailbox */
};

/* A command for the other thread. Only run_set_limits() uses `qps` and `burst`. The command may be dropped
 * after the client was freed. */
struct order {
    struct yk_command command; /* first member */
    struct client *client;
    int64_t qps, burst;
};

struct client {
    struct yk_api_server server; /* first member */
    /* Fixed for life. */
    struct yk_io *io;
    struct yk_mailbox *inbox;
    /* I/O thread. */
    struct yk_io_timers timers;
    struct yk_random random;
    struct yk_outage outage;
    struct yk_identity *identity;
    struct yk_transport *transport;
    struct yk_op_queue *ops;
    struct yk_watch_stats watch_stats;
    struct yk_discovery *discovery;
    struct yk_vec watches; /* struct watch, owned */
    bool io_stopped;
    /* Both threads. */
    struct crossing submitted, answered;
    /* set by the scheduling thread; cleared by the I/O thread before it resumes watches */
    _Atomic bool resume_posted;
    /* Scheduling thread. */
    size_t in_flight;
    bool stopped;
};

struct watch {
    struct yk_command command; /* first member; it carries the watch to the I/O thread */
    struct client *client;
    enum yk_kind kind;
    char *namespace_, *label_selector, *field_selector;
    yk_watch_sink *sink;
    void *context;
    struct yk_reflector *reflector;
};

static struct client *client_of(struct yk_api_server *server)
{
    return (struct client *)(void *)server;
}

/* ---- requests are passed between the threads ---- */

static void drop_order(struct yk_command *command)
{
    free(command);
}

static struct yk_command *order_new(struct client *client, void (*run)(struct yk_command *command))
{
    struct order *order = yk_new0(struct order);
    order->command = (struct yk_command){.run = run, .drop = drop_order};
    order->client = client;
    return &order->command;
}

/* Frees the order and returns its client. */
static struct client *order_client(struct yk_command *command)
{
    struct client *client = ((struct order *)(void *)command)->client;
    free(command);
    return client;
}

static void crossing_init(struct crossing *crossing)
{
    crossing->last = &crossing->first;
    (void)pthread_mutex_init(&crossing->lock, NULL); /* a default mutex cannot fail */
}

/* Appends `op`. True: the caller has to post the command that takes it. */
static bool crossing_add(struct crossing *crossing, struct yk_op *op)
{
    op->next = NULL;
    pthread_mutex_lock(&crossing->lock);
    *crossing->last = op;
    crossing->last = &op->next;
    bool must_post = !crossing->is_posted;
    crossing->is_posted = true;
    pthread_mutex_unlock(&crossing->lock);
    return must_post;
}

static struct yk_op *crossing_take(struct crossing *crossing)
{
    pthread_mutex_lock(&crossing->lock);
    struct yk_op *ops = crossing->first;
    crossing->first = NULL;
    crossing->last = &crossing->first;
    crossing->is_posted = false;
    pthread_mutex_unlock(&crossing->lock);
    return ops;
}

static void crossing_done(struct crossing *crossing)
{
    struct yk_op *op = crossing_take(crossing);
    while (op != NULL) {
        struct yk_op *next = op->next;
        yk_op_free(op);
        op = next;
    }
    pthread_mutex_destroy(&crossing->lock);
}

/* I/O thread. */
static void run_submitted(struct yk_command *command)
{
    struct client *client = order_client(command);
    struct yk_op *op = crossing_take(&client->submitted);
    while (op != NULL) {
        struct yk_op *next = op->next;
        yk_op_queue_submit(client->ops, op);
        op = next;
    }
}

/* Scheduling thread. */
static void run_answered(struct yk_command *command)
{
    struct client *client = order_client(command);
    struct yk_op *op = crossing_take(&client->answered);
    bool changes_nothing = true;
    while (op != NULL) {
        struct yk_op *next = op->next;
        client->in_flight--;
        changes_nothing = changes_nothing && (yk_op_is_lease(op->kind) || yk_op_is_review(op->kind));
        op->done(op);
        op = next;
    }
    if (changes_nothing)
        yk_mailbox_nothing_changed(client->inbox);
}

/* I/O thread. */
static void op_done(struct yk_op *op, void *context)
{
    struct client *client = context;
    if (crossing_add(&client->answered, op))
        yk_mailbox_post(client->inbox, order_new(client, run_answered));
}

/* ---- watch events are passed to the scheduling thread ---- */

struct delivery {
    struct yk_command command; /* first member */
    struct client *client;
    yk_watch_sink *sink;
    void *context;
    enum yk_kind kind;
    struct yk_watch_batch batch;
};

static void drop_delivery(struct yk_command *command)
{
    struct delivery *delivery = (struct delivery *)(void *)command;
    yk_watch_batch_done(&delivery->batch);
    free(delivery);
}

static void run_delivery(struct yk_command *command)
{
    struct delivery *delivery = (struct delivery *)(void *)command;
    struct yk_watch_batch *batch = &delivery->batch;
    yk_mailbox_nothing_changed(delivery->client->inbox); /* the sink notes which events change something */
    for (size_t i = 0; i < batch->count && !delivery->client->stopped; i++) {
        struct yk_object *object = yk_move(batch->items[i].object);
        delivery->sink(delivery->context, delivery->kind, batch->items[i].event, object);
    }
    drop_delivery(command);
}

/* I/O thread. False: the mailbox is now full. */
static bool deliver(struct yk_watch_batch *batch, void *context)
{
    struct watch *watch = context;
    struct client *client = watch->client;
    struct delivery *delivery = yk_new0(struct delivery);
    delivery->command = (struct yk_command){.run = run_delivery,
                                            .drop = drop_delivery,
                                            .weight = (uint32_t)YK_MIN(batch->count, (size_t)UINT32_MAX)};
    delivery->client = client;
    delivery->sink = watch->sink;
    delivery->context = watch->context;
    delivery->kind = watch->kind;
    delivery->batch = *batch;
    *batch = (struct yk_watch_batch){0};
    yk_mailbox_post(client->inbox, &delivery->command);
    return !yk_mailbox_is_full(client->inbox);
}

/* I/O thread. */
static void run_resume(struct yk_command *command)
{
    struct client *client = order_client(command);
    struct watch *watch;
    atomic_store(&client->resume_posted, false);
    yk_vec_foreach (watch, &client->watches) {
        if (watch->reflector != NULL)
            yk_reflector_resume(watch->reflector);
    }
}

/* Scheduling thread. */
static void on_capacity(void *context)
{
    struct client *client = context;
    if (!atomic_exchange(&client->resume_posted, true))
        yk_io_post(client->io, order_new(client, run_resume));
}

static void look_again(void *context)
{
    const struct watch *watch = context;
    if (watch->client->discovery != NULL)
        yk_discovery_refresh(watch->client->discovery);
}

/* ---- functions of api/server.h ---- */

static void free_watch(struct watch *watch)
{
    yk_reflector_free(watch->reflector);
    free(watch->namespace_);
    free(watch->label_selector);
    free(watch->field_selector);
    free(watch);
}

static void drop_watch(struct yk_command *command)
{
    free_watch((struct watch *)(void *)command);
}

static bool is_served(const struct watch *watch)
{
    const struct yk_discovery *discovery = watch->client->discovery;
    const char *group, *version;
    if (!yk_kind_may_be_missing(watch->kind, &group, &version))
        return true;
    return discovery != NULL && yk_discovery_serves(discovery, group, version) == YK_SERVED_YES;
}

static void start_watch(struct watch *watch)
{
    struct client *client = watch->client;
    if (watch->reflector != NULL || !is_served(watch))
        return;
    struct yk_watch_spec spec = {watch->kind, watch->namespace_, watch->label_selector,
                                 watch->field_selector};
    struct yk_reflector_options options = {.transport = client->transport,
                                           .timers = &client->timers,
                                           .random = &client->random,
                                           .outage = &client->outage,
                                           .stats = &client->watch_stats,
                                           .deliver = deliver,
                                           .look_again = look_again,
                                           .context = watch};
    watch->reflector = yk_reflector_new(&spec, &options);
}

static void groups_known(void *context)
{
    const struct client *client = context;
    struct watch *watch;
    yk_vec_foreach (watch, &client->watches)
        start_watch(watch);
}

/* I/O thread. */
static void run_watch(struct yk_command *command)
{
    struct watch *watch = (struct watch *)(void *)command;
    yk_vec_append(&watch->client->watches, watch);
    if (!watch->client->io_stopped)
        start_watch(watch);
}

static void client_watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                         void *context)
{
    struct client *client = client_of(server);
    struct watch *watch = yk_new0(struct watch);
    watch->command = (struct yk_command){.run = run_watch, .drop = drop_watch};
    watch->client = client;
    watch->kind = spec->kind;
    watch->namespace_ = yk_strdup_or_null(spec->namespace_);
    watch->label_selector = yk_strdup_or_null(spec->label_selector);
    watch->field_selector = yk_strdup_or_null(spec->field_selector);
    watch->sink = sink;
    watch->context = context;
    yk_io_post(client->io, &watch->command);
}

static void client_submit(struct yk_api_server *server, struct yk_op *op)
{
    struct client *client = client_of(server);
    client->in_flight++;
    if (crossing_add(&client->submitted, op))
        yk_io_post(client->io, order_new(client, run_submitted));
}

static void run_stop(struct yk_command *command)
{
    struct client *client = order_client(command);
    struct watch *watch;
    client->io_stopped = true;
    yk_vec_foreach (watch, &client->watches) {
        yk_reflector_free(watch->reflector);
        watch->reflector = NULL;
    }
    yk_outage_done(&client->outage);
    yk_discovery_free(client->discovery);
    client->discovery = NULL;
    yk_op_queue_stop(client->ops);
}

static void client_stop(struct yk_api_server *server)
{
    struct client *client = client_of(server);
    if (client->stopped)
        return;
    client->stopped = true;
    yk_io_post(client->io, order_new(client, run_stop));
}

static size_t client_in_flight(struct yk_api_server *server)
{
    return client_of(server)->in_flight;
}

static const struct yk_api_server_ops ops = {client_watch, client_submit, client_stop, client_in_flight};

static void run_set_limits(struct yk_command *command)
{
    const struct order *order = (const struct order *)(const void *)command;
    struct yk_err err = {0};
    if (yk_op_queue_set_limits(order->client->ops, order->qps, order->burst, &err) != YK_OK)
        yk_error(yk_log_client, "limits refused",
                 /* cannot happen: yk_client_set_limits() has checked them */
                 KV("err", (const char *)err.text));
    free(command);
}

enum yk_status yk_client_set_limits(struct yk_api_server *server, int64_t qps, int64_t burst,
                                    struct yk_err *err)
{
    struct yk_token_bucket check;
    enum yk_status st = yk_token_bucket_init(&check, qps, burst, 0, err);
    if (st != YK_OK)
        return st;
    struct yk_command *command = order_new(client_of(server), run_set_limits);
    ((struct order *)(void *)command)->qps = qps;
    ((struct order *)(void *)command)->burst = burst;
    yk_io_post(client_of(server)->io, command);
    return YK_OK;
}

struct yk_discovery *yk_client_discovery(struct yk_api_server *server)
{
    return client_of(server)->discovery;
}
void yk_client_put_metrics(struct yk_api_server *server, struct yk_buf *out)
{
    const struct client *client = client_of(server);
    yk_api_stats_put(yk_transport_stats(client->transport), out);
    yk_op_queue_put_metrics(client->ops, out);
    yk_watch_stats_put(&client->watch_stats, yk_kind_plural, out);
}

struct yk_io_timers *yk_client_timers(struct yk_api_server *server)
{
    return &client_of(server)->timers;
}

bool yk_client_is_cut_off(const struct yk_api_server *server)
{
    return ((const struct client *)(const void *)server)->outage.is_on;
}

/* ---- life cycle ---- */

static void run_start(struct yk_command *command)
{
    struct client *client = order_client(command);
    if (!client->io_stopped)
        client->discovery =
            yk_discovery_new(client->transport, &client->timers, &client->random, groups_known, client);
}

/* I/O thread. */
static void outage_ended(void *context)
{
    const struct client *client = context;
    const struct watch *watch;
    yk_vec_foreach (watch, &client->watches) {
        if (watch->reflector != NULL)
            yk_reflector_retry_soon(watch->reflector);
    }
}

static enum yk_status set_up(struct client *client, const struct yk_client_options *options,
                             struct yk_err *err)
{
    struct event_base *base = yk_io_base(options->io);
    struct yk_access *access = NULL;
    struct yk_op_queue_options queue = {.qps = options->qps,
                                        .burst = options->burst,
                                        .in_flight = options->in_flight,
                                        .in_flight_max = options->in_flight_max,
                                        .done = op_done,
                                        .context = client,
                                        .fence = options->fence};
    enum yk_status st;
    if ((st = yk_io_timers_init(&client->timers, base, options->clock, err)) != YK_OK ||
        (st = yk_access_find(options->kubeconfig, NULL, &access, err)) != YK_OK ||
        (st = yk_identity_new(access, options->clock, &client->identity, err)) != YK_OK ||
        (st = yk_transport_new(base, &client->timers, client->identity, &client->transport, err)) != YK_OK)
        return st;
    yk_outage_init(&client->outage, &client->timers);
    client->outage.on_end = outage_ended;
    client->outage.context = client;
    return yk_op_queue_new(client->transport, &client->timers, &queue, &client->ops, err);
}

enum yk_status yk_client_new(const struct yk_client_options *options, struct yk_api_server **ret_server,
                             struct yk_err *err)
{
    struct client *client = yk_new0(struct client);
    client->server.ops = &ops;
    client->io = options->io;
    client->inbox = options->inbox;
    crossing_init(&client->submitted);
    crossing_init(&client->answered);
    yk_random_init(&client->random, options->seed);
    enum yk_status st = set_up(client, options, err);
    if (st != YK_OK) {
        yk_client_free(&client->server);
        return st;
    }
    client->inbox->on_capacity = on_capacity;
    client->inbox->on_capacity_context = client;
    const struct yk_access *access = yk_identity_access(client->identity);
    yk_info(yk_log_client, "API server configured", KV("server", (const char *)access->server),
            KV("from", (const char *)access->source));
    yk_io_post(client->io, order_new(client, run_start));
    *ret_server = &client->server;
    return YK_OK;
}

void yk_client_free(struct yk_api_server *server)
{
    if (server == NULL)
        return;
    struct client *client = client_of(server);
    struct watch *watch;
    if (client->inbox->on_capacity_context == client)
        client->inbox->on_capacity = NULL;
    yk_vec_foreach (watch, &client->watches)
        free_watch(watch);
    yk_vec_done(&client->watches);
    yk_discovery_free(client->discovery);
    client->answered.is_posted = true; /* so that op_done() posts no command, which would not be run */
    yk_op_queue_free(client->ops);
    crossing_done(&client->submitted);
    crossing_done(&client->answered);
    yk_transport_free(client->transport);
    yk_identity_free(client->identity);
    yk_outage_done(&client->outage);
    yk_io_timers_done(&client->timers);
    free(client);
}
