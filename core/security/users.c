/* SPDX-License-Identifier: Apache-2.0 */
#include "security/users.h"

#include "base/log.h"
#include "base/map.h"
#include "config/config.h"

#define KNOWN_NS  (300 * YK_NS_PER_S)
#define FAILED_NS (30 * YK_NS_PER_S)

enum { CALLS_PER_SLICE = 256 };

/* A cached answer. */
struct cached {
    struct yk_list in_line; /* in users->known or users->failed */
    struct yk_user user;    /* without groups if the question failed */
    char *failure;          /* owned; NULL: the groups are known */
    int64_t until_mono_ns;  /* when it expires */
    size_t bytes;           /* counted in the line */
};

/* Answers of one kind are valid equally long, so they expire in the order of arrival. */
struct line {
    struct yk_list list; /* struct cached, by in_line */
    size_t count, bytes;
};

/* A question, and its waits that were not called back yet. */
struct yk_lookup {
    struct yk_users *users;
    char *user;                   /* owned */
    struct yk_question *question; /* in the directory; it can outlive this struct */
    struct yk_list waits;         /* struct yk_user_wait, by in_lookup: in order of arrival */
    struct yk_list in_open;       /* in users->open or, once answered, users->answered */
    struct yk_user answer;        /* owned; empty before the question is answered */
    char *failure;                /* owned: why there is no answer; NULL: there is one, or it has not come */
};

struct yk_users {
    struct yk_timers *timers;
    const struct yk_directory *directory;
    char *type;             /* owned; "": no directory is asked */
    struct yk_strmap cache; /* name -> struct cached, owned */
    struct line known, failed;
    struct yk_strmap lookups;       /* name -> struct yk_lookup, owned */
    struct yk_list open;            /* the same, by in_open: in order of their questions */
    struct yk_list answered;        /* the same: those whose waits are being called back */
    struct yk_timer more_calls;     /* calls back the next waits of `answered` */
    struct yk_list patient, forced; /* struct yk_user_wait, by in_line: in the order in which they expire */
    struct yk_timer end;            /* fires when the next answer or wait expires */
};

static int64_t now_of(const struct yk_users *users)
{
    return yk_clock_mono_ns(users->timers->clock);
}

/* ---- the type ---- */

enum yk_status yk_users_check_type(const struct yk_directory *directory, struct yk_str type,
                                   struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *text = yk_str_dup(type);
    struct yk_err why = {0};
    if (type.len == 0 || directory == NULL ||
        directory->serves(directory->context, text, &why) != YK_DIRECTORY_UNUSABLE)
        return YK_OK;
    return yk_fail(err, YK_ERR_INVALID, "user group resolver '%.64s': %s", text, why.text);
}

/* The type in use: "" for types that the directory does not have. */
static char *type_to_use(const struct yk_users *users, struct yk_str type)
{
    YK_CLEANUP(yk_freep) char *text = yk_str_dup(type);
    const struct yk_directory *directory = users->directory;
    if (type.len == 0)
        return yk_move(text);
    if (directory != NULL && directory->serves(directory->context, text, NULL) != YK_DIRECTORY_UNKNOWN)
        return yk_move(text);
    yk_warn(yk_log_security, "user group resolver not available, groups of a user are its own name",
            KV("resolver", type));
    return yk_strdup("");
}

/* ---- the cache ---- */

static struct yk_user user_with(const char *name, const char *const *groups, size_t group_count)
{
    struct yk_user user = {.name = yk_strdup(name), .group_count = group_count};
    user.groups = yk_new0_array(char *, group_count);
    for (size_t i = 0; i < group_count; i++)
        user.groups[i] = yk_strdup(groups[i]);
    return user;
}

static struct yk_user user_copy(const struct yk_user *user)
{
    return user_with(user->name, (const char *const *)user->groups, user->group_count);
}

static struct line *line_of(struct yk_users *users, const struct cached *cached)
{
    return cached->failure == NULL ? &users->known : &users->failed;
}

