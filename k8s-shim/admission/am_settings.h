/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings that admission/controller.h reads from the ConfigMaps yunikorn-defaults and yunikorn-configs:
 * the name of the controller's Service, and whether pods of this scheduler are to be guarded
 * (admission/webhook_objects.h).
 *
 * Owns: copies of the values.
 * Thread: any.
 * Source: docs/reference/admission-server.md, "Settings".
 */
#ifndef YK_ADMISSION_AM_SETTINGS_H
#define YK_ADMISSION_AM_SETTINGS_H

#include "api/server.h"

enum { YK_AM_SETTINGS_MAPS = 2, YK_AM_SETTINGS_KEYS = 3 };

/* Private. In a zeroed struct, no ConfigMap is known, so each setting has its default. */
struct yk_am_settings {
    char *values[YK_AM_SETTINGS_MAPS][YK_AM_SETTINGS_KEYS]; /* owned; NULL: not set */
    bool is_listed[YK_AM_SETTINGS_MAPS]; /* the ConfigMap is in the list that is being read */
};

/* Applies one event of a watch of the ConfigMaps in the controller's namespace. The function does not check
 * the namespace. Only yunikorn-defaults and yunikorn-configs have an effect. `object`: the ConfigMap,
 * borrowed for the call; NULL for the YK_WATCH_REPLACE_... events. True: a value has changed. */
bool yk_am_settings_observe(struct yk_am_settings *settings, enum yk_watch_event event,
                            struct yk_object *object);
/* The value of admissionController.webHook.amServiceName, or the default if the value is absent or empty.
 * Borrowed until the next event. */
const char *yk_am_settings_service(const struct yk_am_settings *settings);
/*
 * Whether the settings ask for pods to be guarded: admissionController.webHook.failurePolicy is not Ignore,
 * and admissionController.accessControl.bypassAuth is not true. The caller guards pods only if
 * yk_webhook_can_guard() is true as well. With bypassAuth, the controller does not check user.info; if pods
 * were guarded, a scheduler with service.trustUserInfo "webhook" would trust user.info. Logs a warning if the
 * policy is unknown.
 */
bool yk_am_settings_is_guarding(const struct yk_am_settings *settings);
/* Frees the copies. Each setting then has its default. */
void yk_am_settings_done(struct yk_am_settings *settings);

#endif
