# SPDX-License-Identifier: Apache-2.0
yk_test(api/fields LINK api)
yk_test(api/readers SOURCES api/object_text.c LINK api)
yk_test(api/streams SOURCES api/object_text.c LINK api)
yk_test(api/encode LINK api LIBS PkgConfig::JANSSON)
yk_test(api/token_review LINK api)
