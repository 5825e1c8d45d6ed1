/* SPDX-License-Identifier: Apache-2.0 */
#include "security/name_service.h"

#include "base/actor.h"
#include "base/thread_names.h"
#include "security/ldap.h"
#include "security/ldap_settings.h"
#include "security/os_groups.h"

#include <signal.h>

struct yk_name_service {
    struct yk_directory directory;
    struct yk_actor actor; /* of the thread */
    pthread_t thread;
    struct yk_mailbox *answers;
    char *ldap_folder;    /* owned; fixed for life */
    struct yk_ldap *ldap; /* owned; only the thread uses it */
    pthread_mutex_t lock; /* protects the fields below; held only while they are copied or set */
    pthread_cond_t ended;
    bool is_running;
    struct yk_err ldap_trouble; /* what is wrong with the LDAP settings; empty text: nothing */
};

/* ---- the thread ---- */

static void look_at_settings(struct yk_name_service *service)
{
    YK_CLEANUP(yk_ldap_settings_freep) struct yk_ldap_settings *settings = NULL;
    struct yk_err trouble = {0};
    if (yk_ldap_settings_read(service->ldap_folder, &settings, &trouble) == YK_OK)
        trouble.text[0] = '\0';
    pthread_mutex_lock(&service->lock);
    service->ldap_trouble = trouble;
    pthread_mutex_unlock(&service->lock);
}

/* Runs on the thread that asked. */
static void run_answer(struct yk_command *command)
{
    yk_question_answer((struct yk_question *)(void *)command);
}

static void send_answer(struct yk_name_service *service, struct yk_question *question)
{
    question->command.run = run_answer;
    yk_mailbox_post(service->answers, &question->command);
}

static enum yk_status look_up(struct yk_name_service *service, struct yk_question *question)
{
    if (atomic_load_explicit(&question->unwanted, memory_order_relaxed) ||
        atomic_load_explicit(&service->actor.stopping, memory_order_relaxed))
        return yk_fail(&question->failure, YK_ERR_UNAVAILABLE, "the answer is no longer needed");
    if (strcmp(question->type, "os") == 0)
        return yk_os_groups(&question->user, &question->failure);
    return yk_ldap_groups(service->ldap, &question->user, &question->failure);
}

struct asked { /* a question for the thread */
    struct yk_command command;
    struct yk_name_service *service;
    struct yk_question *question;
};

static void run_question(struct yk_command *command)
{
    struct asked *asked = (struct asked *)(void *)command;
    if (look_up(asked->service, asked->question) == YK_OK)
        asked->question->failure.text[0] = '\0';
    send_answer(asked->service, asked->question);
    free(asked);
}

static void drop_question(struct yk_command *command)
{
    struct asked *asked = (struct asked *)(void *)command;
    yk_question_free(asked->question);
    free(asked);
}

/* A command without a question: reads the settings again. */
static void run_look(struct yk_command *command)
{
    look_at_settings(((struct asked *)(void *)command)->service);
    free(command);
}

static void post(struct yk_name_service *service, struct yk_question *question,
                 void (*run)(struct yk_command *command))
{
    struct asked *asked = yk_new0(struct asked);
    asked->command.run = run;
    asked->command.drop = drop_question;
    asked->service = service;
    asked->question = question;
    yk_mailbox_post(&service->actor.inbox, &asked->command);
}

static void *serve(void *context)
{
    struct yk_name_service *service = context;
    (void)pthread_setname_np(pthread_self(), YK_THREAD_NAMES); /* for /metrics and top only */
    yk_actor_run(&service->actor);
    pthread_mutex_lock(&service->lock);
    service->is_running = false;
    pthread_cond_signal(&service->ended);
    pthread_mutex_unlock(&service->lock);
    return NULL;
}

/* ---- the interface (any thread) ---- */

static enum yk_directory_serves serves(void *context, const char *type, struct yk_err *err)
{
    struct yk_name_service *service = context;
    if (strcmp(type, "os") == 0)
        return YK_DIRECTORY_SERVES;
    if (strcmp(type, "ldap") != 0)
        return YK_DIRECTORY_UNKNOWN;
    pthread_mutex_lock(&service->lock);
    struct yk_err trouble = service->ldap_trouble;
    pthread_mutex_unlock(&service->lock);
    if (trouble.text[0] == '\0')
        return YK_DIRECTORY_SERVES;
    post(service, NULL, run_look); /* the settings may have been corrected: a later call sees that */
    (void)yk_fail(err, YK_ERR_INVALID, "%s", trouble.text); /* read from `err` */
    return YK_DIRECTORY_UNUSABLE;
}

