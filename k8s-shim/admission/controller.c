/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/controller.h"

#include "admission/admission_server.h"
#include "admission/ca_secret.h"
#include "admission/settle.h"
#include "admission/webhook_objects.h"
#include "base/log.h"
#include "http/tls.h"

static const int64_t check_ns = YK_CONTROLLER_CHECK_SECONDS * YK_NS_PER_S;
static const int64_t version_pause_ns = 100 * YK_NS_PER_MS;
static const int64_t drain_pause_ns = 10 * YK_NS_PER_MS;
static const int64_t patience_ns = 5 * YK_NS_PER_S; /* longest wait at the end for requests, and for `api` */
static const int64_t renew_ns = YK_CONTROLLER_RENEW_DAYS * 86400 * YK_NS_PER_S;

static const enum yk_kind watched[] = {YK_KIND_CONFIG_MAP, YK_KIND_NAMESPACE, YK_KIND_PRIORITY_CLASS};

enum step {            /* the steps of a check, in order */
            STEP_IDLE, /* no check is in progress */
            STEP_SECRET,
            STEP_VALIDATING,
            STEP_MUTATING,
};

enum phase { /* the phases of the end, in order */
             PHASE_RUNNING,
             PHASE_RETIRING,
             PHASE_DRAINING,
             PHASE_STOPPING,
             PHASE_ENDED,
};

struct watch {
    struct yk_controller *controller;
    bool is_synced;
};

struct installation { /* of one webhook configuration */
    struct yk_controller *controller;
    enum yk_webhook_kind kind;
    struct yk_settle settle;
};

struct yk_controller {
    struct yk_controller_options options; /* its texts are owned */
    char *namespace_, *address, *url, *url_host;
    struct watch watches[YK_COUNT(watched)];
    /* Checks. */
    struct yk_timer check_timer;
    enum step step;
    bool is_wanted_again;   /* another check follows right after this one */
    bool is_forced;         /* a new certificate is wanted */
    bool is_new_bundle;     /* the authorities have changed since the previous check */
    bool is_installed;      /* the last check has found or made the webhook configurations as wanted */
    bool is_settled_before; /* a check has succeeded since the start */
    unsigned writes;        /* how often this check has written the webhook configurations */
    char *service;          /* owned; fixed at the first check */
    bool is_guarding;
    struct yk_settle secret;
    struct installation installations[YK_WEBHOOK_KINDS];
    /* Certificates. */
    struct yk_ca_pair authorities;
    struct yk_buf bundle;    /* PEM of the authorities at the last check */
    struct yk_key_pair next; /* the certificate to serve next; empty: there is none */
    char *served_pem;        /* the certificate that is served; owned */
    struct yk_tls *tls;
    struct yk_admission_server *server;
    /* The end. */
    struct yk_timer end_timer;
    enum phase phase;
    int64_t deadline_mono_ns;
    bool has_failed;
    struct yk_err why;
};

static int64_t wall_ns(const struct yk_controller *c)
{
    return yk_clock_wall_ns(c->options.clock);
}

/* ---- the end ---- */

static void go_on_ending(struct yk_timer *timer);

static void next_phase(struct yk_controller *c, enum phase phase, int64_t within_ns)
{
    c->phase = phase;
    c->deadline_mono_ns = yk_clock_mono_ns(c->options.clock) + within_ns;
    yk_io_timer_arm(c->options.timers, &c->end_timer, 0);
}

static void stop_api(struct yk_controller *c)
{
    yk_settle_stop(&c->secret);
    for (int kind = 0; kind < YK_WEBHOOK_KINDS; kind++)
        yk_settle_stop(&c->installations[kind].settle);
    yk_io_timer_cancel(c->options.timers, &c->check_timer);
    yk_api_stop(c->options.api);
}

static void tell_ended(struct yk_controller *c)
{
    c->phase = PHASE_ENDED;
    yk_admission_server_free(yk_move(c->server));
    c->options.ended(c->options.context, c->has_failed ? &c->why : NULL);
}

static void go_on_ending(struct yk_timer *timer)
{
    struct yk_controller *c = YK_CONTAINER(timer, struct yk_controller, end_timer);
    bool is_late = yk_clock_mono_ns(c->options.clock) >= c->deadline_mono_ns;
    switch (c->phase) {
    case PHASE_RUNNING:
    case PHASE_ENDED:
        return;
    case PHASE_RETIRING:
        if (is_late) {
            if (c->server != NULL)
                yk_admission_server_drain(c->server);
            next_phase(c, PHASE_DRAINING, patience_ns);
            return;
        }
        break;
    case PHASE_DRAINING:
        if (is_late || c->server == NULL || yk_admission_server_is_idle(c->server)) {
            stop_api(c);
            next_phase(c, PHASE_STOPPING, patience_ns);
            return;
        }
        break;
    case PHASE_STOPPING:
        if (is_late || yk_api_in_flight(c->options.api) == 0) {
            tell_ended(c);
            return;
        }
        break;
    }
    yk_io_timer_arm(c->options.timers, &c->end_timer, drain_pause_ns);
}

