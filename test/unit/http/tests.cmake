# SPDX-License-Identifier: Apache-2.0
yk_test(http/http_head LINK http)
yk_test(http/http_chunk LINK http)
yk_test(http/http_server LINK http LIBS PkgConfig::EVENT Threads::Threads)
yk_test(http/tls LINK http LIBS PkgConfig::OPENSSL)
yk_test(http/certificates LINK http LIBS PkgConfig::OPENSSL)
