/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn scheduler`: its threads, and how they are connected.
 *
 * The main thread is the I/O thread (connections, signals). The scheduling thread schedules. Two more threads
 * own no scheduling state: one parses and checks new configurations, one asks name services, which can block
 * (security/name_service.h). A recorded scheduler has another thread that writes the file.
 *
 * After a signal, these steps follow: the shim sends no new bindings; bindings in flight are answered, or a
 * time limit passes; the Lease is released; the client stops; REST answers the requests that it has; the
 * scheduling thread ends; the loop of the I/O thread ends.
 */
#include "base/log.h"
#include "base/program_pages.h"
#include "base/random.h"
#include "base/stacks.h"
#include "base/thread_names.h"
#include "base/version.h"
#include "client/client.h"
#include "cmd/administration.h"
#include "cmd/arguments.h"
#include "cmd/cluster_config.h"
#include "cmd/commands.h"
#include "cmd/election.h"
#include "cmd/engine.h"
#include "cmd/engine_whatif.h"
#include "cmd/live_record.h"
#include "cmd/log_flags.h"
#include "cmd/record_thread.h"
#include "cmd/scheduler_metrics.h"
#include "http/certificates.h"
#include "security/ldap_settings.h"
#include "security/name_service.h"
#include "web/web.h"

#include <event2/event.h>
#include <signal.h>
#include <unistd.h>

static const int64_t patience_ns = 5 * YK_NS_PER_S; /* the longest wait for requests in flight at the end */
/* The longest wait for a name service at the end. */
static const int64_t name_service_patience_ns = YK_NS_PER_S;
/* The time between two checks whether requests are answered. */
static const int64_t look_ns = 10 * YK_NS_PER_MS;
/* The time between two beats. A beat shows that the scheduling thread runs. */
static const int64_t beat_ns = 2 * YK_NS_PER_S;
static const int64_t stuck_ns = 60 * YK_NS_PER_S; /* after that time without a beat, /livez fails */

enum { BINDS_IN_FLIGHT = 64, REST_BEATS = 4 };

struct arguments {
    const char *kubeconfig, *namespace_, *web_host, *web_port, *ldap_folder;
    const char *record, *record_folder, *record_max;
    uint64_t record_bytes_max;
    uint16_t port; /* of web_port; 0: any free port */
    struct yk_election_arguments election_texts;
    struct yk_election election;
    struct yk_log_arguments log;
};

struct scheduler {
    const struct arguments *arguments;
    struct yk_io *io;
    struct yk_api_server *api;
    struct yk_name_service *name_service;
    struct yk_engine engine;
    struct yk_engine_whatif whatif;
    struct yk_live_record recording;
    struct yk_fence fence;      /* of writes; used if a leader is elected */
    struct yk_elector *elector; /* NULL: no leader is elected */
    pthread_t thread;
    struct yk_actor aside; /* parses and checks new configurations */
    pthread_t aside_thread;
    /* Scheduling thread. */
    struct yk_timer look;     /* for look_at_progress() */
    int64_t deadline_mono_ns; /* until when the end of the process waits for requests in flight */
    bool ending, api_stopped;
    /* The process will start itself again, to be recorded. The main thread reads this field after the
     * join. */
    bool is_restarting;
    struct yk_timer beat;
    uint64_t decisions_seen; /* engine.decisions at the last beat */
    unsigned idle_ticks;     /* beats without a decision, at most REST_BEATS */
    /* For the probes: written by the scheduling thread, read by the I/O thread. Relaxed, because a value that
     * is a moment old is good enough. But the first beat publishes engine.shim and elector, so the beat is
     * stored with release order, and loaded with acquire order before these are read. */
    _Atomic int64_t last_beat_mono_ns; /* 0: no beat yet */
    /* When a beat posted a command that the I/O thread has not run yet; 0: there is none. Both threads write
     * it. */
    _Atomic int64_t io_asked_mono_ns;
    _Atomic bool closing; /* the process is ending */
    /* Written by the scheduling thread, read after it has been joined. */
    bool failed;          /* `why` says why */
    bool at_rest;         /* all requests to the API server are answered */
    char *lease_identity; /* for the process that starts again; owned; NULL: there is none */
    /* Written by the main thread, before the scheduling thread starts or after it has ended. */
    /* Identity in the Lease of the process that this process continues; owned; NULL: there is none. */
    char *identity_before;
    bool is_restarted; /* this process continues one that has started itself again */
    /* The thread of `name_service` could not be ended and uses this struct, so nothing may be freed. */
    bool name_service_hangs;
    struct yk_err why; /* why `failed` is true; accessed like `failed` */
    /* I/O thread. */
    struct event *signals[3];
    bool signalled;
    sigset_t mask_before;                /* mask of signals before they were blocked for a restart */
    struct yk_web *web;                  /* NULL until it listens */
    struct yk_scheduler_figures figures; /* scheduling thread writes, I/O thread reads */
};

/* A command for the other thread. */
struct order {
    struct yk_command command; /* the first member */
    struct scheduler *scheduler;
    /* For run_web(). */
    char *web_host; /* owned */
    uint16_t web_port;
    enum yk_web_access web_access;
    bool is_listening;     /* the server listens already, because of --web-port */
    struct yk_tls *tls;    /* owned; NULL: connections are not encrypted */
    struct yk_err failure; /* for run_failure() */
};

static void free_order(struct yk_command *command)
{
    struct order *order = (struct order *)(void *)command;
    free(order->web_host);
    yk_tls_free(order->tls);
    free(order);
}

static struct order *order_new(struct scheduler *s, void (*run)(struct yk_command *command))
{
    struct order *order = yk_new0(struct order);
    order->command.run = run;
    order->command.drop = free_order;
    order->scheduler = s;
    return order;
}

/* ---- the end (scheduling thread, unless a comment says otherwise) ---- */

static void run_stop_scheduling(struct yk_command *command)
{
    yk_actor_stop(&((struct order *)(void *)command)->scheduler->engine.actor);
    free_order(command);
}

/* I/O thread. */
static void on_web_stopped(void *context)
{
    struct scheduler *s = context;
    yk_mailbox_post(&s->engine.actor.inbox, &order_new(s, run_stop_scheduling)->command);
}

/* I/O thread. The scheduling thread still runs, because it makes the answers of REST. */
static void run_stop_web(struct yk_command *command)
{
    struct scheduler *s = ((struct order *)(void *)command)->scheduler;
    free_order(command);
    if (s->web == NULL)
        on_web_stopped(s);
    else
        yk_web_stop(s->web, on_web_stopped, s);
}

static void come_to_rest(struct scheduler *s, bool at_rest)
{
    s->at_rest = at_rest;
    yk_io_post(s->io, &order_new(s, run_stop_web)->command);
}

/* Releases the Lease; call it only when the last binding has been answered. A process that starts itself
 * again keeps the Lease. True: the Lease is released, or nothing has to be released. */
static bool has_left(struct scheduler *s)
{
    if (s->elector == NULL || s->is_restarting)
        return true;
    yk_elector_leave(s->elector);
    return yk_elector_is_gone(s->elector);
}

static void look_at_progress(struct yk_timer *timer)
{
    struct scheduler *s = YK_CONTAINER(timer, struct scheduler, look);
    bool late = yk_clock_mono_ns(s->engine.clock) >= s->deadline_mono_ns;
    if (!s->api_stopped && (late || (yk_shim_is_stopped(s->engine.shim) && has_left(s)))) {
        yk_api_stop(s->api);
        s->api_stopped = true;
    }
    bool quiet = s->api_stopped && yk_api_in_flight(s->api) == 0;
    if (quiet || late)
        come_to_rest(s, quiet);
    else
        yk_timer_arm(&s->engine.actor.outside, timer, look_ns);
}

static void begin_to_end(struct scheduler *s)
{
    if (s->ending)
        return;
    s->ending = true;
    atomic_store_explicit(&s->closing, true, memory_order_relaxed);
    s->deadline_mono_ns = yk_clock_mono_ns(s->engine.clock) + patience_ns;
    yk_engine_stop(&s->engine);
    s->look.fire = look_at_progress;
    yk_timer_arm(&s->engine.actor.outside, &s->look, 0);
}

static void cancel_restart(struct scheduler *s)
{
    s->is_restarting = false;
    yk_live_record_cancel_restart(&s->recording);
}

static void run_end(struct yk_command *command)
{
    struct scheduler *s = ((struct order *)(void *)command)->scheduler;
    cancel_restart(s);
    begin_to_end(s);
    free_order(command);
}

/* yk_live_record_options.restart: begins to end the process, which then starts itself again. */
static bool restart(void *context)
{
    struct scheduler *s = context;
    if (s->ending)
        return false;
    yk_info(yk_log_shim, "starting again, to be recorded");
    s->is_restarting = true;
    if (s->elector != NULL)
        s->lease_identity = yk_strdup(yk_elector_identity(s->elector));
    begin_to_end(s);
    return true;
}

/* Ends the process with an error, such as that the configuration cannot be used or that the lead is lost. */
static void give_up(void *context, const char *message)
{
    struct scheduler *s = context;
    s->failed = true;
    cancel_restart(s);
    (void)yk_fail(&s->why, YK_ERR_INVALID, "%s", message); /* the main thread reads it after the join */
    begin_to_end(s);
}

/* ---- leader election (scheduling thread) ---- */

static void begin_to_lead(void *context)
{
    struct scheduler *s = context;
    if (!s->ending)
        yk_engine_lead(&s->engine);
}

/* The shim has recovered. Only now the Lease is requested, so that a leader can schedule at once. */
static void stand_for_election(void *context)
{
    struct scheduler *s = context;
    if (s->elector != NULL)
        yk_elector_stand(s->elector);
}

/* ---- signals (I/O thread) ---- */

static void post_end(struct scheduler *s)
{
    yk_mailbox_post(&s->engine.actor.inbox, &order_new(s, run_end)->command);
}

static void on_signal(evutil_socket_t number, short what, void *context)
{
    struct scheduler *s = context;
    (void)what;
    if (s->signalled) {
        /* A second signal ends the process at once. That is safe: the next start recovers from the API
         * server. */
        _exit(YK_EXIT_FAILURE);
    }
    s->signalled = true;
    yk_info(yk_log_shim, "ending", KV("signal", (int)number));
    post_end(s);
}

/* Whether the process has ignored the signal since its start, for example under nohup. */
static enum yk_status catch_signals(struct scheduler *s, struct yk_err *err)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        if (numbers[i] == SIGHUP && yk_io_signal_is_ignored(SIGHUP))
            continue;
        s->signals[i] = evsignal_new(yk_io_base(s->io), numbers[i], on_signal, s);
        if (s->signals[i] == NULL || event_add(s->signals[i], NULL) != 0)
            return yk_fail(err, YK_ERR_IO, "cannot listen to signal %d", numbers[i]);
    }
    return YK_OK;
}

/* ---- web (I/O thread) ---- */

/* The shim; NULL before the first beat. */
static const struct yk_shim *shim_of(const struct scheduler *s)
{
    return atomic_load_explicit(&s->last_beat_mono_ns, memory_order_acquire) != 0 ? s->engine.shim : NULL;
}

static bool is_recovered(void *context)
{
    const struct yk_shim *shim = shim_of(context);
    return shim != NULL && yk_shim_is_ready(shim);
}

static bool is_staying(void *context)
{
    return !atomic_load_explicit(&((struct scheduler *)context)->closing, memory_order_relaxed);
}

static const struct yk_elector *elector_of(const struct scheduler *s)
{
    return atomic_load_explicit(&s->last_beat_mono_ns, memory_order_acquire) != 0 ? s->elector : NULL;
}

static bool is_renewing(void *context)
{
    const struct yk_elector *elector = elector_of(context);
    return elector == NULL || yk_elector_is_healthy(elector);
}

static const char *role_of(void *context)
{
    const struct yk_elector *elector = elector_of(context);
    if (!is_renewing(context))
        return "the Lease was not renewed in time: the API server does not answer, or refuses it";
    return elector != NULL && yk_elector_leads(elector) ? "leader" : "standby";
}

static bool is_turning(void *context)
{
    int64_t beat =
        atomic_load_explicit(&((struct scheduler *)context)->last_beat_mono_ns, memory_order_relaxed);
    return beat == 0 || yk_clock_mono_ns(&yk_clock_real) - beat < stuck_ns;
}

/* I/O thread. Before the first beat, only the client may be read. */
static void put_metrics(void *context, struct yk_buf *out)
{
    struct scheduler *s = context;
    yk_client_put_metrics(s->api, out);
    if (atomic_load_explicit(&s->last_beat_mono_ns, memory_order_acquire) == 0)
        return;
    const struct yk_scheduler_state state = {
        .leads = s->elector == NULL || yk_elector_leads(s->elector),
        .scheduling_mailbox = yk_mailbox_weight(&s->engine.actor.inbox),
        .io_mailbox = yk_mailbox_weight(yk_io_inbox(s->io)),
        .config_mailbox = yk_mailbox_weight(&s->aside.inbox),
    };
    yk_shim_put_metrics(s->engine.shim, out);
    yk_scheduler_metrics_put(&s->figures, &state, out);
}

static bool is_synced(void *context)
{
    const struct yk_shim *shim = shim_of(context);
    return shim != NULL && yk_shim_is_synced(shim);
}

static bool is_configured(void *context)
{
    const struct yk_shim *shim = shim_of(context);
    return shim != NULL && yk_shim_config(shim) != YK_SHIM_CONFIG_NONE;
}

/* What is missing, as a sentence; "" if nothing is missing. */
static const char *why_not_synced(void *context)
{
    const struct scheduler *s = context;
    if (is_synced(context))
        return "";
    if (yk_client_is_cut_off(s->api))
        return "the API server does not answer, so the cluster has not been read yet";
    return shim_of(s) == NULL ? "the scheduling thread has not started yet"
                              : "the ConfigMaps, nodes and pods of the cluster have not all been read from "
                                "the API server yet";
}

static const char *why_not_configured(void *context)
{
    const struct yk_shim *shim = shim_of(context);
    if (!is_configured(context))
        return "no queue configuration is active yet";
    return yk_shim_config(shim) == YK_SHIM_CONFIG_REFUSED
               ? "the last change of the ConfigMaps was refused, and the configuration before it is active"
               : "";
}

static const char *why_not_recovered(void *context)
{
    if (is_recovered(context))
        return "";
    return is_synced(context) ? "the pods that run have not all been taken over yet"
                              : why_not_synced(context);
}

static bool is_io_turning(void *context)
{
    int64_t asked =
        atomic_load_explicit(&((struct scheduler *)context)->io_asked_mono_ns, memory_order_relaxed);
    return asked == 0 || yk_clock_mono_ns(&yk_clock_real) - asked < stuck_ns;
}

static const char *why_io_not_turning(void *context)
{
    return is_io_turning(context)
               ? ""
               : "the thread that talks to the API server has taken no command for a minute";
}

static const char *why_not_turning(void *context)
{
    return is_turning(context) ? "" : "the scheduling thread has been busy with one step for a minute";
}

static const char *why_not_staying(void *context)
{
    return is_staying(context) ? "" : "the process was told to end";
}

/* Scheduling thread. */
static bool is_writing(void *context)
{
    const struct scheduler *s = context;
    return s->api != NULL && yk_api_in_flight(s->api) > 0;
}

/* `tls` is NULL if connections are not encrypted. It is taken if the server starts. */
static enum yk_status start_web(struct scheduler *s, const char *host, uint16_t port, struct yk_tls *tls,
                                enum yk_web_access access, struct yk_err *err)
{
    const struct yk_web_check checks[] = {
        {"scheduler-loop", is_turning, s, true, why_not_turning, false},
        {"api-loop", is_io_turning, s, true, why_io_not_turning, false},
        {"config-valid", is_configured, s, false, why_not_configured, false},
        {"informer-sync", is_synced, s, false, why_not_synced, false},
        {"state-recovered", is_recovered, s, false, why_not_recovered, false},
        {"shutdown", is_staying, s, false, why_not_staying, false},
        /* The last row: left out without an election. */
        {"leader-election", is_renewing, s, true, role_of, true},
    };
    const struct yk_auth_backend backend = yk_administration(&s->engine);
    const struct yk_whatif_backend whatif = yk_engine_whatif_backend(&s->whatif);
    const struct yk_recording_backend recording = yk_live_record_backend(&s->recording);
    const struct yk_web_options options = {
        .io = s->io,
        .inbox = &s->engine.actor.inbox,
        .aside = &s->aside.inbox,
        .actor = &s->engine.actor,
        .core = s->engine.core,
        .timers = &s->engine.actor.outside,
        .clock = &yk_clock_real,
        .bind_address = host,
        .port = port,
        .checks = checks,
        .check_count = YK_COUNT(checks) - !s->arguments->election.is_on,
        .put_more_metrics = put_metrics,
        .more_metrics_context = s,
        .is_writing = is_writing,
        .is_writing_context = s,
        .backend = &backend,
        .whatif = &whatif,
        .recording = &recording,
        .tls = tls,
        .access = access,
    };
    enum yk_status status = yk_web_start(&options, &s->web, err);
    if (status != YK_OK)
        return yk_fail_in(err, status, "REST interface (%s, %s)",
                          s->arguments->web_host != NULL ? "--web-bind-address" : "service.web.bindHost",
                          s->arguments->web_port != NULL ? "--web-port" : "service.web.port");
    yk_info(yk_log_rest, "REST is served", KV("host", host != NULL ? host : ""),
            KV("port", yk_web_port(s->web)));
    return YK_OK;
}

static void run_failure(struct yk_command *command)
{
    struct order *order = (struct order *)(void *)command;
    give_up(order->scheduler, order->failure.text);
    free_order(command);
}

static void run_web(struct yk_command *command)
{
    struct order *order = (struct order *)(void *)command;
    struct scheduler *s = order->scheduler;
    struct order *failed = order_new(s, run_failure);
    enum yk_status status = YK_OK;
    if (order->is_listening) {
        yk_web_set_tls(s->web, order->tls);
        yk_web_set_access(s->web, order->web_access);
    } else {
        status =
            start_web(s, order->web_host, order->web_port, order->tls, order->web_access, &failed->failure);
    }
    if (status == YK_OK) {
        order->tls = NULL; /* the server has taken it */
        free_order(&failed->command);
    } else {
        yk_mailbox_post(&s->engine.actor.inbox, &failed->command);
    }
    free_order(command);
}

/* ---- start ---- */

static const char *own_namespace(const struct scheduler *s)
{
    return s->arguments->namespace_ != NULL ? s->arguments->namespace_ : yk_default_namespace();
}

/*
 * Makes the certificate or reads its files, before anything is scheduled. Later, the I/O thread reads the
 * files again when they change. `*ret_tls` is NULL if the settings want no certificate.
 */
static enum yk_status load_tls(const struct scheduler *s, const struct yk_settings *settings,
                               struct yk_tls **ret_tls, struct yk_err *err)
{
    const struct yk_serving_names names = {
        .service = "yunikorn-service", .namespace_ = own_namespace(s), .host = "localhost"};
    const struct yk_tls_options options = {
        .cert_file = settings->tls_cert_file,
        .key_file = settings->tls_key_file,
        .self_signed = settings->tls_self_signed ? &names : NULL,
        .client_ca_file = settings->tls_client_ca_file,
        .min_version = settings->tls_min_version,
        .clock = &yk_clock_real,
    };
    *ret_tls = NULL;
    if (settings->tls_cert_file[0] == '\0' && !settings->tls_self_signed)
        return YK_OK;
    return yk_tls_new(&options, ret_tls, err);
}

/* The settings of the ConfigMaps are known. Scheduling thread. */
static void on_configured(void *context, const struct yk_settings *settings)
{
    struct scheduler *s = context;
    struct yk_err err;
    if (yk_client_set_limits(s->api, settings->kube_qps, settings->kube_burst, &err) != YK_OK) {
        give_up(s, err.text);
        return;
    }
    if (settings->max_decisions_per_wake > 0)
        s->engine.decisions_per_wake = (size_t)settings->max_decisions_per_wake;
    struct yk_tls *tls;
    if (load_tls(s, settings, &tls, &err) != YK_OK) {
        give_up(s, err.text);
        return;
    }
    struct order *order = order_new(s, run_web);
    order->is_listening = s->arguments->web_port != NULL;
    order->web_access =
        strcmp(settings->web_access, "delegated") == 0 ? YK_WEB_ACCESS_DELEGATED : YK_WEB_ACCESS_OPEN;
    order->tls = tls;
    order->web_host =
        yk_strdup(s->arguments->web_host != NULL ? s->arguments->web_host : settings->web_bind_host);
    order->web_port = (uint16_t)settings->web_port;
    yk_io_post(s->io, &order->command);
}

static void give_back_memory(void)
{
    (void)yk_program_pages_give_back();
    yk_heap_give_back();
}

/* Gives memory back to the system, some beats after the last decision: the start or a burst has used this
 * memory. */
static void notice_rest(struct scheduler *s)
{
    bool is_busy = s->engine.decisions != s->decisions_seen || !yk_shim_is_ready(s->engine.shim);
    s->decisions_seen = s->engine.decisions;
    if (is_busy)
        s->idle_ticks = 0;
    else if (s->idle_ticks < REST_BEATS && ++s->idle_ticks == REST_BEATS)
        give_back_memory();
}

/* I/O thread. */
static void run_io_answer(struct yk_command *command)
{
    struct order *order = (struct order *)(void *)command;
    atomic_store_explicit(&order->scheduler->io_asked_mono_ns, 0, memory_order_relaxed);
    free_order(command);
}

/* Lets the I/O thread show that it takes commands. */
static void ask_io(struct scheduler *s)
{
    if (atomic_load_explicit(&s->io_asked_mono_ns, memory_order_relaxed) != 0)
        return;
    atomic_store_explicit(&s->io_asked_mono_ns, yk_clock_mono_ns(&yk_clock_real), memory_order_relaxed);
    yk_io_post(s->io, &order_new(s, run_io_answer)->command);
}

static void on_beat(struct yk_timer *timer)
{
    struct scheduler *s = YK_CONTAINER(timer, struct scheduler, beat);
    notice_rest(s);
    ask_io(s);
    yk_live_record_look(&s->recording);
    yk_scheduler_figures_take(&s->figures, s->engine.shim);
    atomic_store_explicit(&s->last_beat_mono_ns, yk_clock_mono_ns(&yk_clock_real), memory_order_release);
    yk_timer_arm(&s->engine.actor.outside, timer, beat_ns);
    yk_timers_nothing_changed(&s->engine.actor.outside);
}

static enum yk_status set_up(struct scheduler *s, struct yk_err *err)
{
    enum yk_status status = yk_io_new(&s->io, err);
    if (status != YK_OK)
        return status;
    const struct yk_client_options client = {
        .io = s->io,
        .inbox = &s->engine.actor.inbox,
        .clock = &yk_clock_real,
        .kubeconfig = s->arguments->kubeconfig,
        .qps = 1000, /* until the ConfigMaps are read */
        .burst = 1000,
        .in_flight = BINDS_IN_FLIGHT,
        .in_flight_max = BINDS_IN_FLIGHT, /* more requests would only wait at the API server */
        .seed = yk_random_system_seed(),
        .fence = s->arguments->election.is_on ? &s->fence : NULL,
    };
    status = yk_client_new(&client, &s->api, err);
    if (status == YK_OK)
        status = catch_signals(s, err);
    if (status == YK_OK && s->arguments->web_port != NULL)
        status = start_web(s, s->arguments->web_host, s->arguments->port, NULL, YK_WEB_ACCESS_UNKNOWN, err);
    return status;
}

static void start_election(struct scheduler *s, const char *hostname)
{
    const struct yk_election *election = &s->arguments->election;
    const struct yk_elector_options options = {
        .api = s->api,
        .timers = &s->engine.actor.outside,
        .clock = &yk_clock_real,
        .fence = &s->fence,
        .namespace_ = election->namespace_ != NULL ? election->namespace_ : own_namespace(s),
        .name = election->name,
        .hostname = hostname,
        .identity = s->identity_before,
        .times = election->times,
        .seed = yk_random_system_seed(),
        .context = s,
        .leads = begin_to_lead,
        .lost = give_up,
    };
    s->elector = yk_elector_new(&options);
    yk_elector_start(s->elector);
}

static void start_shim(struct scheduler *s)
{
    char hostname[256] = "unknown";
    /* On failure, the name stays "unknown": it is only shown, in Events and in the Lease. */
    (void)!gethostname(hostname, sizeof(hostname) - 1);
    const struct yk_shim_options options = {
        .api = s->api,
        .namespace_ = own_namespace(s),
        .hostname = hostname,
        .seed = yk_random_system_seed(),
        .aside = &s->aside.inbox,
        .standby = s->arguments->election.is_on,
        .context = s,
        .fatal = give_up,
        .configured = on_configured,
        .recovered = stand_for_election,
    };
    if (s->arguments->election.is_on)
        start_election(s, hostname);
    yk_engine_start(&s->engine, &options);
}

/* Called in the copy of the process that tries a what-if question: other threads do not exist there. */
static void detach_from_threads(void *context)
{
    yk_name_service_detach(((struct scheduler *)context)->name_service);
}

static void *schedule(void *context)
{
    struct scheduler *s = context;
    (void)pthread_setname_np(pthread_self(), YK_THREAD_SCHEDULING); /* only /metrics and top show it */
    start_shim(s);
    struct yk_clock *clock = s->recording.thread != NULL ? &s->engine.step_clock : &yk_clock_real;
    yk_engine_whatif_start(&s->whatif, &s->engine, clock, &s->engine.actor.outside, detach_from_threads, s);
    s->beat.fire = on_beat;
    on_beat(&s->beat);
    yk_actor_run(&s->engine.actor);
    yk_engine_end_record(&s->engine);
    yk_io_stop(s->io);
    return NULL;
}

static void *read_aside(void *context)
{
    (void)pthread_setname_np(pthread_self(), YK_THREAD_CONFIG);
    yk_actor_run(&((struct scheduler *)context)->aside);
    return NULL;
}

static void stop_aside(struct scheduler *s)
{
    yk_actor_stop(&s->aside);
    pthread_join(s->aside_thread, NULL);
}

/* Blocks all signals but those of base/stacks.h. The I/O thread handles signals, so the other threads are
 * started with this mask. */
static void block_signals(sigset_t *ret_before)
{
    sigset_t all;
    sigfillset(&all);
    yk_stacks_unblock(&all);
    pthread_sigmask(SIG_SETMASK, &all, ret_before);
}

static enum yk_status start_threads(struct scheduler *s, struct yk_err *err)
{
    sigset_t before;
    block_signals(&before);
    int failed = pthread_create(&s->aside_thread, NULL, read_aside, s);
    bool reads = failed == 0;
    if (reads)
        failed = pthread_create(&s->thread, NULL, schedule, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0)
        return YK_OK;
    if (reads)
        stop_aside(s);
    return yk_fail(err, YK_ERR_IO, "cannot start the scheduling thread");
}

static void tear_down(struct scheduler *s)
{
    for (size_t i = 0; i < YK_COUNT(s->signals); i++) {
        if (s->signals[i] != NULL)
            event_free(s->signals[i]);
    }
    yk_web_free(s->web);
    yk_elector_free(s->elector);
    yk_engine_whatif_done(&s->whatif);
    yk_engine_done(&s->engine);
    yk_name_service_free(s->name_service);
    yk_actor_done(&s->aside);
    yk_client_free(s->api);
    yk_io_free(s->io);
}

static void stop_name_service(struct scheduler *s)
{
    s->name_service_hangs = !yk_name_service_stop(s->name_service, name_service_patience_ns);
}

static enum yk_status run(struct scheduler *s, struct yk_err *err)
{
    enum yk_status status = set_up(s, err);
    if (status == YK_OK)
        status = start_threads(s, err);
    if (status != YK_OK) {
        stop_name_service(s);
        if (!s->name_service_hangs)
            tear_down(s);
        return status;
    }
    yk_io_run(s->io);
    pthread_join(s->thread, NULL);
    if (s->is_restarting)
        block_signals(&s->mask_before); /* has_end_signal() finds signals that arrive from now on */
    stop_name_service(s);
    stop_aside(s);
    if (s->failed)
        status = yk_fail(err, YK_ERR_INVALID, "%s", s->why.text);
    /* While requests are unanswered, nothing may be freed. The end of the process frees everything. */
    if (s->at_rest && !s->name_service_hangs)
        tear_down(s);
    else if (!s->at_rest)
        yk_warn(yk_log_shim,
                "ended with unanswered requests; the next start reads their results from the API server");
    return status;
}

/* Whether a signal that ends the process has arrived. The signal may be blocked and pending. */
static bool has_end_signal(const struct scheduler *s)
{
    sigset_t waiting;
    return s->signalled || sigpending(&waiting) != 0 || sigismember(&waiting, SIGTERM) == 1 ||
           sigismember(&waiting, SIGINT) == 1 ||
           (sigismember(&waiting, SIGHUP) == 1 && !yk_io_signal_is_ignored(SIGHUP));
}

static enum yk_status start_again(struct scheduler *s, int argc, char **argv, struct yk_err *err)
{
    if (has_end_signal(s))
        return YK_OK;
    pthread_sigmask(SIG_SETMASK, &s->mask_before, NULL); /* the new program inherits the mask */
    return yk_live_record_restart(&s->recording, argc, argv, s->lease_identity, err);
}

static enum yk_status init_engine(struct scheduler *s, struct yk_err *err)
{
    const struct yk_directory *directory = yk_name_service_directory(s->name_service);
    sigset_t before;
    const struct yk_live_record_options options = {
        .file = s->arguments->record,
        .folder = s->arguments->record_folder,
        .bytes_max = s->arguments->record_bytes_max,
        .is_restarted = s->is_restarted,
        .restart = restart,
        .context = s,
    };
    block_signals(&before);
    enum yk_status status = yk_live_record_init(&s->recording, &options, &s->engine, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status == YK_OK && s->recording.thread == NULL)
        yk_engine_init(&s->engine, &yk_clock_real, directory, false);
    else if (status == YK_OK)
        yk_engine_init_recorded(&s->engine, &yk_clock_real, directory, false, yk_record_thread_put,
                                yk_record_thread_put_object, s->recording.thread);
    return status;
}

static bool read_recording(struct arguments *arguments)
{
    struct yk_err err;
    const char *folder = getenv("TMPDIR");
    if (arguments->record_folder == NULL)
        arguments->record_folder = folder != NULL && folder[0] != '\0' ? folder : "/tmp";
    if (yk_live_record_read_size(arguments->record_max != NULL ? arguments->record_max : "256Mi",
                                 &arguments->record_bytes_max, &err) == YK_OK)
        return true;
    yk_complain("scheduler", "%s", err.text);
    return false;
}

static bool read_port(struct arguments *arguments)
{
    uint64_t port = 0;
    const char *text = arguments->web_port;
    if (text != NULL && (yk_str_to_u64(yk_str_from(text), &port) != YK_OK || port > UINT16_MAX)) {
        yk_complain("scheduler", "--web-port is a number up to 65535 (0: any free port), not '%s'", text);
        return false;
    }
    arguments->port = (uint16_t)port;
    return true;
}

int yk_cmd_scheduler(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct yk_flag flags[8 + YK_LOG_FLAGS + YK_ELECTION_FLAGS] = {
        {"kubeconfig", 0, "FILE",
         "cluster and credentials (default: in-cluster, $KUBECONFIG, ~/.kube/config)", &arguments.kubeconfig},
        {"namespace", 'n', "NAME", "namespace of the ConfigMaps (default: $NAMESPACE, or \"default\")",
         &arguments.namespace_},
        {"web-bind-address", 0, "HOST", "address of the REST interface (default: service.web.bindHost)",
         &arguments.web_host},
        {"web-port", 0, "PORT",
         "port of the REST interface; with this flag, it is opened before the ConfigMaps are read\n"
         "                                    (default: service.web.port, 9080)",
         &arguments.web_port},
        {"ldap-secrets", 0, "DIR",
         "directory with one file for each setting of the user group resolver \"ldap\"\n"
         "                                    (default: " YK_LDAP_SETTINGS_FOLDER ")",
         &arguments.ldap_folder},
        {"record", 0, "FILE",
         "write a recording for yunikorn simulate --replay; it is compressed if FILE ends in .gz",
         &arguments.record},
        {"record-dir", 0, "DIR",
         "directory of recordings that are started over REST (default: $TMPDIR, or /tmp)",
         &arguments.record_folder},
        {"record-max-size", 0, "SIZE", "size at which a recording ends (default: 256Mi)",
         &arguments.record_max},
    };
    yk_log_flags(&arguments.log, &flags[8]);
    yk_election_flags(&arguments.election_texts, &flags[YK_COUNT(flags) - YK_ELECTION_FLAGS]);
    const struct yk_command_line line = {
        "yunikorn scheduler [OPTIONS]",
        "Schedules the pods of a Kubernetes cluster whose schedulerName is yunikorn.\n"
        "Queues and settings come from the ConfigMaps yunikorn-defaults and yunikorn-configs.\n"
        "After SIGTERM, SIGINT or SIGHUP, it waits up to 5 seconds for the answers to its bindings, answers\n"
        "open REST requests for up to 5 seconds, and ends.",
        flags, YK_COUNT(flags), 0};
    int operands;
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    struct yk_err err;
    if (!read_port(&arguments) || !read_recording(&arguments) ||
        !yk_log_flags_apply(&arguments.log, "scheduler"))
        return YK_EXIT_USAGE;
    if (yk_election_read(&arguments.election_texts, &arguments.election, &err) != YK_OK) {
        yk_complain("scheduler", "%s", err.text);
        return YK_EXIT_USAGE;
    }

    yk_info(yk_log_shim, "yunikorn", KV("version", yk_version), KV("revision", yk_revision),
            KV("compiler", yk_compiler));
    YK_CLEANUP(yk_freep) struct scheduler *s = yk_new0(struct scheduler);
    s->arguments = &arguments;
    s->is_restarted = yk_live_record_take_restarted(&s->identity_before);
    const struct yk_name_service_options names = {.answers = &s->engine.actor.inbox,
                                                  .ldap_folder = arguments.ldap_folder};
    if (yk_name_service_new(&names, &s->name_service, &err) != YK_OK) {
        yk_complain("scheduler", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    if (init_engine(s, &err) != YK_OK) {
        yk_complain("scheduler", "%s", err.text);
        stop_name_service(s);
        if (s->name_service_hangs)
            (void)yk_move(s); /* the thread of the name service uses `s` until the process ends */
        else
            yk_name_service_free(s->name_service);
        return YK_EXIT_FAILURE;
    }
    yk_actor_init(&s->aside, &yk_clock_real, YK_ENGINE_INBOX_MAX);
    enum yk_status status = run(s, &err);
    yk_live_record_done(&s->recording);
    if (status == YK_OK && s->is_restarting)
        status = start_again(s, argc, argv, &err);
    yk_live_record_cancel_restart(&s->recording);
    free(yk_move(s->lease_identity));
    free(yk_move(s->identity_before));
    if (s->name_service_hangs)
        (void)yk_move(s); /* the thread of the name service uses `s` until the process ends */
    if (status != YK_OK) {
        yk_complain("scheduler", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    yk_info(yk_log_shim, "ended");
    return YK_EXIT_OK;
}
