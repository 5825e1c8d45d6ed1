/* SPDX-License-Identifier: Apache-2.0 */
#include "placement/place.h"

#include "base/log.h"

static void set_acl(struct yk_str text, struct yk_acl *acl)
{
    struct yk_err err = {0};
    if (yk_acl_parse(text, acl, &err) != YK_OK)
        fail_msg("acl: %s", err.text);
}

static void build(struct yk_queue *queue, const struct yk_config_queue *config)
{
    set_acl(config->submit_acl, &queue->submit_acl);
    set_acl(config->admin_acl, &queue->admin_acl);
    for (uint32_t i = 0; i < config->queue_count; i++) {
        const struct yk_config_queue *below = &config->queues[i];
        build(yk_queue_new(queue, below->name, !below->parent && below->queue_count == 0, true, 0), below);
    }
}

void place_world_init(struct place_world *world, const char *config)
{
    struct yk_err err = {0};
    *world = (struct place_world){0};
    yk_log_set_stream(NULL);
    if (yk_config_load(yk_str_from(config), &world->config, &err) != YK_OK)
        fail_msg("configuration refused: %s\n%s", err.text, config);
    if (yk_placement_new(&world->config->partitions[0], &world->placement, &err) != YK_OK)
        fail_msg("rules refused: %s\n%s", err.text, config);
    world->root = yk_queue_new(NULL, YK_STR("root"), false, true, 0);
    build(world->root, &world->config->partitions[0].root);
}

void place_world_done(struct place_world *world)
{
    yk_queue_free(world->root);
    yk_placement_free(world->placement);
    yk_config_free(world->config);
}

/* Cuts `text` at every `separator`; the parts point into it. */
static size_t cut(char *text, char separator, char *parts[16])
{
    size_t count = 0;
    for (char *at = text; at != NULL && *at != '\0' && count < 16;) {
        char *end = strchr(at, separator);
        parts[count++] = at;
        if (end != NULL)
            *end++ = '\0';
        at = end;
    }
    return count;
}

static size_t cut_tags(char *text, struct yk_si_tag tags[16])
{
    char *pairs[16];
    size_t count = cut(text, ' ', pairs);
    for (size_t i = 0; i < count; i++) {
        char *value = strchr(pairs[i], '=');
        assert_non_null(value);
        *value++ = '\0';
        tags[i] = (struct yk_si_tag){pairs[i], value};
    }
    return count;
}

static struct yk_app *make_app(const struct place_case *one)
{
    YK_CLEANUP(yk_freep) char *group_text = yk_strdup(one->groups != NULL ? one->groups : "");
    YK_CLEANUP(yk_freep) char *tag_text = yk_strdup(one->tags != NULL ? one->tags : "");
    char *groups[16];
    struct yk_si_tag tags[17];
    size_t group_count = cut(group_text, ',', groups);
    struct yk_si_new_app request = {.application_id = "app-1", .queue = one->queue, .tags = tags};
    request.tag_count = cut_tags(tag_text, tags);
    tags[request.tag_count++] = (struct yk_si_tag){YK_SI_TAG_FORCE_CREATE, one->forced ? "true" : "false"};
    return yk_app_new(&request, one->user != NULL ? one->user : "ann", (const char *const *)groups,
                      group_count, 0);
}

char *place_in(struct place_world *world, const struct place_case *one, bool *ret_placed)
{
    struct yk_app *app = make_app(one);
    struct yk_buf path = {.max = 256};
    struct yk_err err = {0};
    *ret_placed = yk_placement_place(world->placement, world->root, app, &path, &err) == YK_OK;
    char *result = *ret_placed ? yk_buf_take(&path) : yk_strdup(err.text);
    yk_buf_done(&path);
    yk_app_free(app);
    return result;
}

void check_places(const struct place_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct place_world world;
        place_world_init(&world, cases[i].config);
        bool placed;
        YK_CLEANUP(yk_freep) char *got = place_in(&world, &cases[i], &placed);
        const char *reason = cases[i].reason != NULL ? cases[i].reason : NO_RULE_MATCHED;
        if (placed != (cases[i].want != NULL) || (placed && strcmp(got, cases[i].want) != 0))
            fail_msg("%s: wanted %s, got '%s'", cases[i].what,
                     cases[i].want != NULL ? cases[i].want : "a rejection", got);
        if (!placed &&
            (strstr(got, reason) == NULL || strncmp(got, "failed to place application app-1: ", 35) != 0))
            fail_msg("%s: wanted '%s', got '%s'", cases[i].what, reason, got);
        place_world_done(&world);
    }
}
