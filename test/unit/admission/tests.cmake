# SPDX-License-Identifier: Apache-2.0
yk_test(admission/certificates LINK admission LIBS PkgConfig::OPENSSL)
