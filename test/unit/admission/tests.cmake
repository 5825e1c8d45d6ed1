# SPDX-License-Identifier: Apache-2.0
yk_test(admission/certificates LINK admission LIBS PkgConfig::OPENSSL)
yk_test(admission/webhook_objects LINK admission LIBS PkgConfig::JANSSON)
yk_test(admission/ca_secret SOURCES admission/fake_api.c LINK admission LIBS PkgConfig::JANSSON)
yk_test(admission/admission_server LINK admission LIBS PkgConfig::OPENSSL Threads::Threads)
yk_test(admission/controller SOURCES admission/fake_api.c LINK admission
  LIBS PkgConfig::JANSSON PkgConfig::EVENT PkgConfig::OPENSSL)
yk_test(admission/reviewer SOURCES admission/apply_patch.c cache/objects.c LINK admission LIBS PkgConfig::JANSSON)
