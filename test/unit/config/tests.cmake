# SPDX-License-Identifier: Apache-2.0
yk_test(config/load LINK base resources config LIBS PkgConfig::OPENSSL)
yk_test(config/checks LINK base resources config)
yk_test(config/limits LINK base resources config)
yk_test(config/render LINK base resources config)
yk_test(config/properties LINK base resources config)
yk_test(config/settings LINK base resources config)
yk_test(config/tell LINK base resources config)
yk_test(config/places LINK config)
