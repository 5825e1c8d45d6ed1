# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/record
  SOURCES
    decision.c
    line.c
    record_file.c
    recorder.c
    replay.c
    replay_api.c
  LINK base resources config security si api shim
  LIBS PkgConfig::JANSSON PkgConfig::OPENSSL PkgConfig::ZLIB)
