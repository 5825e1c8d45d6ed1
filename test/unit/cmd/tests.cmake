# SPDX-License-Identifier: Apache-2.0
yk_test(cmd/pace LINK cmd base)
yk_test(cmd/simulate_live LINK cmd web simulate api resources base LIBS PkgConfig::JANSSON)
yk_test(cmd/simulate_web LINK cmd web simulate api resources base LIBS PkgConfig::CURL Threads::Threads)
yk_test(cmd/verdict LINK cmd cache config base)
yk_test(cmd/library_memory SOURCES lib/child_exit.c LINK admission cache placement config base
  LIBS PkgConfig::PCRE2 PkgConfig::YAML PkgConfig::ZLIB dl)
# Its own allocators take the place of those of the shared libraries; static ones could not be replaced.
target_link_options(test_cmd_library_memory PRIVATE -Wl,--push-state,--no-as-needed -lyaml -lpcre2-8 -lz -Wl,--pop-state)
yk_test(cmd/json_memory SOURCES lib/child_exit.c lib/object_text.c LINK cmd app leader api base LIBS PkgConfig::JANSSON)
yk_test(cmd/hash_names LINK cmd base)
yk_test(cmd/kubectl_text LINK cmd base LIBS PkgConfig::JANSSON)
yk_test(cmd/whatif_report LINK cmd base)
yk_test(cmd/kubectl_link SOURCES lib/mock_server.c lib/core_world.c LINK cmd client web base LIBS PkgConfig::EVENT PkgConfig::OPENSSL PkgConfig::JANSSON)
yk_test(cmd/scheduler_metrics LINK cmd shim bind base)
yk_test(cmd/steady LINK cmd simulate api resources base)
yk_test(cmd/entitled LINK cmd resources base)
yk_test(cmd/fair_use LINK cmd resources base)
yk_test(cmd/simulation LINK cmd simulate api resources base)
yk_test(cmd/live_record LINK cmd web record shim base)
yk_test(cmd/kubectl_site SOURCES lib/core_world.c web/site.c whatif/stage.c
  LINK cmd client web whatif shim bind simulate scheduler api resources base LIBS PkgConfig::JANSSON PkgConfig::EVENT Threads::Threads)
yk_test(cmd/migrate_cluster SOURCES lib/mock_server.c LINK cmd client migrate base LIBS PkgConfig::EVENT PkgConfig::OPENSSL)
yk_test(cmd/record_thread LINK cmd record api base)
