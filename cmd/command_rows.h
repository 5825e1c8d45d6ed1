/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subcommands, one row each. This file has no include guard: each file that includes it defines ROW.
 *
 *   ROW(symbol, name, summary): the function is yk_cmd_<symbol>(), the word on the command line is `name`.
 *
 * The usage, the completion and the manual page are made from the rows.
 */
/* clang-format off */
ROW(admission_controller, "admission-controller", "review pods, workloads and configurations for the API server")
ROW(ctl, "ctl", "ask a running scheduler: kubectl yunikorn")
ROW(migrate, "migrate", "check what a move from Apache YuniKorn changes")
ROW(record, "record", "record a running scheduler, to replay its decisions")
ROW(scheduler, "scheduler", "schedule the pods of a Kubernetes cluster")
ROW(simulate, "simulate", "run a scenario on a cluster in memory")
ROW(validate, "validate", "check a queue configuration")
ROW(whatif, "whatif", "ask a scheduler what would happen")
ROW(completion, "completion", "print a completion script for bash or zsh")
ROW(version, "version", "print the version")
/* clang-format on */