void yk_controller_stop(struct yk_controller *c)
{
    if (c->phase != PHASE_RUNNING)
        return;
    if (c->server != NULL)
        yk_admission_server_retire(c->server);
    next_phase(c, PHASE_RETIRING, c->server != NULL ? c->options.retire_ns : 0);
}

static void give_up(struct yk_controller *c, const struct yk_err *why)
{
    if (c->phase != PHASE_RUNNING)
        return;
    c->has_failed = true;
    c->why = *why;
    next_phase(c, PHASE_DRAINING, 0);
}

/* ---- serving ---- */

static enum yk_status start_server(struct yk_controller *c, struct yk_err *err)
{
    const struct yk_tls_options tls = {.cert_pem = yk_str_from(c->next.cert_pem),
                                       .key_pem = yk_str_from(c->next.key_pem),
                                       .clock = c->options.clock};
    enum yk_status st = yk_tls_new(&tls, &c->tls, err);
    if (st != YK_OK)
        return st;
    const struct yk_admission_server_options options = {.io = c->options.io,
                                                        .address = c->address,
                                                        .port = c->options.port,
                                                        .tls = c->tls,
                                                        .mutate = c->options.reviews.mutate,
                                                        .validate = c->options.reviews.validate,
                                                        .context = c->options.reviews.context};
    st = yk_admission_server_new(&options, &c->server, err);
    if (st == YK_OK)
        yk_info(yk_log_admission, "serving", KV("address", (const char *)c->address),
                KV("port", yk_admission_server_port(c->server)));
    return st;
}

/* Serves the certificate in `next`, and starts the server with the first one. */
static enum yk_status serve_next(struct yk_controller *c, struct yk_err *err)
{
    char expiry[YK_TIME_TEXT_MAX];
    enum yk_status st = c->server == NULL ? start_server(c, err)
                                          : yk_tls_replace(c->tls, yk_str_from(c->next.cert_pem),
                                                           yk_str_from(c->next.key_pem), err);
    if (st != YK_OK)
        return st;
    yk_time_format(yk_certificate_expiry_wall_ns(c->next.cert_pem), 0, expiry);
    yk_info(yk_log_admission, "new serving certificate", KV("expires", (const char *)expiry));
    free(c->served_pem);
    c->served_pem = yk_move(c->next.cert_pem);
    yk_key_pair_done(&c->next);
    return YK_OK;
}

/* ---- certificates ---- */

/* Whether a new certificate has to be made: none is waiting in `next`, and the one that is served expires
 * soon, or is not valid yet because the clock was set back. If none is served, the expiry is 0. */
static bool needs_renewal(const struct yk_controller *c)
{
    return c->next.cert_pem == NULL &&
           (yk_certificate_expiry_wall_ns(c->served_pem) < wall_ns(c) + renew_ns ||
            yk_certificate_start_wall_ns(c->served_pem) > wall_ns(c));
}

/* Stores the authorities. True: they have changed since the previous check. */
static bool note_bundle(struct yk_controller *c)
{
    struct yk_buf bundle = {0};
    yk_ca_pair_bundle(&c->authorities, &bundle);
    bool is_same = yk_str_eq(yk_buf_view(&bundle), yk_buf_view(&c->bundle));
    yk_buf_done(&c->bundle);
    c->bundle = bundle;
    return !is_same;
}

/* Makes a certificate of the authorities if one is needed. Serves it at once if API servers know the
 * authorities, or if nothing is served yet. */
static enum yk_status use_authorities(struct yk_controller *c, struct yk_err *err)
{
    const struct yk_serving_names names = {c->service, c->namespace_, c->url_host};
    bool waits = c->next.cert_pem != NULL;
    c->is_new_bundle = note_bundle(c);
    if (!c->is_new_bundle && !c->is_forced && !needs_renewal(c))
        return YK_OK;
    yk_key_pair_done(&c->next);
    enum yk_status st = yk_serving_certificate(&c->authorities, &names, wall_ns(c), &c->next, err);
    if (st != YK_OK)
        return st;
    c->is_forced = false;
    return c->server == NULL || (!c->is_new_bundle && !waits) ? serve_next(c, err) : YK_OK;
}

/* Serves `next` if this check has found authorities and configurations unchanged, because API servers trust
 * the authority of `next` by then. Serves it at once if API servers do not trust the certificate that is
 * served now. */
