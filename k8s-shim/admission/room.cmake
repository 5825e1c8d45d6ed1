# SPDX-License-Identifier: Apache-2.0
yk_room(k8s-shim/admission
  SOURCES config_review.c json_patch.c marks.c namespaces.c patterns.c pod_review.c request.c reviewer.c settings.c user_rights.c
          workload_review.c
  LINK base resources api cache config placement
  LIBS PkgConfig::JANSSON PkgConfig::PCRE2 PkgConfig::OPENSSL)
