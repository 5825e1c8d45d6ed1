/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripts of fuzz_watch_events: one step a line, ' stands for " in objects. KIND is a word as in
 * `kubectl api-resources`: pods, nodes, ...
 *
 *     O s a r l u       options, first line only: standby, configurations are prepared aside, nodes are
 *                       reserved, lists are made by hand, uids may repeat (then pods may wait without end)
 *     A|M|D|B KIND OBJ  ADDED, MODIFIED, DELETED, BOOKMARK
 *     E KIND OBJ        ERROR with a Status; the kind is listed again
 *     R KIND BYTES      bytes of the stream as they are
 *     L KIND            a whole list of what was told
 *     [ KIND, ] KIND, } KIND   a list begins; it ends; it ends with gaps
 *     ! OP STATUS DELAY_MS RETRY_S COUNT   how requests are answered from now on (hostile_api.h)
 *     T MS              time passes
 *     W                 one slice of the shim's work
 *     P                 a standby takes the lead
 *     C                 configurations that were handed aside are prepared
 *     Q TEXT            an administrator writes a queue configuration and has a token reviewed
 *     V TARGET          a GET of the REST interface; the shim's state dump, too
 */
#ifndef FUZZ_WATCH_SCRIPT_H
#define FUZZ_WATCH_SCRIPT_H

#include "api/server.h"

enum { SCRIPT_LINES_MAX = 400 };

struct script_step {
    char what;          /* as above; 0: nothing that is known */
    enum yk_kind kind;  /* of A M D B E R L [ ] } */
    enum yk_op_kind op; /* of ! */
    int64_t numbers[4]; /* of ! and T; 0 where there is none */
    struct yk_str text; /* the rest of the line */
};

/* Borrows from `line`. A line that says nothing has what == 0. */
struct script_step script_read(struct yk_str line);

#endif
