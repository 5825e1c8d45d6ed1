/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a cluster and the values of the Helm chart, before and after a move from Apache YuniKorn. The caller
 * passes the objects one by one; the results are findings.
 *
 * This module neither reads files nor talks to the API server. Each object is checked when it is passed, and
 * is not stored. Only a few facts are stored, such as webhooks, schedulers, annotations of namespaces, and
 * ids of applications. Some checks need facts of other objects, so the order of the calls is:
 *
 *   1. yk_migration_take_values(), if there are values
 *   2. yk_migration_take_config()
 *   3. yk_migration_take(): VERSION; OWNED, with the Deployment of the scheduler first; LEFTOVER; MUTATING,
 *      VALIDATING and NAMESPACE
 *   4. yk_migration_service() and yk_migration_take_service(), for each Service
 *   5. yk_migration_take(): DEPLOYMENT, then the other subjects
 *   6. yk_migration_end(), then yk_migration_findings()
 *
 * OWNED and LEFTOVER may also come before step 2. yk_migration_take_verdict() may be called at any time
 * before step 6.
 *
 * Owns:   the findings and the facts.
 * Thread: any.
 */
#ifndef YK_MIGRATE_MIGRATION_H
#define YK_MIGRATE_MIGRATION_H

#include "config/config.h"
#include "migrate/check.h"

enum {
    YK_MIGRATE_WEBHOOKS_MAX = 16,             /* further webhooks of YuniKorn are not checked */
    YK_MIGRATE_SCHEDULERS_MAX = 16,           /* further schedulers are not checked */
    YK_MIGRATE_APPLICATIONS_MAX = 200 * 1000, /* further applications are not checked */
    YK_MIGRATE_VALUES_MAX = 4 << 20,          /* bytes of a values file */
};

struct yk_migration;

/* Makes a migration without objects and findings. `namespace_` is the namespace of the scheduler, `release`
 * the name of the Helm release; both are copied. The caller frees the result with yk_migration_free(). */
struct yk_migration *yk_migration_new(const char *namespace_, const char *release);
/* Frees the migration, its facts and its findings. NULL is allowed. */
void yk_migration_free(struct yk_migration *migration);
YK_DEFINE_FREEP(yk_migration)

/*
 * Reads values as `helm get values -a` prints them (YAML or JSON, with or without the title), checks them,
 * adds findings, and keeps a copy for later checks. An empty text counts as a mapping without keys. Settings
 * inside of the values are not checked here: see yk_migration_settings_of_values(). Call the function at most
 * once. Call it before the objects of the cluster are passed, because some of their checks depend on the
 * values. Errors, after which nothing has changed: YK_ERR_INVALID, `text` is not a YAML mapping, or has a key
 * or a text that JSON cannot express; YK_ERR_LIMIT, `text` is too long, has too many values, or is nested too
 * deep. Values that aliases repeat are counted again.
 */
YK_NODISCARD enum yk_status yk_migration_take_values(struct yk_migration *migration, struct yk_str text,
                                                     struct yk_err *err);
/*
 * Checks one object in JSON, adds its findings, and stores its facts. `kind` is the kind that findings show,
 * such as "Secret". NULL stands for yk_subject_kind(subject), which is "" for the subjects VERSION, OWNED and
 * LEFTOVER, so pass a kind for these; checks of LEFTOVER read it. `subject` must not be VALUES or END.
 * Errors, after which nothing has changed: YK_ERR_INVALID, `json` is not a JSON object; YK_ERR_LIMIT, `json`
 * is too long or nested too deep. Fields of another type than expected are treated as absent.
 */
YK_NODISCARD enum yk_status yk_migration_take(struct yk_migration *migration, enum yk_subject subject,
                                              const char *kind, struct yk_str json, struct yk_err *err);

/* Stores settings of the two ConfigMaps of the scheduler for later checks. `defaults` is the object
 * yunikorn-defaults in JSON, `configs` is yunikorn-configs, which overrides it; "": there is no such object.
 * Adds no findings: see yk_migration_take_verdict(). The head of this file says when to call the function.
 * Errors, after which nothing has changed: YK_ERR_INVALID, a text is not a ConfigMap; YK_ERR_LIMIT, a text is
 * too long or nested too deep. */
YK_NODISCARD enum yk_status yk_migration_take_config(struct yk_migration *migration, struct yk_str defaults,
                                                     struct yk_str configs, struct yk_err *err);
/* Adds findings about queues and settings that the caller has checked already. `name` is the object, or the
 * values, that they come from (struct yk_object_name). The function adds one finding for each of `errors` and
 * `warnings`. It also adds one for each difference from YuniKorn 1.9 in the queues and placement rules of
 * `config`, unless `config` is NULL or there are errors. */
void yk_migration_take_verdict(struct yk_migration *migration, const struct yk_object_name *name,
                               const struct yk_config *config, const struct yk_config_errors *errors,
                               const struct yk_config_errors *warnings);

/* A Service that webhooks call. */
struct yk_webhook_service {
    const char *namespace_, *name; /* borrowed until the migration is freed */
};
/* Sets `*ret` to number `i` (from 0) of the Services that are called by the webhooks of YuniKorn passed so
 * far. Each Service is listed once. The caller finds out whether the Service exists and has a pod that is
 * ready, and calls yk_migration_take_service(). False: there are at most `i` such Services, and `*ret` is
 * unchanged. */
bool yk_migration_service(const struct yk_migration *migration, size_t i, struct yk_webhook_service *ret);
/* Stores whether `service` exists, and whether it has a pod that is ready. If the function is not called for
 * a Service, checks assume that its webhooks are answered. */
void yk_migration_take_service(struct yk_migration *migration, const struct yk_webhook_service *service,
                               bool exists, bool is_served);

/* Makes the checks that need all objects, and adds their findings. Call the function once, after the last
 * object of the cluster. Do not call it if only values were passed. `saw_schedulers` says whether all
 * Deployments could be read; if not, no finding says that there is no scheduler. */
void yk_migration_end(struct yk_migration *migration, bool saw_schedulers);
/* The findings so far, which the caller may sort (yk_findings_sort()). Valid until the migration is freed;
 * later calls add to them. */
struct yk_findings *yk_migration_findings(struct yk_migration *migration);
/* Sets `*ret` to settings that the chart would write into the ConfigMap yunikorn-defaults: those in
 * `yunikornDefaults` of the values of yk_migration_take_values(), and deprecated values that stand for
 * settings. Settings that the chart derives from other values, such as `rest.access`, are left out. Each key
 * is listed once. Pairs and texts are copied into `arena`. Without values, `*ret` is empty. The caller checks
 * the settings and calls yk_migration_take_verdict(). */
void yk_migration_settings_of_values(const struct yk_migration *migration, struct yk_arena *arena,
                                     struct yk_pairs *ret);

#endif