static void serve_when_known(struct yk_controller *c)
{
    struct yk_err err;
    bool is_fresh = c->is_new_bundle || c->writes > 0;
    if (c->next.cert_pem == NULL || (is_fresh && yk_ca_pair_signed(&c->authorities, c->served_pem)))
        return;
    if (serve_next(c, &err) != YK_OK)
        yk_error(yk_log_admission, "the new certificate cannot be served, the old one stays in force",
                 KV("err", (const char *)err.text));
}

static enum yk_status plan_secret(void *context, struct yk_str current, bool *ret_differs,
                                  struct yk_buf *ret_body, struct yk_err *why, struct yk_err *err)
{
    struct yk_controller *c = context;
    return yk_ca_secret_plan(current, wall_ns(c), &c->authorities, ret_differs, ret_body, why, err);
}

/* ---- checks ---- */

static void begin_check(struct yk_controller *c);

static void end_check(struct yk_controller *c)
{
    c->step = STEP_IDLE;
    if (c->phase != PHASE_RUNNING)
        return;
    yk_heap_give_back(); /* large reviews leave free memory */
    bool is_again = c->is_wanted_again;
    c->is_wanted_again = false;
    yk_io_timer_arm(c->options.timers, &c->check_timer, is_again ? 0 : check_ns);
}

/* True: the failure ends the controller, because no check has succeeded yet. A later failure is logged, and
 * the next check tries again. */
static bool handle_failure(struct yk_controller *c, enum yk_status status, const struct yk_err *err)
{
    if (status == YK_OK)
        return false;
    if (!c->is_settled_before && c->phase == PHASE_RUNNING) {
        give_up(c, err);
        return true;
    }
    yk_error(yk_log_admission, "check failed, tried again later", KV("err", (const char *)err->text));
    return false;
}

static void start_installation(struct yk_controller *c, enum yk_webhook_kind kind)
{
    c->step = kind == YK_WEBHOOK_VALIDATING ? STEP_VALIDATING : STEP_MUTATING;
    yk_settle_start(&c->installations[kind].settle);
}

static void on_secret(void *context, enum yk_status status, unsigned writes, const struct yk_err *settled)
{
    struct yk_controller *c = context;
    struct yk_err err = *settled;
    (void)writes;
    if (status == YK_OK)
        status = use_authorities(c, &err);
    if (handle_failure(c, status, &err) || c->phase != PHASE_RUNNING)
        c->step = STEP_IDLE;
    else
        start_installation(c, YK_WEBHOOK_VALIDATING);
}

static void finish_check(struct yk_controller *c, bool is_ok)
{
    if (is_ok && !c->is_installed)
        yk_info(yk_log_admission, "webhook configurations are in order", KV("guarding", c->is_guarding));
    c->is_installed = is_ok;
    c->is_settled_before = c->is_settled_before || is_ok;
    if (is_ok)
        serve_when_known(c);
    end_check(c);
}

static void on_installed(void *context, enum yk_status status, unsigned writes, const struct yk_err *err)
{
    struct installation *installation = context;
    struct yk_controller *c = installation->controller;
    c->writes += writes;
    if (handle_failure(c, status, err) || c->phase != PHASE_RUNNING)
        c->step = STEP_IDLE;
    else if (status != YK_OK)
        finish_check(c, false);
    else if (installation->kind == YK_WEBHOOK_VALIDATING)
        start_installation(c, YK_WEBHOOK_MUTATING);
    else
        finish_check(c, true);
}

static enum yk_status plan_installation(void *context, struct yk_str current, bool *ret_differs,
                                        struct yk_buf *ret_body, struct yk_err *why, struct yk_err *err)
{
    const struct installation *installation = context;
    const struct yk_controller *c = installation->controller;
    const struct yk_webhook_settings settings = {.service = c->service,
                                                 .namespace_ = c->namespace_,
                                                 .url = c->url,
                                                 .ca_bundle = yk_buf_view(&c->bundle),
                                                 .is_guarding = c->is_guarding};
    return yk_webhook_object_plan(installation->kind, &settings, current, ret_differs, ret_body, why, err);
}

static bool is_synced(const struct yk_controller *c)
{
    for (size_t i = 0; i < YK_COUNT(watched); i++) {
        if (!c->watches[i].is_synced)
            return false;
    }
    return true;
}

static bool wants_guard(const struct yk_controller *c)
{
    return c->options.reviews.wants_guard(c->options.reviews.context);
}

static void begin_check(struct yk_controller *c)
{
    const char *version = c->options.version(c->options.context);
    if (c->phase != PHASE_RUNNING || !is_synced(c))
        return;
    if (version[0] == '\0') { /* without the version, the check would remove the guard of another replica */
        yk_io_timer_arm(c->options.timers, &c->check_timer, version_pause_ns);
        return;
    }
    if (c->service == NULL)
        c->service = yk_strdup(c->options.reviews.service(c->options.reviews.context));
    c->is_guarding = wants_guard(c) && yk_webhook_can_guard(version);
    c->writes = 0;
    c->step = STEP_SECRET;
    yk_settle_start(&c->secret);
}

