/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The details of events, one row each: symbol, number in the REST interface, meaning. Numbers are
 * those of YuniKorn 1.9, except 205. A number without a meaning is reserved and never recorded. To add an
 * event, add a row here, and a function in report/report.h that records it.
 *
 * Define ROW(symbol, number, meaning) before this file is included. The table in
 * docs/reference/scheduling.md, section 8, is printed from these rows. No include guard: it is included more
 * than once.
 */
ROW(REQUEST_CANCEL, 100, "an ask was removed")
ROW(REQUEST_ALLOC, 101, "")
ROW(REQUEST_TIMEOUT, 102, "an ask was removed because its gang ran out of time")
ROW(APP_ALLOC, 200, "an ask got a node")
ROW(APP_REQUEST, 201, "an ask was added")
ROW(APP_REJECT, 202, "state Rejected")
ROW(APP_NEW, 203, "submitted; also if it is refused next")
ROW(APP_ACCEPTED, 204, "state Accepted")
ROW(APP_STARTING, 205, "state Starting, in a leaf with the policy `stateaware`")
ROW(APP_RUNNING, 206, "state Running")
ROW(APP_COMPLETING, 207, "state Completing")
ROW(APP_COMPLETED, 208, "state Completed")
ROW(APP_FAILING, 209, "state Failing")
ROW(APP_FAILED, 210, "state Failed")
ROW(APP_RESUMING, 211, "state Resuming")
ROW(APP_EXPIRED, 212, "state Expired")
ROW(APP_CANNOT_RUN_QUEUE, 213, "may not run: a queue has its maximum of running applications")
ROW(APP_RUNNABLE_QUEUE, 214, "may run again for its queues")
ROW(APP_CANNOT_RUN_QUOTA, 215, "may not run: its user or group has the maximum of running applications")
ROW(APP_RUNNABLE_QUOTA, 216, "may run again for its user and group")
ROW(NODE_DECOMMISSION, 300, "removed")
ROW(NODE_SCHEDULABLE, 302, "cordoned or uncordoned")
ROW(NODE_ALLOC, 303, "a pod is on it, or no longer")
ROW(NODE_CAPACITY, 304, "the capacity changed")
ROW(NODE_OCCUPIED, 305, "")
ROW(NODE_RESERVATION, 306, "reserved for an ask, or no longer")
ROW(QUEUE_CONFIG, 400, "draining: takes no new applications, and goes when it is empty")
ROW(QUEUE_DYNAMIC, 401, "a dynamic queue was added or removed")
ROW(QUEUE_TYPE, 402, "became a leaf or a parent")
ROW(QUEUE_MAX, 403, "the maximum changed")
ROW(QUEUE_GUARANTEED, 404, "the guaranteed amounts changed")
ROW(QUEUE_APP, 405, "an application joined or left")
ROW(QUEUE_ALLOC, 406, "")
ROW(QUEUE_QUOTA_PREEMPTION, 407, "pods are asked to end because more than the maximum is in use")
ROW(ALLOC_CANCEL, 500, "an allocation ended")
ROW(ALLOC_PREEMPT, 501, "an allocation was preempted")
ROW(ALLOC_TIMEOUT, 502, "a placeholder ended because its gang ran out of time")
ROW(ALLOC_REPLACED, 503, "a placeholder was replaced by its real pod")
ROW(ALLOC_NODE_REMOVED, 504, "an allocation ended with its node")
ROW(UG_USER_LIMIT, 600, "a limit of a user was set or removed")
ROW(UG_GROUP_LIMIT, 601, "a limit of a group was set or removed")
ROW(UG_APP_LINK, 602, "an application counts for a group, or no longer")
ROW(UG_USER_RESOURCE, 603, "the usage of a user changed")
ROW(UG_GROUP_RESOURCE, 604, "the usage of a group changed")
