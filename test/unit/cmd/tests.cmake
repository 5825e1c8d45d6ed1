# SPDX-License-Identifier: Apache-2.0
yk_test(cmd/verdict LINK cmd cache config base)
yk_test(cmd/kubectl_text LINK cmd base LIBS PkgConfig::JANSSON)
yk_test(cmd/kubectl_link SOURCES client/mock.c LINK cmd client base LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON)
yk_test(cmd/scheduler_metrics LINK cmd bind base)
