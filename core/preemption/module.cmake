# SPDX-License-Identifier: Apache-2.0
yk_module(core/preemption
  SOURCES dry_run.c eligible.c all_candidates.c victim_limits.c guarantee.c victim_index.c need.c node_choice.c plan.c plan_view.c quota_choice.c scope.c trial.c
  LINK base resources si config security objects limits policies)