static void forget(struct yk_users *users, struct cached *cached)
{
    (void)yk_strmap_remove(&users->cache, yk_str_from(cached->user.name)); /* was there */
    yk_list_remove(&cached->in_line);
    struct line *line = line_of(users, cached);
    line->count--;
    line->bytes -= cached->bytes;
    yk_user_done(&cached->user);
    free(cached->failure);
    free(cached);
}

static struct cached *oldest(const struct line *line)
{
    return yk_list_first(&line->list, struct cached, in_line);
}

static void forget_all(struct yk_users *users)
{
    while (users->known.count > 0)
        forget(users, oldest(&users->known));
    while (users->failed.count > 0)
        forget(users, oldest(&users->failed));
}

static void drop_oldest(struct yk_users *users, struct line *line)
{
    size_t bytes_max = line == &users->known ? YK_USERS_CACHED_BYTES_MAX : YK_USERS_FAILED_BYTES_MAX;
    while (line->count > YK_USERS_CACHED_MAX || (line->bytes > bytes_max && line->count > 1))
        forget(users, oldest(line));
}

static void forget_ended(struct yk_users *users, struct line *line, int64_t now_mono_ns)
{
    while (line->count > 0 && oldest(line)->until_mono_ns <= now_mono_ns)
        forget(users, oldest(line));
}

static const struct cached *recall(const struct yk_users *users, const char *name)
{
    const struct cached *cached = yk_strmap_get(&users->cache, yk_str_from(name));
    return cached != NULL && cached->until_mono_ns > now_of(users) ? cached : NULL;
}

static size_t bytes_of(const struct yk_user *user)
{
    size_t bytes = strlen(user->name) + sizeof(struct cached);
    for (size_t i = 0; i < user->group_count; i++)
        bytes += strlen(user->groups[i]) + sizeof(char *);
    return bytes;
}

static void arm(struct yk_users *users);

/* Takes `user`. `failure` NULL: its groups are known. */
static void remember(struct yk_users *users, struct yk_user user, const char *failure)
{
    struct cached *cached = yk_strmap_get(&users->cache, yk_str_from(user.name));
    if (cached != NULL)
        forget(users, cached);
    cached = yk_new0(struct cached);
    cached->user = user;
    cached->failure = yk_strdup_or_null(failure);
    cached->until_mono_ns = yk_i64_add(now_of(users), failure == NULL ? KNOWN_NS : FAILED_NS);
    cached->bytes = bytes_of(&cached->user) + (failure != NULL ? strlen(failure) : 0);
    struct line *line = line_of(users, cached);
    yk_list_append(&line->list, &cached->in_line);
    line->count++;
    line->bytes += cached->bytes;
    (void)yk_strmap_put(&users->cache, yk_str_from(cached->user.name), cached); /* is new */
    drop_oldest(users, line);
    arm(users);
}

/* ---- waiting ---- */

static void leave(struct yk_user_wait *wait)
{
    yk_list_remove(&wait->in_lookup);
    yk_list_remove(&wait->in_line);
    wait->lookup = NULL;
}

/* Gives up the question of the lookup: an answer that still comes is dropped. */
static void forget_question(struct yk_lookup *lookup)
{
    if (lookup->question == NULL)
        return;
    lookup->question->lookup = NULL;
    atomic_store_explicit(&lookup->question->unwanted, true, memory_order_relaxed);
    lookup->question = NULL;
}

static void lookup_free(struct yk_lookup *lookup)
{
    (void)yk_strmap_remove(&lookup->users->lookups, yk_str_from(lookup->user)); /* was there */
    yk_list_remove(&lookup->in_open);
    forget_question(lookup);
    yk_user_done(&lookup->answer);
    free(lookup->failure);
    free(lookup->user);
    free(lookup);
}

static void ask(struct yk_lookup *lookup)
{
    const struct yk_directory *directory = lookup->users->directory;
    lookup->question = yk_question_new(lookup->users->type, lookup->user);
    lookup->question->lookup = lookup;
    directory->ask(directory->context, lookup->question);
}

