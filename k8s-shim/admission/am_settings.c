/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/am_settings.h"

#include "base/log.h"

enum { SERVICE, FAILURE_POLICY, BYPASS_AUTH };

/* A setting in the second ConfigMap overrides the same setting in the first one. */
static const char *const maps[] = {"yunikorn-defaults", "yunikorn-configs"};
YK_INDEXED_BY(maps, YK_AM_SETTINGS_MAPS - 1);

static const struct {
    const char *key, *value;
} settings_known[] = {
    [SERVICE] = {"admissionController.webHook.amServiceName", "yunikorn-admission-controller-service"},
    [FAILURE_POLICY] = {"admissionController.webHook.failurePolicy", "Fail"},
    [BYPASS_AUTH] = {"admissionController.accessControl.bypassAuth", "false"},
};
YK_INDEXED_BY(settings_known, YK_AM_SETTINGS_KEYS - 1);

static const char *value_of(const struct yk_am_settings *settings, int key)
{
    for (int map = YK_AM_SETTINGS_MAPS - 1; map >= 0; map--) {
        if (settings->values[map][key] != NULL)
            return settings->values[map][key];
    }
    return settings_known[key].value;
}

static bool set(char **value, struct yk_str text)
{
    if (text.p == NULL ? *value == NULL : *value != NULL && yk_str_is(text, *value))
        return false;
    free(*value);
    *value = text.p != NULL ? yk_str_dup(text) : NULL;
    return true;
}

/* Copies the known settings of a ConfigMap. `data` is NULL if the ConfigMap was deleted. True: a setting has
 * changed. */
static bool take_map(struct yk_am_settings *settings, int map, const struct yk_pairs *data)
{
    bool changed = false;
    for (int key = 0; key < YK_AM_SETTINGS_KEYS; key++) {
        struct yk_str text = data != NULL ? yk_pairs_get(data, settings_known[key].key) : (struct yk_str){0};
        changed = set(&settings->values[map][key], text.p != NULL ? yk_str_trim(text) : text) || changed;
    }
    return changed;
}

static int index_of(const struct yk_object *object)
{
    for (int map = 0; map < YK_AM_SETTINGS_MAPS; map++) {
        if (yk_str_is(object->name, maps[map]))
            return map;
    }
    return -1;
}

static bool drop_unlisted(struct yk_am_settings *settings)
{
    bool changed = false;
    for (int map = 0; map < YK_AM_SETTINGS_MAPS; map++) {
        if (!settings->is_listed[map])
            changed = take_map(settings, map, NULL) || changed;
    }
    return changed;
}

bool yk_am_settings_observe(struct yk_am_settings *settings, enum yk_watch_event event,
                            struct yk_object *object)
{
    int map = object != NULL ? index_of(object) : -1;
    switch (event) {
    case YK_WATCH_REPLACE_BEGIN:
        memset(settings->is_listed, 0, sizeof(settings->is_listed));
        return false;
    case YK_WATCH_REPLACE_END:
        return drop_unlisted(settings);
    case YK_WATCH_REPLACE_GAPS:
        return false;
    case YK_WATCH_UPSERT:
        if (map < 0)
            return false;
        settings->is_listed[map] = true;
        return take_map(settings, map, &yk_config_map_of(object)->data);
    case YK_WATCH_DELETED:
        return map >= 0 && take_map(settings, map, NULL);
    }
    return false;
}

const char *yk_am_settings_service(const struct yk_am_settings *settings)
{
    const char *name = value_of(settings, SERVICE);
    return name[0] != '\0' ? name : settings_known[SERVICE].value;
}

bool yk_am_settings_is_guarding(const struct yk_am_settings *settings)
{
    const char *policy = value_of(settings, FAILURE_POLICY);
    if (strcmp(policy, "Fail") != 0 && strcmp(policy, "Ignore") != 0)
        yk_warn(yk_log_admission, "unknown failure policy, Fail is used",
                KV("key", settings_known[FAILURE_POLICY].key), KV("value", policy));
    bool bypass = false;
    if (yk_str_to_bool(yk_str_from(value_of(settings, BYPASS_AUTH)), &bypass) != YK_OK)
        bypass = false; /* the default; the reviewer logs the invalid value */
    return strcmp(policy, "Ignore") != 0 && !bypass;
}

void yk_am_settings_done(struct yk_am_settings *settings)
{
    for (int map = 0; map < YK_AM_SETTINGS_MAPS; map++)
        (void)take_map(settings, map, NULL); /* frees the texts */
}
