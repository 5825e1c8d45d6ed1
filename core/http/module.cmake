# SPDX-License-Identifier: Apache-2.0
yk_module(core/http
  SOURCES caller.c certificates.c http_chunk.c http_connections.c http_head.c http_server.c tls.c
  LINK base
  LIBS PkgConfig::EVENT PkgConfig::OPENSSL)
