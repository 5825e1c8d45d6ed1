/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/admission_reviews.h"

#include "admission/config_checks.h"
#include "cache/cache.h"
#include "cache/config_merge.h"

static const char *const maps[] = {YK_CONFIG_MAP_DEFAULTS, YK_CONFIG_MAP_CONFIGS};

struct yk_admission_reviews {
    struct yk_reviewer *reviewer;
    struct yk_config_checks *checks;
    struct yk_cache cache; /* Namespaces and PriorityClasses, to find those that a new list no longer has */
    struct yk_cache_observer observer;
    bool is_listed[YK_COUNT(maps)]; /* by index in `maps`: the list that is being read has that ConfigMap */
};

/* ---- Namespaces and PriorityClasses ---- */

static void put(struct yk_reviewer *reviewer, const struct yk_object *object)
{
    if (object->kind == YK_KIND_NAMESPACE)
        yk_reviewer_put_namespace(reviewer, (const struct yk_namespace *)(const void *)object);
    else
        yk_reviewer_put_priority_class(reviewer, (const struct yk_priority_class *)(const void *)object);
}

static void kept_changed(void *context, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after)
{
    struct yk_reviewer *reviewer = ((struct yk_admission_reviews *)context)->reviewer;
    if (after != NULL)
        put(reviewer, after);
    else if (kind == YK_KIND_NAMESPACE)
        yk_reviewer_remove_namespace(reviewer, before->name);
    else
        yk_reviewer_remove_priority_class(reviewer, before->name);
}

static void listed(void *context, enum yk_kind kind)
{
    (void)context, (void)kind; /* nothing to do: the controller itself waits until the lists have ended */
}

/* ---- ConfigMaps ---- */

static void note_listed(struct yk_admission_reviews *reviews, const struct yk_object *object)
{
    for (size_t i = 0; i < YK_COUNT(maps); i++)
        reviews->is_listed[i] |= yk_str_is(object->name, maps[i]);
}

static void remove_unlisted(struct yk_admission_reviews *reviews)
{
    struct yk_str namespace_ = yk_str_from(yk_reviewer_namespace(reviews->reviewer));
    for (size_t i = 0; i < YK_COUNT(maps); i++) {
        if (!reviews->is_listed[i])
            yk_reviewer_remove_config_map(reviews->reviewer, namespace_, yk_str_from(maps[i]));
    }
}

static void observe_config_map(struct yk_admission_reviews *reviews, enum yk_watch_event event,
                               struct yk_object *object)
{
    switch (event) {
    case YK_WATCH_REPLACE_BEGIN:
        memset(reviews->is_listed, 0, sizeof(reviews->is_listed));
        break;
    case YK_WATCH_REPLACE_END:
        remove_unlisted(reviews);
        break;
    case YK_WATCH_REPLACE_GAPS:
        break;
    case YK_WATCH_UPSERT:
        note_listed(reviews, object);
        yk_reviewer_put_config_map(reviews->reviewer, yk_config_map_of(object));
        break;
    case YK_WATCH_DELETED:
        yk_reviewer_remove_config_map(reviews->reviewer, object->namespace_, object->name);
        yk_object_free(object);
        break;
    }
}

/* ---- functions that the controller calls ---- */

static void observe(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct yk_admission_reviews *reviews = context;
    if (kind == YK_KIND_CONFIG_MAP)
        observe_config_map(reviews, event, object);
    else
        yk_cache_apply(&reviews->cache, kind, event, object);
}

static void mutate(void *context, struct yk_str body, struct yk_buf *ret_answer)
{
    yk_reviewer_review(((struct yk_admission_reviews *)context)->reviewer, YK_REVIEW_MUTATE, body,
                       ret_answer);
}

static void validate(void *context, struct yk_buf *body, struct yk_admission_call *call)
{
    yk_config_checks_add(((struct yk_admission_reviews *)context)->checks, body, call);
}

static const char *service(void *context)
{
    return yk_reviewer_service_name(((struct yk_admission_reviews *)context)->reviewer);
}

static bool wants_guard(void *context)
{
    return yk_reviewer_wants_guard(((struct yk_admission_reviews *)context)->reviewer);
}

enum yk_status yk_admission_reviews_new(struct yk_io *io, const char *namespace_,
                                        struct yk_admission_reviews **ret_reviews, struct yk_err *err)
{
    const struct yk_reviewer_options options = {.namespace_ = namespace_};
    YK_CLEANUP(yk_reviewer_freep) struct yk_reviewer *reviewer = NULL;
    struct yk_config_checks *checks;
    enum yk_status st = yk_reviewer_new(&options, &reviewer, err);
    if (st == YK_OK)
        st = yk_config_checks_new(io, reviewer, &checks, err);
    if (st != YK_OK)
        return st;
    struct yk_admission_reviews *reviews = yk_new0(struct yk_admission_reviews);
    reviews->reviewer = yk_move(reviewer);
    reviews->checks = checks;
    reviews->observer =
        (struct yk_cache_observer){.context = reviews, .listed = listed, .kept_changed = kept_changed};
    yk_cache_init(&reviews->cache, &reviews->observer, namespace_);
    *ret_reviews = reviews;
    return YK_OK;
}

void yk_admission_reviews_free(struct yk_admission_reviews *reviews)
{
    if (reviews == NULL)
        return;
    yk_config_checks_free(reviews->checks);
    yk_cache_done(&reviews->cache);
    yk_reviewer_free(reviews->reviewer);
    free(reviews);
}

struct yk_controller_reviews yk_admission_reviews_of(struct yk_admission_reviews *reviews)
{
    return (struct yk_controller_reviews){observe, mutate, validate, service, wants_guard, reviews};
}
