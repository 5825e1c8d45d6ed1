/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records a scheduler: every input of core and shim, in order and with the time that they read, and every
 * request that they send to the API server, which are the decisions.
 *
 * The recorder stands between the shim and the API server, the name services and the thread that reads
 * configurations. It is there from the start of the shim, so the recording needs no state: a scheduler that gets
 * the same inputs at the same points makes the same decisions (record/replay.h).
 *
 * Owns:   nothing of the scheduler. Its lines go to a sink.
 * Thread: scheduling thread.
 * Source: docs/record.md.
 */
#ifndef YK_RECORD_RECORDER_H
#define YK_RECORD_RECORDER_H

#include "api/server.h"
#include "base/clock.h"
#include "base/mailbox.h"
#include "security/directory.h"

struct yk_run_recorder;

/* What a recording begins with. Texts are borrowed for the call. */
struct yk_record_start {
    const char *program;    /* version of the program; only shown */
    const char *namespace_; /* of the ConfigMaps */
    const char *hostname;
    uint64_t seed; /* of the shim */
    bool standby, no_reservations;
    bool reads_aside; /* a thread of its own reads new configurations */
};

/* Gets whole lines, each with its newline. `lines` is borrowed for the call. */
typedef void yk_record_sink(void *context, struct yk_str lines);

struct yk_run_recorder_options {
    const struct yk_directory *directory; /* borrowed for life, as all below; NULL: no groups are known */
    struct yk_mailbox *inbox;             /* of the scheduling thread */
    const struct yk_clock *clock;         /* the one of core and shim: it stands still during a step */
    yk_record_sink *sink;
    void *context; /* of `sink` */
};

/* Writes nothing before yk_run_recorder_begin(). `options` is copied. */
struct yk_run_recorder *yk_run_recorder_new(const struct yk_run_recorder_options *options);
/* Frees it, after the shim was freed and no request is in flight. NULL has no effect. */
void yk_run_recorder_free(struct yk_run_recorder *recorder);
YK_DEFINE_FREEP(yk_run_recorder)

/* The API server that the shim gets instead of its own, after yk_run_recorder_begin(). Borrowed for the
 * recorder's life. */
struct yk_api_server *yk_run_recorder_api(struct yk_run_recorder *recorder);
/* The directory that the core gets; NULL if there is none. Borrowed for the recorder's life. */
const struct yk_directory *yk_run_recorder_directory(struct yk_run_recorder *recorder);
/* The inbox that the shim gets for configurations that were read aside. Borrowed for the recorder's life. */
struct yk_mailbox *yk_run_recorder_inbox(struct yk_run_recorder *recorder);

/* Writes the first line. Called before the shim starts. `api` is borrowed for the recorder's life. */
void yk_run_recorder_begin(struct yk_run_recorder *recorder, struct yk_api_server *api,
                           const struct yk_record_start *start);
/* A step of the scheduling thread begins; the clock shows its time. */
void yk_run_recorder_step(struct yk_run_recorder *recorder);
/* The timers of core and shim have run; `fired` of them were due. */
void yk_run_recorder_timers(struct yk_run_recorder *recorder, size_t fired);
/* The shim's work of this step begins. */
void yk_run_recorder_work(struct yk_run_recorder *recorder);
/* The timers of core and shim run next, or the core schedules. Lines are held back until
 * yk_run_recorder_timers() or yk_run_recorder_scheduled() has written the line that comes before them. */
void yk_run_recorder_hold(struct yk_run_recorder *recorder);
/* The core has scheduled; `turns` is how often it looked for a decision. */
void yk_run_recorder_scheduled(struct yk_run_recorder *recorder, uint64_t turns);

/* Orders to the shim that come from elsewhere. */
enum yk_record_order {
    YK_RECORD_LEAD, /* yk_shim_lead() */
    YK_RECORD_STOP, /* yk_shim_stop() */
};
/* Writes the order; called before it is given. */
void yk_run_recorder_order(struct yk_run_recorder *recorder, enum yk_record_order order);
/* Ends the recording, because something happens that a replay cannot repeat; `what` (borrowed for the recorder's life)
 * says why. */
void yk_run_recorder_cut(struct yk_run_recorder *recorder, const char *what);
/* Writes the last line: how many decisions there were, and their hash. Nothing is written afterwards. */
void yk_run_recorder_end(struct yk_run_recorder *recorder);
/* Why the recording has ended: "", as asked. NULL: it has not. Borrowed. */
const char *yk_run_recorder_why(const struct yk_run_recorder *recorder);
/* Stops writing; for a copy of the process. */
void yk_run_recorder_mute(struct yk_run_recorder *recorder);

#endif
