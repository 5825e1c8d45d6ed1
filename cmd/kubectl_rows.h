/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subcommands of `kubectl yunikorn`, one row each. This file has no include guard: each file that
 * includes it defines ROW. The usage, the completion, the manual page and the table of docs/kubectl.md are
 * made from the rows.
 *
 *   ROW(name, arguments, summary, details, flags, min, max, first, second)
 *
 * name: the word on the command line. The function is yk_ctl_<name>() in a file cmd/kubectl_*.c, which CMake
 * finds. arguments: the operands, as the usage shows them. summary: one line, without a full stop. details:
 * sentences of the help; "": the summary is shown. flags: FLAG_... of cmd/kubectl_flags.h. min, max: the
 * number of operands. first, second: the words that complete the operands, YK_CTL_WORDS_... of enum
 * yk_ctl_words.
 */
/* clang-format off */
ROW(why, "[NAMESPACE/]POD|APP", "say why a pod or an application waits",
    "Says why a pod or an application waits, what would have to change, who is ahead and when it may start.\n"
    "A name is an application if there is one, else a pod. pod/NAME and app/NAME say which. A pod may have its\n"
    "namespace in front, as lists show it: NAMESPACE/NAME or pod/NAMESPACE/NAME.",
    0, 1, 1, WORKLOADS, NOTHING)
ROW(queues, "", "list queues, what they use and what they may use",
    "Lists all queues with what they use, their maximum, and what waits in them.\n"
    "\"12/40\" is 12 used of a maximum of 40.",
    FLAG_TREE | FLAG_WATCH, 0, 0, NOTHING, NOTHING)
ROW(queue, "QUEUE", "describe a queue", "", 0, 1, 1, QUEUES, NOTHING)
ROW(apps, "", "list applications", "", FLAG_QUEUE | FLAG_STATE | FLAG_WATCH, 0, 0, NOTHING, NOTHING)
ROW(app, "APP", "describe an application", "", FLAG_TIMELINE, 1, 1, APPS, NOTHING)
ROW(nodes, "", "list nodes and what is free on them", "", FLAG_WATCH, 0, 0, NOTHING, NOTHING)
ROW(users, "", "list users and groups, what they use and their limits", "", FLAG_WATCH, 0, 0, NOTHING, NOTHING)
ROW(top, "[queues|users|groups|apps|nodes]", "show who uses most of the cluster",
    "Shows who uses most of the cluster, the largest share first. A share is the largest part of any\n"
    "resource, so that cores, memory and GPUs compare.",
    FLAG_WATCH, 0, 1, TOP_KINDS, NOTHING)
ROW(preemptions, "", "list pods that had to end for others", "", FLAG_LIMIT | FLAG_WATCH, 0, 0, NOTHING, NOTHING)
ROW(events, "", "list the latest events of the scheduler", "", FLAG_FOLLOW | FLAG_LIMIT, 0, 0, NOTHING, NOTHING)
ROW(whatif, "FILE|-", "ask what would happen, on a copy of the scheduler's state",
    "Asks what would happen, on a copy of the scheduler's state. FILE is the manifest of a pod, a job or a node,\n"
    "or a queues.yaml; - is standard input.",
    FLAG_COUNT, 1, 1, FILES, NOTHING)
ROW(config, "[show|diff FILE|apply FILE|history [ID]]", "show, compare or replace the queue configuration, or list earlier ones",
    "Shows the queues that the scheduler has in force, compares them with a file, or puts a queues.yaml in\n"
    "their place. - is standard input. show ends with the checksum of what is in force. apply of a file with such\n"
    "a line is refused if another configuration has come into force since; without the line, the file replaces\n"
    "what is in force. history lists the configurations that became active or were refused since the scheduler\n"
    "started, the newest first; with an ID it prints what that one changed, as comments, and its text.",
    0, 0, 2, CONFIG_STEPS, CONFIG_OPERANDS)
ROW(move, "APP QUEUE", "move an application to another queue, until the scheduler starts again", "", 0, 2, 2, APPS, QUEUES)
ROW(kill, "APP", "end an application and its pods", "", 0, 1, 1, APPS, NOTHING)
ROW(record, "", "record the scheduler for a while: a file that replays its decisions",
    "Records what the scheduler reads and decides, and fetches the recording; yunikorn simulate --replay FILE makes\n"
    "the same decisions again. A recording begins with a start of the scheduler. If it is not recorded yet, it starts\n"
    "again in place: pods stay as they are; completed applications, events and history that REST shows are lost.\n"
    "The file has names of the cluster, unless --hash-names replaces them.",
    FLAG_RECORD, 0, 0, NOTHING, NOTHING)
ROW(dump, "", "print the whole state of the scheduler as JSON", "", 0, 0, 0, NOTHING, NOTHING)
/* clang-format on */
