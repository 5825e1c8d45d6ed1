# SPDX-License-Identifier: Apache-2.0
yk_test(cmd/verdict LINK cmd cache config base)
yk_test(cmd/json_memory SOURCES api/object_text.c LINK cmd app leader api base LIBS PkgConfig::JANSSON)
