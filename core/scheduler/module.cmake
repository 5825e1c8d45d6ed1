# SPDX-License-Identifier: Apache-2.0
yk_module(core/scheduler
  SOURCES
    ask_repeat.c
    core.c
    cross_check.c
    cycle.c
    health.c
    history.c
    invariants.c
    kill.c
    prefetch.c
    reload.c
    wake_class.c
    why.c
  LINK base resources si config security objects placement limits policies preemption metrics events state report pending reservation gangs partition)
