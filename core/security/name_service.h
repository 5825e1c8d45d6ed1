/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory (directory.h) that the scheduler uses. It has a thread that asks the operating system
 * (resolver `os`) and LDAP (resolver `ldap`), because both block.
 *
 * Questions and answers are sent through mailboxes. While YK_NAME_SERVICE_OPEN_MAX questions wait for the
 * thread, further ones fail at once.
 *
 * Thread: yk_name_service_new(), _stop() and _free(): the one that starts and ends the program.
 * yk_name_service_directory(): any. yk_name_service_detach(): the only thread of a copy of the process.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_NAME_SERVICE_H
#define YK_SECURITY_NAME_SERVICE_H

#include "security/directory.h"

enum { YK_NAME_SERVICE_OPEN_MAX = 16384 };

struct yk_name_service;

struct yk_name_service_options {
    struct yk_mailbox *answers; /* of the thread that asks; borrowed until the service is stopped */
    const char *ldap_folder;    /* folder of the LDAP settings, copied; NULL: YK_LDAP_SETTINGS_FOLDER */
};

/* Reads the LDAP settings, which are files, and starts the thread. Missing or wrong settings are no error:
 * the resolver `ldap` is then YK_DIRECTORY_UNUSABLE. Each call of `serves` that reports this makes the thread
 * read the files again. The caller stops `*ret_service` with yk_name_service_stop() and frees it. Errors:
 * YK_ERR_IO, the thread cannot be started. */
YK_NODISCARD enum yk_status yk_name_service_new(const struct yk_name_service_options *options,
                                                struct yk_name_service **ret_service, struct yk_err *err);
/* The service as a directory; borrowed for the life of the service. */
const struct yk_directory *yk_name_service_directory(const struct yk_name_service *service);
/* For a copy of the process made by fork(), which does not have the thread: from now on, questions are
 * accepted and never answered, and both resolvers count as usable. */
void yk_name_service_detach(struct yk_name_service *service);
/* Asks the thread to end, and waits until it has ended, but no longer than `patience_ns`. Open questions may
 * stay without an answer. Call it once. True: the caller frees the service. False: the thread did not end in
 * that time, because a name service does not answer; the service and what it uses must then not be freed. */
YK_NODISCARD bool yk_name_service_stop(struct yk_name_service *service, int64_t patience_ns);
/* Frees a service for which yk_name_service_stop() returned true, and the open questions. Before the call,
 * free each struct yk_users that has asked them. NULL is fine. */
void yk_name_service_free(struct yk_name_service *service);
YK_DEFINE_FREEP(yk_name_service)

#endif
