# SPDX-License-Identifier: Apache-2.0
yk_module(core/gangs
  SOURCES
    gang_fit.c
    gang_give_way.c
    gang_order.c
    gang_plan.c
    gang_supply.c
    gang_wait.c
    handover.c
  LINK base resources si config objects limits policies preemption metrics events state report pending reservation)
