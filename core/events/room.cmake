# SPDX-License-Identifier: Apache-2.0
yk_room(core/events SOURCES events.c ring.c uuid.c LINK base resources)
