# SPDX-License-Identifier: Apache-2.0
yk_test(leader/lease LINK leader)
yk_test(leader/elector SOURCES leader/world.c LINK leader simulate LIBS PkgConfig::JANSSON)