static void want_check(struct yk_controller *c)
{
    if (c->step == STEP_IDLE)
        begin_check(c);
    else
        c->is_wanted_again = true;
}

static void check_due(struct yk_timer *timer)
{
    want_check(YK_CONTAINER(timer, struct yk_controller, check_timer));
}

void yk_controller_reload(struct yk_controller *c)
{
    c->is_forced = true;
    want_check(c);
}

/* ---- watches ---- */

static void on_event(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct watch *watch = context;
    struct yk_controller *c = watch->controller;
    bool is_end = event == YK_WATCH_REPLACE_END || event == YK_WATCH_REPLACE_GAPS;
    bool was_synced = is_synced(c), wanted_guard = wants_guard(c);
    c->options.reviews.observe(c->options.reviews.context, kind, event, object);
    watch->is_synced = watch->is_synced || is_end;
    if (is_synced(c) && (!was_synced || wanted_guard != wants_guard(c)))
        want_check(c);
}

static void start_watches(struct yk_controller *c)
{
    for (size_t i = 0; i < YK_COUNT(watched); i++) {
        const struct yk_watch_spec spec = {
            .kind = watched[i], .namespace_ = watched[i] == YK_KIND_CONFIG_MAP ? c->namespace_ : NULL};
        c->watches[i].controller = c;
        yk_api_watch(c->options.api, &spec, on_event, &c->watches[i]);
    }
}

/* ---- life ---- */

static void init_settles(struct yk_controller *c)
{
    static const struct {
        enum yk_op_kind get, create, update;
    } requests[] = {
        [YK_WEBHOOK_VALIDATING] = {YK_OP_GET_VALIDATING_WEBHOOKS, YK_OP_CREATE_VALIDATING_WEBHOOKS,
                                   YK_OP_UPDATE_VALIDATING_WEBHOOKS},
        [YK_WEBHOOK_MUTATING] = {YK_OP_GET_MUTATING_WEBHOOKS, YK_OP_CREATE_MUTATING_WEBHOOKS,
                                 YK_OP_UPDATE_MUTATING_WEBHOOKS},
    };
    struct yk_settle_options options = {.api = c->options.api,
                                        .timers = c->options.timers,
                                        .get = YK_OP_GET_SECRET,
                                        .create = YK_OP_GET_SECRET,
                                        .update = YK_OP_UPDATE_SECRET,
                                        .namespace_ = c->namespace_,
                                        .name = YK_CA_SECRET,
                                        .plan = plan_secret,
                                        .done = on_secret,
                                        .context = c};
    yk_settle_init(&c->secret, &options);
    for (int kind = 0; kind < YK_WEBHOOK_KINDS; kind++) {
        struct installation *installation = &c->installations[kind];
        installation->controller = c;
        installation->kind = (enum yk_webhook_kind)kind;
        options = (struct yk_settle_options){.api = c->options.api,
                                             .timers = c->options.timers,
                                             .get = requests[kind].get,
                                             .create = requests[kind].create,
                                             .update = requests[kind].update,
                                             .name = yk_webhook_object_name(installation->kind),
                                             .plan = plan_installation,
                                             .done = on_installed,
                                             .context = installation};
        yk_settle_init(&installation->settle, &options);
    }
}

void yk_controller_new(const struct yk_controller_options *options, struct yk_controller **ret_controller)
{
    struct yk_controller *c = yk_new0(struct yk_controller);
    c->options = *options;
    c->namespace_ = yk_strdup(options->namespace_);
    c->address = yk_strdup(options->address != NULL ? options->address : "");
    c->url = yk_strdup_or_null(options->url);
    c->url_host = yk_strdup_or_null(options->url_host);
    c->check_timer.fire = check_due;
    c->end_timer.fire = go_on_ending;
    init_settles(c);
    start_watches(c);
    *ret_controller = c;
}

void yk_controller_free(struct yk_controller *c)
{
    if (c == NULL)
        return;
    yk_admission_server_free(c->server);
    yk_tls_free(c->tls);
    yk_ca_pair_done(&c->authorities);
    yk_key_pair_done(&c->next);
    yk_buf_done(&c->bundle);
    free(c->served_pem);
    free(c->service);
    free(c->namespace_);
    free(c->address);
    free(c->url);
    free(c->url_host);
    free(c);
}

uint16_t yk_controller_port(const struct yk_controller *c)
{
    return c->server != NULL ? yk_admission_server_port(c->server) : 0;
}

const char *yk_controller_certificate(const struct yk_controller *c)
{
    return c->served_pem != NULL ? c->served_pem : "";
}

bool yk_controller_is_installed(const struct yk_controller *c)
{
    return c->is_installed;
}
