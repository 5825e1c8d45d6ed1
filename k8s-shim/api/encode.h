/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON bodies of our writes. Nothing but what the write is about is in them.
 *
 * Texts are escaped; bytes that are not UTF-8 become U+FFFD. The body is appended to `body`, whose maximum
 * bounds it: check body->failed once at the end. Where a uid is asked for, "" or NULL leaves the guard out;
 * with it a write meant for one object cannot hit a later one of the same name.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "What is written" (S09, S13, S21, S26, K15).
 */
#ifndef YK_API_ENCODE_H
#define YK_API_ENCODE_H

#include "api/object.h"
#include "base/random.h"

enum {
    YK_EVENT_NOTE_BYTES_MAX = 1024,            /* the server refuses more */
    YK_EVENT_REASON_BYTES_MAX = 128,           /* also of the action */
    YK_CONDITION_MESSAGE_BYTES_MAX = 32 << 10, /* ours */
};

/* Appends the body of POST .../pods/NAME/binding. */
void yk_encode_binding(struct yk_buf *body, const char *namespace_, const char *pod, const char *uid,
                       const char *node);

struct yk_condition_patch {
    const char *uid;  /* the pod's */
    uint64_t version; /* a pod of another resourceVersion is not written; 0: whatever its version */
    const char *type, *status, *reason, *message;
    int64_t transition_wall_ns;  /* 0: `status` has not changed, keep the time the server has */
    int64_t observed_generation; /* of the pod; 0: left out */
};

/* Appends the body of PATCH .../pods/NAME/status, strategic merge: one condition, all others stay. */
void yk_encode_pod_condition(struct yk_buf *body, const struct yk_condition_patch *patch);
/* Appends the body of PATCH .../pods/NAME/status: phase Failed; conditions stay. */
void yk_encode_pod_failed(struct yk_buf *body, const char *uid, const char *reason, const char *message);
/* Appends the body of PATCH .../pods/NAME/status: condition DisruptionTarget=True, reason
 * PreemptionByScheduler. */
void yk_encode_disruption_target(struct yk_buf *body, const char *uid, const char *message, int64_t wall_ns,
                                 int64_t generation);
/* Appends the body of DELETE .../pods/NAME: only the pod with this uid, with its own grace period. */
void yk_encode_delete_options(struct yk_buf *body, const char *uid);

struct yk_event_regarding {
    const char *api_version, *kind, *namespace_, *name, *uid, *resource_version; /* NULL or "": left out */
};

struct yk_event_draft { /* events.k8s.io/v1 */
    const char *name, *namespace_;
    int64_t event_wall_ns;
    const char *controller, *instance;  /* reportingController, reportingInstance */
    const char *type;                   /* Normal or Warning */
    const char *reason, *action, *note; /* cut at the server's limits */
    struct yk_event_regarding regarding;
    uint32_t series_count; /* 2 and more: part of a series */
    int64_t series_last_wall_ns;
};

/* Appends the Event as JSON for a create request. */
void yk_encode_event(struct yk_buf *body, const struct yk_event_draft *event);
/* Appends the body of a PATCH of an Event that changes only its series. */
void yk_encode_event_series(struct yk_buf *body, uint32_t count, int64_t last_wall_ns);

struct yk_config_patch {            /* one text of a ConfigMap */
    struct yk_str resource_version; /* the only version it may meet */
    struct yk_str key, text;
    struct yk_str packed;       /* given: gzip bytes that go to binaryData under <key>.gz, and not `text` */
    const struct yk_str *stale; /* keys of binaryData that would hide the text */
    size_t stale_count;
};

/* Appends the body of PATCH .../configmaps/NAME, merge. */
void yk_encode_config_patch(struct yk_buf *body, const struct yk_config_patch *patch);
struct yk_claim_ref_patch {         /* binds a persistent volume to a claim */
    struct yk_str resource_version; /* of the volume: the only version it may meet */
    const struct yk_object *claim;
    bool by_controller; /* the volume did not name the claim before: say that it was not done by hand */
};

/* Appends the body of PATCH .../persistentvolumes/NAME, merge. */
void yk_encode_claim_ref(struct yk_buf *body, const struct yk_claim_ref_patch *patch);
/* Appends the body of PATCH .../persistentvolumeclaims/NAME, merge: the node where its volume is to be
 * provisioned. `node` absent: removes the selected node. */
void yk_encode_selected_node(struct yk_buf *body, struct yk_str resource_version, struct yk_str node);
/* Appends a random UUID (RFC 9562, version 4). */
void yk_uuid_add(struct yk_buf *text, struct yk_random *random);
/* Appends the name of an Event: "<object>.<nanoseconds in hex>", or a UUID if that would be too long for a
 * name. */
void yk_event_name(struct yk_buf *name, const char *object, int64_t wall_ns, struct yk_random *random);

#endif
