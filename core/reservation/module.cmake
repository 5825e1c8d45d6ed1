# SPDX-License-Identifier: Apache-2.0
yk_module(core/reservation
  SOURCES
    early_reservation.c
    freed_search.c
    make_reservation.c
    nomination.c
    preempt.c
    quota_preemption.c
    release_estimate.c
    required_node.c
    reservable_node.c
    reservation_look.c
    reservation_share.c
    reservations.c
    reserved_capacity.c
    use_reservation.c
    victims.c
    waiting_group.c
  LINK base resources si config objects limits policies preemption metrics events state report pending)
