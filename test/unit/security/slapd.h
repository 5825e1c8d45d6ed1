/* SPDX-License-Identifier: Apache-2.0 */
/* A real LDAP server on a loopback port, with its files in a folder of its own, gone at the latest with
 * us. */
#ifndef YK_TEST_SLAPD_H
#define YK_TEST_SLAPD_H

#include "base/base.h"

#include <sys/types.h>

struct slapd {
    char folder[64];
    uint16_t port; /* free when it was chosen; stays the same over restarts */
    pid_t pid;     /* 0: not running */
};

/* Where the program is, or NULL. */
const char *slapd_program(void);
/* Writes configuration, entries and, for `tls`, a certificate for 127.0.0.1 (folder/cert.pem). False: it
 * cannot. */
bool slapd_init(struct slapd *slapd, bool tls);
/* Starts it and waits until it listens. */
bool slapd_start(struct slapd *slapd, bool tls);
void slapd_stop(struct slapd *slapd);
void slapd_done(struct slapd *slapd);

#endif
