# SPDX-License-Identifier: Apache-2.0
set(client_world SOURCES client/mock.c client/world.c
  LINK base api client LIBS PkgConfig::EVENT PkgConfig::OPENSSL Threads::Threads)
yk_test(client/watch ${client_world})
yk_test(client/ops ${client_world})
yk_test(client/tls ${client_world})
yk_test(client/exec ${client_world})
yk_test(client/proxy ${client_world})
yk_test(client/http2 ${client_world})
target_sources(test_client_http2 PRIVATE ${CMAKE_SOURCE_DIR}/test/unit/client/h2.c)
yk_test(client/kubeconfig LINK base client)
yk_test(client/identity LINK base client LIBS PkgConfig::OPENSSL)
yk_test(client/limits LINK base client)
yk_test(client/getter SOURCES client/mock.c LINK base api client LIBS PkgConfig::EVENT PkgConfig::OPENSSL)
