/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON bodies of requests that change something. A patch has only the fields that it changes and, except for
 * Events, the UID or the resourceVersion that the API server compares.
 *
 * Texts are escaped; bytes that are not UTF-8 become U+FFFD. Text arguments and members that are NULL or ""
 * are left out of the body unless the function says otherwise. `resource_version` of a patch, and `key` and
 * `text` of struct yk_config_patch, are written even if they are empty. The body is appended to `body`;
 * body->failed is set if it exceeds body->max. `uid` is the UID of the object that the request is meant for:
 * the API server refuses the request for a later object of the same name. If `uid` is NULL or "", the API
 * server does not compare UIDs. Times are in nanoseconds since 1970 (`..._wall_ns`).
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "What is written" (S09, S13, S21, S26, K15).
 */
#ifndef YK_API_ENCODE_H
#define YK_API_ENCODE_H

#include "api/object.h"
#include "base/random.h"

/* Most bytes of texts; a longer text is cut between characters. */
enum {
    YK_EVENT_NOTE_BYTES_MAX = 1024, /* note of an Event; a limit of the API server */
    /* reason, action and instance of an Event, a limit of the API server; reasons of conditions and pods */
    YK_EVENT_REASON_BYTES_MAX = 128,
    YK_CONDITION_MESSAGE_BYTES_MAX = 32 << 10, /* message of a condition and of the status of a pod */
};

/* Appends the body of POST .../pods/NAME/binding. */
void yk_encode_binding(struct yk_buf *body, const char *namespace_, const char *pod, const char *uid,
                       const char *node);

struct yk_condition_patch {
    const char *uid; /* of the pod; NULL or "": not compared */
    /* the API server refuses the patch if the pod has another resourceVersion; 0: not compared */
    uint64_t version;
    const char *type, *status, *reason, *message; /* of the condition */
    int64_t transition_wall_ns;  /* when `status` changed; 0: not changed, so lastTransitionTime stays */
    int64_t observed_generation; /* metadata.generation of the pod; 0: left out */
};

/* Appends the body of PATCH .../pods/NAME/status (strategic merge) that sets one condition; the others
 * stay. */
void yk_encode_pod_condition(struct yk_buf *body, const struct yk_condition_patch *patch);
/* Appends the body of PATCH .../pods/NAME/status that sets the phase Failed; conditions stay. */
void yk_encode_pod_failed(struct yk_buf *body, const char *uid, const char *reason, const char *message);
/* Appends the body of PATCH .../pods/NAME/status that sets the condition DisruptionTarget=True with reason
 * PreemptionByScheduler. `wall_ns`: its lastTransitionTime. `generation`: metadata.generation of the pod;
 * 0: left out. */
void yk_encode_disruption_target(struct yk_buf *body, const char *uid, const char *message, int64_t wall_ns,
                                 int64_t generation);
/* Appends the body of DELETE .../pods/NAME. The pod ends with the grace period of its spec. */
void yk_encode_delete_options(struct yk_buf *body, const char *uid);

struct yk_event_regarding { /* the object that an Event is about */
    const char *api_version, *kind, *namespace_, *name, *uid, *resource_version; /* NULL or "": left out */
};

struct yk_event_draft { /* events.k8s.io/v1 */
    const char *name, *namespace_;
    int64_t event_wall_ns;
    const char *controller, *instance;  /* reportingController, reportingInstance */
    const char *type;                   /* "Normal" or "Warning" */
    const char *reason, *action, *note; /* cut at the limits above, as is `instance` */
    struct yk_event_regarding regarding;
    uint32_t series_count;       /* how often the Event happened; 0 and 1: not a series */
    int64_t series_last_wall_ns; /* when it happened last; only if series_count >= 2 */
};

/* Appends the Event as JSON for a create request. */
void yk_encode_event(struct yk_buf *body, const struct yk_event_draft *event);
/* Appends the body of a PATCH of an Event that changes only its series: `count`, and when it happened
 * last. */
void yk_encode_event_series(struct yk_buf *body, uint32_t count, int64_t last_wall_ns);

struct yk_config_patch {            /* sets one entry of a ConfigMap */
    struct yk_str resource_version; /* the API server refuses the patch if the ConfigMap has another one */
    struct yk_str key, text;        /* data[key] becomes `text` */
    /* gzip bytes, which become binaryData["<key>.gz"], and data[key] is removed; absent: `text` is used */
    struct yk_str packed;
    const struct yk_str *stale; /* keys to remove from binaryData, where they would override `text` */
    size_t stale_count;
};

/* Appends the body of PATCH .../configmaps/NAME (merge patch). */
void yk_encode_config_patch(struct yk_buf *body, const struct yk_config_patch *patch);

struct yk_claim_ref_patch {         /* binds a persistent volume to a claim */
    struct yk_str resource_version; /* the API server refuses the patch if the volume has another one */
    const struct yk_object *claim;  /* a volume claim, which becomes claimRef of the volume */
    bool by_controller; /* the volume named no claim before: YK_ANNOTATION_BOUND_BY_CONTROLLER is set */
};

/* Appends the body of PATCH .../persistentvolumes/NAME (merge patch). */
void yk_encode_claim_ref(struct yk_buf *body, const struct yk_claim_ref_patch *patch);
/* Appends the body of PATCH .../persistentvolumeclaims/NAME (merge patch) that selects the node where the
 * volume of the claim is to be provisioned. The API server refuses the patch if the claim has another
 * resourceVersion than `resource_version`. An absent or empty `node` removes the selected node. */
void yk_encode_selected_node(struct yk_buf *body, struct yk_str resource_version, struct yk_str node);
/* Appends a random UUID (RFC 9562, version 4): 36 characters. */
void yk_uuid_add(struct yk_buf *text, struct yk_random *random);
/* Appends a name for an Event about the object named `object`: "<object>.<wall_ns in hex>", or a random
 * UUID if the name could be longer than 253 bytes. */
void yk_event_name(struct yk_buf *name, const char *object, int64_t wall_ns, struct yk_random *random);

#endif
