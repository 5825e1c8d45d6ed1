# SPDX-License-Identifier: Apache-2.0
yk_room(k8s-shim/api SOURCES object.c server.c LINK base resources)
