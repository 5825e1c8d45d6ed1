/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of the serving half of the admission controller, from the two ConfigMaps: the name of its Service
 * and whether pods of this scheduler are guarded.
 *
 * Owns: copies of the values.
 * Thread: one at a time.
 * Source: docs/reference/admission-server.md, "Settings".
 */
#ifndef YK_ADMISSION_AM_SETTINGS_H
#define YK_ADMISSION_AM_SETTINGS_H

#include "api/server.h"

enum { YK_AM_SETTINGS_MAPS = 2, YK_AM_SETTINGS_KEYS = 3 };

struct yk_am_settings {                                     /* private; zeroed: no ConfigMap was seen */
    char *values[YK_AM_SETTINGS_MAPS][YK_AM_SETTINGS_KEYS]; /* owned; NULL: not set */
    bool is_listed[YK_AM_SETTINGS_MAPS];                    /* in the list that is being read */
};

/* Applies one watch event of ConfigMaps of the controller's namespace. `object` is borrowed (NULL for the
 * REPLACE events). True: a value changed. */
bool yk_am_settings_observe(struct yk_am_settings *settings, enum yk_watch_event event,
                            struct yk_object *object);
/* The value of admissionController.webHook.amServiceName, or its default. Borrowed until the next event. */
const char *yk_am_settings_service(const struct yk_am_settings *settings);
/* Whether admissionController.webHook.failurePolicy is Fail (the default), not Ignore, and users are checked
 * at all: a guard that lets every user.info through would tell the scheduler that user.info can be trusted. */
bool yk_am_settings_is_guarding(const struct yk_am_settings *settings);
/* Frees the copies. */
void yk_am_settings_done(struct yk_am_settings *settings);

#endif