static struct yk_lookup *lookup_of(struct yk_users *users, const char *user)
{
    struct yk_lookup *lookup = yk_strmap_get(&users->lookups, yk_str_from(user));
    if (lookup != NULL)
        return lookup;
    lookup = yk_new0(struct yk_lookup);
    lookup->users = users;
    lookup->user = yk_strdup(user);
    yk_list_init(&lookup->waits);
    (void)yk_strmap_put(&users->lookups, yk_str_from(lookup->user), lookup); /* is new */
    yk_list_append(&users->open, &lookup->in_open);
    ask(lookup);
    return lookup;
}

void yk_users_wait(struct yk_users *users, const struct yk_user_request *request, struct yk_user_wait *wait)
{
    wait->lookup = lookup_of(users, request->user);
    wait->forced = request->forced;
    wait->until_mono_ns =
        yk_i64_add(now_of(users), request->forced ? YK_USERS_FORCED_PATIENCE_NS : YK_USERS_PATIENCE_NS);
    yk_list_append(&wait->lookup->waits, &wait->in_lookup);
    yk_list_append(wait->forced ? &users->forced : &users->patient, &wait->in_line);
    arm(users);
}

void yk_users_cancel(struct yk_users *users, struct yk_user_wait *wait)
{
    (void)users;
    struct yk_lookup *lookup = wait->lookup;
    leave(wait);
    if (yk_list_empty(&lookup->waits))
        lookup_free(lookup);
}

/* ---- outcomes ---- */

/* A13: a failure refuses the application, unless allocations of it run. */
static enum yk_user_outcome settle_failure(const char *name, bool forced, const char *why,
                                           struct yk_user *ret_user, struct yk_err *err)
{
    static const char *const nogroup[] = {YK_GROUP_NOGROUP};
    if (!forced) {
        (void)yk_fail(err, YK_ERR_INVALID, "%s", why); /* read from `err` */
        return YK_USER_REFUSED;
    }
    if (!yk_user_name_valid(yk_str_from(name))) {
        /* Read from `err`. */
        (void)yk_fail(err, YK_ERR_INVALID, "invalid username, it contains invalid characters");
        return YK_USER_REFUSED;
    }
    yk_debug(yk_log_security, "user without known groups is in '" YK_GROUP_NOGROUP "'", KV("user", name),
             KV("err", why));
    *ret_user = user_with(name, nogroup, 1);
    return YK_USER_KNOWN;
}

static enum yk_user_outcome settle(const struct yk_user *user, bool forced, const char *failure,
                                   struct yk_user *ret_user, struct yk_err *err)
{
    if (failure != NULL)
        return settle_failure(user->name, forced, failure, ret_user, err);
    *ret_user = user_copy(user);
    return YK_USER_KNOWN;
}

/* Calls `wait->resolved`, which may free the wait; it has ended before. */
static void call_back(struct yk_user_wait *wait, const struct yk_user *user, const char *failure)
{
    YK_CLEANUP(yk_user_done) struct yk_user outcome = {0};
    struct yk_err err = {0};
    bool refused = settle(user, wait->forced, failure, &outcome, &err) == YK_USER_REFUSED;
    wait->resolved(wait, &outcome, refused ? err.text : NULL);
}

/* Calls back some of the waits, in order of arrival. A timer calls back the others. */
static void call_some(struct yk_lookup *lookup)
{
    struct yk_users *users = lookup->users;
    for (size_t i = 0; i < CALLS_PER_SLICE && !yk_list_empty(&lookup->waits); i++) {
        struct yk_user_wait *wait = yk_list_first(&lookup->waits, struct yk_user_wait, in_lookup);
        leave(wait);
        call_back(wait, &lookup->answer, lookup->failure);
    }
    if (yk_list_empty(&lookup->waits))
        lookup_free(lookup);
    if (!yk_list_empty(&users->answered))
        yk_timer_arm(users->timers, &users->more_calls, 0);
}

static void on_more_calls(struct yk_timer *timer)
{
    const struct yk_users *users = YK_CONTAINER(timer, struct yk_users, more_calls);
    if (!yk_list_empty(&users->answered))
        call_some(yk_list_first(&users->answered, struct yk_lookup, in_open));
}

/* Takes `answer`. `failure` NULL: its groups are known. */
static void finish(struct yk_lookup *lookup, struct yk_user answer, const char *failure)
{
    lookup->answer = answer;
    lookup->failure = yk_strdup_or_null(failure);
    yk_list_remove(&lookup->in_open);
    yk_list_append(&lookup->users->answered, &lookup->in_open);
    call_some(lookup);
}

