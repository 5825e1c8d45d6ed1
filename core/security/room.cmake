# SPDX-License-Identifier: Apache-2.0
yk_room(core/security SOURCES acl.c users.c LINK base config)
