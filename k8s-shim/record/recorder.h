/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records a scheduler: every input of core and shim, in order and with the time of the clock, and every
 * decision that the shim sends to the API server as a request (record/decision.h).
 *
 * The recorder is between core and shim on one side, and the API server, the name services and the thread
 * that reads configurations on the other side. It records from the start of the shim, so a recording needs no
 * initial state: a scheduler that gets the same inputs at the same points makes the same decisions
 * (record/replay.h).
 *
 * In each step of the scheduling thread (base/actor.h), the caller does the following in this order:
 * - It calls yk_run_recorder_step().
 * - It calls yk_run_recorder_hold(), runs the timers, and calls yk_run_recorder_timers().
 * - It calls yk_run_recorder_work(), and runs the work of the shim.
 * - If the core schedules, it calls yk_run_recorder_hold(), lets the core schedule, and calls
 *   yk_run_recorder_scheduled().
 * The caller also does so after the recording has ended. The functions then only write lines that were held
 * back before.
 *
 * Owns:   nothing of the scheduler. The lines are passed to a sink.
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

/* The first line of a recording: the options of core and shim. Texts are borrowed for the call. */
struct yk_record_start {
    const char *program;    /* version of the program; only for readers of the file */
    const char *namespace_; /* as in struct yk_shim_options */
    const char *hostname;   /* as in struct yk_shim_options */
    uint64_t seed;          /* as in struct yk_shim_options */
    bool standby;           /* as in struct yk_shim_options */
    bool no_reservations;   /* as in struct yk_core_options */
    bool reads_aside;       /* another thread parses and checks new configurations */
};

/* Gets whole lines, each with its newline. `lines` is borrowed for the call. */
typedef void yk_record_sink(void *context, struct yk_str lines);
/* Gets a line whose last member is an object. The line consists of `begin`, the object as yk_object_to_json()
 * writes it, and "}\n". Writing this JSON is most of the work of recording. So the function may share the
 * object (yk_object_share()) and let another thread write the JSON later. `begin` is borrowed for the
 * call. */
typedef void yk_record_object_sink(void *context, struct yk_str begin, struct yk_object *object);

struct yk_run_recorder_options {
    const struct yk_directory *directory; /* the name services; NULL: there are none */
    struct yk_mailbox *inbox;             /* the mailbox of the scheduling thread */
    const struct yk_clock *clock;         /* the clock of core and shim; its time is fixed during a step */
    yk_record_sink *sink;
    yk_record_object_sink *object_sink; /* gets the lines of most events; NULL: `sink` gets them */
    void *context;                      /* the context of `sink` and `object_sink` */
};

/* Makes a recorder that writes nothing before yk_run_recorder_begin(). `options` is copied; the objects that
 * it points to are borrowed for the life of the recorder. The caller frees the result with
 * yk_run_recorder_free(). */
struct yk_run_recorder *yk_run_recorder_new(const struct yk_run_recorder_options *options);
/* Frees the recorder. Writes no last line: call yk_run_recorder_end() before. The shim must have been freed,
 * and no request may be in flight. `recorder` may be NULL. */
void yk_run_recorder_free(struct yk_run_recorder *recorder);
YK_DEFINE_FREEP(yk_run_recorder)

/* The API server that the shim uses instead of the real API server, also after the recording has ended. It
 * must not be used before yk_run_recorder_begin(). Borrowed for the life of the recorder. */
struct yk_api_server *yk_run_recorder_api(struct yk_run_recorder *recorder);
/* The directory that the core uses instead of the directory of the options; NULL if the options have none.
 * Borrowed for the life of the recorder. */
const struct yk_directory *yk_run_recorder_directory(struct yk_run_recorder *recorder);
/* The mailbox for `inbox` of struct yk_shim_options. It gets configurations that another thread has read.
 * Borrowed for the life of the recorder. */
struct yk_mailbox *yk_run_recorder_inbox(struct yk_run_recorder *recorder);

/* Writes the first line, which contains the time of the clock. Call it once, before the shim starts. `api`,
 * the real API server, is borrowed for the life of the recorder. */
void yk_run_recorder_begin(struct yk_run_recorder *recorder, struct yk_api_server *api,
                           const struct yk_record_start *start);
/* A step of the scheduling thread begins: writes the time of the clock. */
void yk_run_recorder_step(struct yk_run_recorder *recorder);
/* The timers of core and shim have run, and `fired` timers have fired: writes this number if it is not 0,
 * then the lines that were held back. */
void yk_run_recorder_timers(struct yk_run_recorder *recorder, size_t fired);
/* The work of the shim in this step begins: writes a line about this. */
void yk_run_recorder_work(struct yk_run_recorder *recorder);
/* The timers of core and shim run next, or the core schedules next. From now on, lines are held back until
 * yk_run_recorder_timers() or yk_run_recorder_scheduled() has written the line that must come before them. So
 * the caller calls one of these two functions afterwards, also if no timer was due. */
void yk_run_recorder_hold(struct yk_run_recorder *recorder);
/* The core has scheduled, and has looked for a decision `turns` times (yk_core_turns()): writes this number
 * if it is not 0, then the lines that were held back. */
void yk_run_recorder_scheduled(struct yk_run_recorder *recorder, uint64_t turns);

/* Orders to the shim from outside of core and shim. */
enum yk_record_order {
    YK_RECORD_LEAD, /* yk_shim_lead() */
    YK_RECORD_STOP, /* yk_shim_stop() */
};
/* Writes an order. Call it before the order is given to the shim. */
void yk_run_recorder_order(struct yk_run_recorder *recorder, enum yk_record_order order);
/* Ends the recording early, for example because something happens that a replay cannot repeat. `what`, which
 * is written in the last line, is the reason; it is not empty, and is borrowed for the life of the recorder.
 * While lines are held back, the last line is held back, too. No effect if the recording has ended or has not
 * begun. */
void yk_run_recorder_cut(struct yk_run_recorder *recorder, const char *what);
/* Ends the recording with a last line, which contains the number of decisions and their hash. Nothing is
 * written afterwards, except lines that are held back. No effect if the recording has ended or has not
 * begun. */
void yk_run_recorder_end(struct yk_run_recorder *recorder);
/* Why the recording has ended. "": yk_run_recorder_end() has ended it. Otherwise, the text of
 * yk_run_recorder_cut(), or a reason of the recorder itself, such as a line that is too long. NULL: the
 * recording has not ended. Borrowed for the life of the recorder. */
const char *yk_run_recorder_why(const struct yk_run_recorder *recorder);
/* Stops writing, without a last line. To be called in a copy of the process, which must not write to the
 * recording. */
void yk_run_recorder_mute(struct yk_run_recorder *recorder);

#endif