/* If an application of the user was submitted with groups while the question was open, these are cached, and
 * newer than the answer: the answer does not replace them. */
void yk_question_answer(struct yk_question *question)
{
    struct yk_lookup *lookup = question->lookup;
    if (question->answered != NULL)
        question->answered(question->answered_context, question);
    const char *failure = question->failure.text[0] != '\0' ? question->failure.text : NULL;
    if (lookup != NULL) {
        struct yk_users *users = lookup->users;
        if (failure != NULL)
            yk_warn(yk_log_security, "groups of a user cannot be resolved", KV("user", lookup->user),
                    KV("err", failure));
        if (recall(users, lookup->user) == NULL)
            remember(users, user_copy(&question->user), failure);
        lookup->question = NULL;
        finish(lookup, user_copy(&question->user), failure);
    }
    yk_question_free(question);
}

/* ---- expiry ---- */

static void give_up_waiting(struct yk_users *users, const struct yk_list *line, int64_t now_mono_ns)
{
    struct yk_user_wait *wait;
    size_t given_up = 0;
    while ((wait = yk_list_first(line, struct yk_user_wait, in_line)) != NULL &&
           wait->until_mono_ns <= now_mono_ns) {
        const struct yk_user user = {.name = yk_strdup(wait->lookup->user)};
        yk_users_cancel(users, wait);
        call_back(wait, &user, "the groups of the user could not be resolved in time");
        free(user.name);
        given_up++;
    }
    if (given_up > 0)
        yk_warn(yk_log_security, "the groups of users were not resolved in time", KV("resolver", users->type),
                KV("applications", given_up));
}

static int64_t next_end(const struct yk_users *users)
{
    int64_t next = INT64_MAX;
    const struct yk_user_wait *wait;
    if (users->known.count > 0)
        next = YK_MIN(next, oldest(&users->known)->until_mono_ns);
    if (users->failed.count > 0)
        next = YK_MIN(next, oldest(&users->failed)->until_mono_ns);
    if ((wait = yk_list_first(&users->forced, struct yk_user_wait, in_line)) != NULL)
        next = YK_MIN(next, wait->until_mono_ns);
    if ((wait = yk_list_first(&users->patient, struct yk_user_wait, in_line)) != NULL)
        next = YK_MIN(next, wait->until_mono_ns);
    return next;
}

static void arm(struct yk_users *users)
{
    int64_t next = next_end(users);
    if (next == INT64_MAX || (yk_timer_armed(&users->end) && users->end.due_mono_ns <= next))
        return; /* if the timer fires too early, nothing has expired, and it is armed again */
    yk_timer_arm(users->timers, &users->end, yk_i64_sub(next, now_of(users)));
}

static void on_end(struct yk_timer *timer)
{
    struct yk_users *users = YK_CONTAINER(timer, struct yk_users, end);
    int64_t now = now_of(users);
    forget_ended(users, &users->known, now);
    forget_ended(users, &users->failed, now);
    give_up_waiting(users, &users->forced, now);
    give_up_waiting(users, &users->patient, now);
    arm(users);
}

/* ---- creation and removal ---- */

struct yk_users *yk_users_new(const struct yk_users_options *options, struct yk_str type)
{
    struct yk_users *users = yk_new0(struct yk_users);
    users->timers = options->timers;
    users->directory = options->directory;
    users->type = type_to_use(users, type);
    yk_list_init(&users->known.list);
    yk_list_init(&users->failed.list);
    yk_list_init(&users->open);
    yk_list_init(&users->answered);
    yk_list_init(&users->patient);
    yk_list_init(&users->forced);
    users->end.fire = on_end;
    users->more_calls.fire = on_more_calls;
    return users;
}

void yk_users_free(struct yk_users *users)
{
    if (users == NULL)
        return;
    YK_ASSERT(users->lookups.count == 0);
    forget_all(users);
    yk_timer_cancel(users->timers, &users->end);
    yk_timer_cancel(users->timers, &users->more_calls);
    yk_strmap_done(&users->cache);
    yk_strmap_done(&users->lookups);
    free(users->type);
    free(users);
}

