# SPDX-License-Identifier: Apache-2.0
yk_test(admission/webhook_objects LINK admission LIBS PkgConfig::JANSSON)
yk_test(admission/ca_secret SOURCES admission/fake_api.c LINK admission LIBS PkgConfig::JANSSON)
yk_test(admission/admission_server LINK admission LIBS PkgConfig::OPENSSL Threads::Threads)
yk_test(admission/config_checks LINK admission api LIBS PkgConfig::JANSSON Threads::Threads)
yk_test(admission/controller SOURCES admission/fake_api.c LINK cmd admission
  LIBS PkgConfig::JANSSON PkgConfig::EVENT PkgConfig::OPENSSL)
foreach(name pod_review workload_review config_review reviewer)
  yk_test(admission/${name} SOURCES admission/review.c lib/apply_patch.c LINK admission api LIBS PkgConfig::JANSSON)
endforeach()
yk_test(admission/settings LINK admission)
yk_test(admission/patterns LINK admission)
yk_test(admission/namespaces LINK admission)
yk_test(admission/json_patch SOURCES lib/apply_patch.c LINK admission LIBS PkgConfig::JANSSON)
