# SPDX-License-Identifier: Apache-2.0
set(web_world SOURCES lib/core_world.c web/browser.c LINK web LIBS PkgConfig::JANSSON)
yk_test(web/answer LINK web)
yk_test(web/target LINK web)
yk_test(web/router LINK web)
yk_test(web/review_slots LINK web)
yk_test(web/gzip LINK web LIBS PkgConfig::ZLIB)
yk_test(web/errors ${web_world})
yk_test(web/objects ${web_world})
yk_test(web/many_types ${web_world})
yk_test(web/handle_history ${web_world})
yk_test(web/pages ${web_world})
yk_test(web/handle_debug SOURCES lib/core_world.c web/browser.c LINK web LIBS PkgConfig::JANSSON PkgConfig::ZLIB)
yk_test(web/handle_openapi ${web_world})
yk_test(web/dashboard ${web_world})
yk_test(web/pour LINK web)
yk_test(web/handle_configz ${web_world})
yk_test(web/secret LINK web)
yk_test(web/log_period SOURCES lib/core_world.c LINK web)
yk_test(web/handle_usage ${web_world})
yk_test(web/waiting ${web_world})
yk_test(web/long_lists ${web_world})
yk_test(web/handle_pending ${web_world})
yk_test(web/reasons ${web_world})
yk_test(web/handle_timeline ${web_world})
yk_test(web/handle_config ${web_world})
yk_test(web/handle_metrics ${web_world})
yk_test(web/handle_events ${web_world})
yk_test(web/handle_probes ${web_world})
yk_test(web/web_page SOURCES lib/core_world.c web/browser.c LINK web LIBS PkgConfig::JANSSON PkgConfig::ZLIB)
yk_test(web/network SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::CURL PkgConfig::EVENT Threads::Threads)
yk_test(web/stream SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::EVENT Threads::Threads)
yk_test(web/handle_admin SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::CURL PkgConfig::EVENT PkgConfig::OPENSSL Threads::Threads)
yk_test(web/access SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::CURL PkgConfig::EVENT Threads::Threads)
yk_test(web/handle_whatif SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::EVENT Threads::Threads)
yk_test(web/large_metrics SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::EVENT Threads::Threads)
yk_test(web/long_answers SOURCES lib/core_world.c web/browser.c web/site.c
  LINK web LIBS PkgConfig::JANSSON PkgConfig::EVENT Threads::Threads)
