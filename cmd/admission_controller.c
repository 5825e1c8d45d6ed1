/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn admission-controller`: the main thread serves, watches and reviews; another thread reviews
 * configurations.
 *
 * After SIGTERM or SIGINT, the server goes on for --shutdown-delay. Then it accepts no more connections and
 * sends its last answers. Then the client of the API server ends, and then the loop.
 */
#include "admission/controller.h"
#include "base/log.h"
#include "base/random.h"
#include "base/version.h"
#include "client/client.h"
#include "cmd/admission_reviews.h"
#include "cmd/arguments.h"
#include "cmd/cluster_config.h"
#include "cmd/commands.h"
#include "cmd/log_flags.h"

#include <curl/curl.h>
#include <event2/event.h>
#include <signal.h>
#include <unistd.h>

enum { PORT_DEFAULT = 9089, URL_MAX = 2048 };

static const char command_name[] = "admission-controller";

struct arguments {
    const char *kubeconfig, *namespace_, *address, *port_text, *url_text, *delay_text;
    uint16_t port;
    int64_t delay_ns;
    char url[URL_MAX], url_host[URL_MAX]; /* of --webhook-url; "": not given */
    struct yk_log_arguments log;
};

struct program {
    const struct arguments *arguments;
    struct yk_io *io;
    struct yk_api_server *api;
    struct yk_admission_reviews *reviews;
    struct yk_controller *controller;
    struct event *signals[3];
    bool is_signalled, has_failed;
    struct yk_err why;
};

/* ---- signals ---- */

static void on_end_signal(evutil_socket_t number, short what, void *context)
{
    struct program *p = context;
    (void)what;
    if (p->is_signalled)
        _exit(YK_EXIT_FAILURE); /* a second signal ends the process at once */
    p->is_signalled = true;
    yk_info(yk_log_admission, "ending", KV("signal", (int)number));
    yk_controller_stop(p->controller);
}

static void on_reload_signal(evutil_socket_t number, short what, void *context)
{
    struct program *p = context;
    (void)number, (void)what;
    yk_info(yk_log_admission, "reloading certificates");
    yk_controller_reload(p->controller);
}

static enum yk_status catch_signals(struct program *p, struct yk_err *err)
{
    static const struct {
        int number;
        void (*act)(evutil_socket_t number, short what, void *context);
    } signals[] = {{SIGTERM, on_end_signal}, {SIGINT, on_end_signal}, {SIGUSR1, on_reload_signal}};
    YK_STATIC_ASSERT(YK_COUNT(signals) == YK_COUNT(((struct program *)0)->signals), "one event per signal");
    for (size_t i = 0; i < YK_COUNT(signals); i++) {
        p->signals[i] = evsignal_new(yk_io_base(p->io), signals[i].number, signals[i].act, p);
        if (p->signals[i] == NULL || event_add(p->signals[i], NULL) != 0)
            return yk_fail(err, YK_ERR_IO, "cannot listen to signal %d", signals[i].number);
    }
    return YK_OK;
}

/* ---- life ---- */

static const char *version_of(void *context)
{
    const struct yk_discovery *discovery = yk_client_discovery(((struct program *)context)->api);
    return discovery != NULL ? yk_discovery_version(discovery) : "";
}

static void on_ended(void *context, const struct yk_err *why)
{
    struct program *p = context;
    p->has_failed = why != NULL;
    if (why != NULL)
        p->why = *why;
    yk_io_stop(p->io);
}

static const char *own_namespace(const struct program *p)
{
    return p->arguments->namespace_ != NULL ? p->arguments->namespace_ : yk_default_namespace();
}

static enum yk_status set_up(struct program *p, struct yk_err *err)
{
    enum yk_status st = yk_io_new(&p->io, err);
    if (st == YK_OK)
        st = yk_admission_reviews_new(p->io, own_namespace(p), &p->reviews, err);
    if (st != YK_OK)
        return st;
    const struct yk_client_options client = {.io = p->io,
                                             .inbox = yk_io_inbox(p->io),
                                             .clock = &yk_clock_real,
                                             .kubeconfig = p->arguments->kubeconfig,
                                             .qps = 1000,
                                             .burst = 1000,
                                             .seed = yk_random_system_seed()};
    st = yk_client_new(&client, &p->api, err);
    return st == YK_OK ? catch_signals(p, err) : st;
}

static void start(struct program *p)
{
    const struct arguments *a = p->arguments;
    const struct yk_controller_options options = {
        .io = p->io,
        .api = p->api,
        .timers = yk_client_timers(p->api),
        .clock = &yk_clock_real,
        .reviews = yk_admission_reviews_of(p->reviews),
        .version = version_of,
        .ended = on_ended,
        .context = p,
        .namespace_ = own_namespace(p),
        .address = a->address,
        .port = a->port,
        .url = a->url[0] != '\0' ? a->url : NULL,
        .url_host = a->url[0] != '\0' ? a->url_host : NULL,
        .retire_ns = a->delay_ns,
    };
    yk_controller_new(&options, &p->controller);
}

static void tear_down(struct program *p)
{
    for (size_t i = 0; i < YK_COUNT(p->signals); i++) {
        if (p->signals[i] != NULL)
            event_free(p->signals[i]);
    }
    yk_client_free(p->api);
    yk_controller_free(p->controller);
    yk_admission_reviews_free(p->reviews);
    yk_io_free(p->io);
}

static enum yk_status run(struct program *p, struct yk_err *err)
{
    enum yk_status st = set_up(p, err);
    if (st == YK_OK) {
        start(p);
        yk_io_run(p->io);
        if (p->has_failed)
            st = yk_fail(err, YK_ERR_UNAVAILABLE, "%s", p->why.text);
    }
    tear_down(p);
    return st;
}

/* ---- arguments ---- */

static bool read_port(struct arguments *a)
{
    uint64_t port = PORT_DEFAULT;
    if (a->port_text != NULL &&
        (yk_str_to_u64(yk_str_from(a->port_text), &port) != YK_OK || port > UINT16_MAX)) {
        yk_complain(command_name, "--port is a number up to 65535 (0: any free port), not '%s'",
                    a->port_text);
        return false;
    }
    a->port = (uint16_t)port;
    return true;
}

static bool read_delay(struct arguments *a)
{
    a->delay_ns = 5 * YK_NS_PER_S;
    if (a->delay_text != NULL &&
        (yk_duration_parse(yk_str_from(a->delay_text), &a->delay_ns) != YK_OK || a->delay_ns < 0)) {
        yk_complain(command_name, "--shutdown-delay is a duration such as 5s, not '%s'", a->delay_text);
        return false;
    }
    return true;
}

static bool has_part(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    bool has = curl_url_get(url, part, &text, 0) == CURLUE_OK;
    curl_free(text);
    return has;
}

static bool copy_part(CURLU *url, CURLUPart part, unsigned flags, char to[URL_MAX])
{
    char *text = NULL;
    bool fits = curl_url_get(url, part, &text, flags) == CURLUE_OK && strlen(text) < URL_MAX;
    if (fits)
        memcpy(to, text, strlen(text) + 1);
    curl_free(text);
    return fits;
}

/* Reads "https://HOST[:PORT]", with or without a slash at the end. */
static bool take_url(struct arguments *a, CURLU *url)
{
    char scheme[URL_MAX], path[URL_MAX], port[URL_MAX];
    if (curl_url_set(url, CURLUPART_URL, a->url_text, 0) != CURLUE_OK || has_part(url, CURLUPART_USER) ||
        has_part(url, CURLUPART_QUERY) || has_part(url, CURLUPART_FRAGMENT) ||
        !copy_part(url, CURLUPART_SCHEME, 0, scheme) || strcmp(scheme, "https") != 0 ||
        !copy_part(url, CURLUPART_PATH, 0, path) || strcmp(path, "/") != 0 ||
        !copy_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT, port) ||
        !copy_part(url, CURLUPART_HOST, 0, a->url_host))
        return false;
    int len = snprintf(a->url, sizeof(a->url), "https://%s:%s", a->url_host, port);
    size_t host_len = strlen(a->url_host);
    if (a->url_host[0] == '[') { /* an IPv6 address: in certificates, it has no brackets */
        memmove(a->url_host, a->url_host + 1, host_len - 2);
        a->url_host[host_len - 2] = '\0';
    }
    return len > 0 && (size_t)len < sizeof(a->url);
}

static bool read_url(struct arguments *a)
{
    if (a->url_text == NULL)
        return true;
    CURLU *url = curl_url();
    bool is_fine = url != NULL && take_url(a, url);
    curl_url_cleanup(url);
    if (!is_fine)
        yk_complain(command_name, "--webhook-url is https://HOST[:PORT], not '%s'", a->url_text);
    return is_fine;
}

static enum yk_arguments read_arguments(struct arguments *a, int argc, char **argv)
{
    struct yk_flag flags[6 + YK_LOG_FLAGS] = {
        {"kubeconfig", 0, "FILE",
         "cluster and credentials (default: in-cluster, $KUBECONFIG, ~/.kube/config)", &a->kubeconfig},
        {"namespace", 'n', "NAME",
         "namespace of its ConfigMaps, Secret and Service (default: $NAMESPACE, or \"default\")",
         &a->namespace_},
        {"bind-address", 0, "HOST", "the address to listen on (default: all)", &a->address},
        {"port", 0, "PORT", "the port to listen on (default: 9089)", &a->port_text},
        {"webhook-url", 0, "URL",
         "https://HOST[:PORT] that API servers call instead of the Service, if the controller runs\n"
         "                                    outside of the cluster",
         &a->url_text},
        {"shutdown-delay", 0, "TIME",
         "how long it goes on serving after SIGTERM or SIGINT, until API servers use another\n"
         "                                    replica (default: 5s)",
         &a->delay_text},
    };
    yk_log_flags(&a->log, &flags[6]);
    const struct yk_command_line line = {
        "yunikorn admission-controller [OPTIONS]",
        "Serves the admission webhooks of YuniKorn over HTTPS: sets schedulerName, labels and the user of\n"
        "pods, and checks queue configurations. Creates and repairs the webhook configurations. "
        "Certificates\n"
        "are in the Secret admission-controller-secrets; SIGUSR1 reloads them. After SIGTERM or SIGINT, it\n"
        "answers its open requests and ends; a second signal ends it at once.",
        flags, YK_COUNT(flags), 0};
    int operands;
    return yk_arguments_parse(&line, argc, argv, &operands);
}

int yk_cmd_admission_controller(int argc, char **argv)
{
    YK_CLEANUP(yk_freep) struct arguments *arguments = yk_new0(struct arguments);
    enum yk_arguments parsed = read_arguments(arguments, argc, argv);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    if (!read_port(arguments) || !read_delay(arguments) || !read_url(arguments) ||
        !yk_log_flags_apply(&arguments->log, command_name))
        return YK_EXIT_USAGE;
    yk_info(yk_log_admission, "yunikorn admission controller", KV("version", yk_version),
            KV("revision", yk_revision), KV("compiler", yk_compiler));
    struct program program = {.arguments = arguments};
    struct yk_err err;
    if (run(&program, &err) != YK_OK) {
        yk_complain(command_name, "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    yk_info(yk_log_admission, "ended");
    return YK_EXIT_OK;
}
