# SPDX-License-Identifier: Apache-2.0
yk_test(cmd/pace LINK cmd base)
yk_test(cmd/simulate_live LINK cmd web simulate api resources base LIBS PkgConfig::JANSSON)
yk_test(cmd/simulate_web LINK cmd web simulate api resources base LIBS PkgConfig::CURL Threads::Threads)
yk_test(cmd/verdict LINK cmd cache config base)
yk_test(cmd/json_memory SOURCES lib/object_text.c LINK cmd app leader api base LIBS PkgConfig::JANSSON)
yk_test(cmd/kubectl_text LINK cmd base LIBS PkgConfig::JANSSON)
yk_test(cmd/kubectl_link SOURCES lib/mock_server.c LINK cmd client base LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON)
yk_test(cmd/scheduler_metrics LINK cmd bind base)