static void ask_anew(struct yk_lookup *lookup)
{
    forget_question(lookup);
    ask(lookup);
}

/* The answer of another resolver is not used, even if it has arrived. */
static void reopen(struct yk_users *users)
{
    struct yk_lookup *lookup;
    yk_list_foreach (lookup, &users->answered, struct yk_lookup, in_open) {
        yk_user_done(&lookup->answer);
        free(lookup->failure);
        lookup->failure = NULL;
    }
    yk_list_splice(&users->open, &users->answered);
}

void yk_users_set_type(struct yk_users *users, struct yk_str type)
{
    struct yk_lookup *lookup;
    char *next = type_to_use(users, type);
    if (strcmp(next, users->type) == 0) {
        free(next);
        return;
    }
    yk_info(yk_log_security, "user group resolver changed", KV("from", users->type), KV("to", next));
    free(users->type);
    users->type = next;
    forget_all(users);
    reopen(users);
    yk_list_foreach (lookup, &users->open, struct yk_lookup, in_open) {
        if (next[0] != '\0') {
            ask_anew(lookup);
            continue;
        }
        const char *const group = lookup->user;
        finish(lookup, user_with(group, &group, 1), NULL);
    }
}

/* ---- a submission ---- */

static enum yk_status check_sizes(const struct yk_user_request *request, struct yk_err *err)
{
    if (strlen(request->user) > YK_USER_NAME_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user name of %zu bytes (at most %d)", strlen(request->user),
                       YK_USER_NAME_BYTES_MAX);
    if (request->group_count > YK_USER_GROUPS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user '%.64s' has %zu groups (at most %d)", request->user,
                       request->group_count, YK_USER_GROUPS_MAX);
    for (size_t i = 0; i < request->group_count; i++) {
        const char *group = request->groups[i];
        if (group == NULL)
            return yk_fail(err, YK_ERR_INVALID, "user '%.64s': a group without a name", request->user);
        if (strlen(group) > YK_USER_NAME_BYTES_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "user '%.64s': group name of %zu bytes (at most %d)",
                           request->user, strlen(group), YK_USER_NAME_BYTES_MAX);
    }
    return YK_OK;
}

/* No groups were submitted: uses a cached answer, else the resolver. */
static enum yk_user_outcome resolve_groups(struct yk_users *users, const struct yk_user_request *request,
                                           struct yk_user *ret_user, struct yk_err *err)
{
    const struct cached *cached = recall(users, request->user);
    if (cached != NULL)
        return settle(&cached->user, request->forced, cached->failure, ret_user, err);
    if (users->type[0] != '\0')
        return YK_USER_PENDING;
    *ret_user = user_with(request->user, &request->user, 1);
    return YK_USER_KNOWN;
}

enum yk_user_outcome yk_users_resolve(struct yk_users *users, const struct yk_user_request *request,
                                      struct yk_user *ret_user, struct yk_err *err)
{
    static const char *const nogroup[] = {YK_GROUP_NOGROUP};
    struct yk_user_request asked = *request;
    if (asked.user == NULL || asked.user[0] == '\0') {
        if (!asked.forced) {
            (void)yk_fail(err, YK_ERR_INVALID, "empty user cannot resolve"); /* read from `err` */
            return YK_USER_REFUSED;
        }
        asked.user = YK_USER_NOBODY;
        asked.groups = nogroup;
        asked.group_count = 1;
    }
    if (check_sizes(&asked, err) != YK_OK)
        return YK_USER_REFUSED;
    if (asked.group_count == 0)
        return resolve_groups(users, &asked, ret_user, err);
    if (!yk_user_name_valid(yk_str_from(asked.user))) {
        /* Read from `err`. */
        (void)yk_fail(err, YK_ERR_INVALID, "invalid username, it contains invalid characters");
        return YK_USER_REFUSED;
    }
    remember(users, user_with(asked.user, asked.groups, asked.group_count), NULL);
    *ret_user = user_with(asked.user, asked.groups, asked.group_count);
    return YK_USER_KNOWN;
}
