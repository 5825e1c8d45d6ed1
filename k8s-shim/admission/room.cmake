# SPDX-License-Identifier: Apache-2.0
yk_room(k8s-shim/admission
  SOURCES admission_server.c am_settings.c ca_secret.c certificates.c controller.c settle.c webhook_objects.c
  LINK base http api client
  LIBS PkgConfig::EVENT PkgConfig::JANSSON PkgConfig::OPENSSL)
