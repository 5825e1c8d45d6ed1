/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory that the scheduler uses: a thread that asks the operating system (`os`) and LDAP (`ldap`),
 * because both block.
 *
 * Questions and answers travel through mailboxes. Above YK_NAME_SERVICE_OPEN_MAX open questions, further ones
 * fail at once.
 *
 * Thread: yk_name_service_new(), _stop() and _free() that of the start and the end of the program.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_NAME_SERVICE_H
#define YK_SECURITY_NAME_SERVICE_H

#include "security/directory.h"

enum { YK_NAME_SERVICE_OPEN_MAX = 16384 };

struct yk_name_service;

struct yk_name_service_options {
    struct yk_mailbox *answers; /* of the thread that asks; borrowed until stopped */
    const char *ldap_folder;    /* NULL: YK_LDAP_SETTINGS_FOLDER; copied */
};

/* Reads the LDAP settings and starts the thread. Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_name_service_new(const struct yk_name_service_options *options,
                                                struct yk_name_service **ret_service, struct yk_err *err);
/* The service as a directory; borrowed for the life of the service. */
const struct yk_directory *yk_name_service_directory(const struct yk_name_service *service);
/* For a copy of the process, which does not have the thread: questions are not answered from now on. */
void yk_name_service_detach(struct yk_name_service *service);
/* Ends the thread. False: it did not end within `patience_ns`, because a service does not answer; then
 * nothing that it uses may be freed. */
YK_NODISCARD bool yk_name_service_stop(struct yk_name_service *service, int64_t patience_ns);
/* Frees a service that was stopped; open questions are dropped. NULL has no effect. */
void yk_name_service_free(struct yk_name_service *service);
YK_DEFINE_FREEP(yk_name_service)

#endif