static void ask(void *context, struct yk_question *question)
{
    struct yk_name_service *service = context;
    if (yk_mailbox_weight(&service->actor.inbox) < YK_NAME_SERVICE_OPEN_MAX) {
        post(service, question, run_question);
        return;
    }
    /* The receiver reads `question->failure`. */
    (void)yk_fail(&question->failure, YK_ERR_UNAVAILABLE, "too many users wait for the directory's answer");
    send_answer(service, question);
}

const struct yk_directory *yk_name_service_directory(const struct yk_name_service *service)
{
    return &service->directory;
}

/* ---- in a copy of the process ---- */

static enum yk_directory_serves serves_alone(void *context, const char *type, struct yk_err *err)
{
    (void)context, (void)err;
    return strcmp(type, "os") == 0 || strcmp(type, "ldap") == 0 ? YK_DIRECTORY_SERVES : YK_DIRECTORY_UNKNOWN;
}

/* The question is never answered, and freed with the process. */
static void ask_nobody(void *context, struct yk_question *question)
{
    (void)context, (void)question;
}

void yk_name_service_detach(struct yk_name_service *service)
{
    service->directory.serves = serves_alone;
    service->directory.ask = ask_nobody;
}

/* ---- creation and removal ---- */

/* Starts the thread with all signals blocked, because the I/O thread handles them. */
static enum yk_status start(struct yk_name_service *service, struct yk_err *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    service->is_running = true;
    int failed = pthread_create(&service->thread, NULL, serve, service);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0)
        return YK_OK;
    service->is_running = false;
    return yk_fail(err, YK_ERR_IO, "cannot start the thread that resolves users");
}

static void init_ended(struct yk_name_service *service)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&service->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

enum yk_status yk_name_service_new(const struct yk_name_service_options *options,
                                   struct yk_name_service **ret_service, struct yk_err *err)
{
    struct yk_name_service *service = yk_new0(struct yk_name_service);
    service->directory = (struct yk_directory){.context = service, .serves = serves, .ask = ask};
    service->answers = options->answers;
    service->ldap_folder =
        yk_strdup(options->ldap_folder != NULL ? options->ldap_folder : YK_LDAP_SETTINGS_FOLDER);
    service->ldap = yk_ldap_new(&(struct yk_ldap_options){.folder = service->ldap_folder});
    yk_actor_init(&service->actor, &yk_clock_real, YK_NAME_SERVICE_OPEN_MAX);
    pthread_mutex_init(&service->lock, NULL);
    init_ended(service);
    look_at_settings(service);
    enum yk_status st = start(service, err);
    if (st == YK_OK)
        *ret_service = service;
    else
        yk_name_service_free(service);
    return st;
}

bool yk_name_service_stop(struct yk_name_service *service, int64_t patience_ns)
{
    int64_t until_ns = yk_i64_add(yk_clock_mono_ns(&yk_clock_real), patience_ns);
    struct timespec until = {.tv_sec = until_ns / YK_NS_PER_S, .tv_nsec = until_ns % YK_NS_PER_S};
    int result = 0;
    yk_actor_stop(&service->actor);
    pthread_mutex_lock(&service->lock);
    while (service->is_running && result == 0)
        result = pthread_cond_timedwait(&service->ended, &service->lock, &until);
    bool has_ended = !service->is_running;
    pthread_mutex_unlock(&service->lock);
    if (has_ended)
        pthread_join(service->thread, NULL);
    return has_ended;
}

void yk_name_service_free(struct yk_name_service *service)
{
    if (service == NULL)
        return;
    YK_ASSERT(!service->is_running);
    yk_actor_done(&service->actor);
    yk_ldap_free(service->ldap);
    pthread_cond_destroy(&service->ended);
    pthread_mutex_destroy(&service->lock);
    free(service->ldap_folder);
    free(service);
}
