/* SPDX-License-Identifier: Apache-2.0 */
/* A folder with LDAP settings, a file each, as a mounted Secret has them. */
#ifndef YK_TEST_FAKE_SETTINGS_H
#define YK_TEST_FAKE_SETTINGS_H

struct fake_settings {
    char folder[64];
};

/* A new folder below /tmp with usable settings for 127.0.0.1, port 1. Ends the test program on failure. */
void fake_settings_init(struct fake_settings *settings);
/* Removes it and all that is in it. */
void fake_settings_done(struct fake_settings *settings);
/* `value` NULL: the file goes. */
void fake_settings_put(const struct fake_settings *settings, const char *name, const char *value);

#endif
