# SPDX-License-Identifier: Apache-2.0
# libcurl and libldap without the libraries that only other protocols need (hack/image-libraries.sh).
if(YK_LIBRARIES)
  find_library(YK_NGHTTP2 libnghttp2.a REQUIRED)
  set_target_properties(PkgConfig::CURL PROPERTIES INTERFACE_LINK_LIBRARIES
    "${YK_LIBRARIES}/lib/libcurl.a;${YK_NGHTTP2};PkgConfig::OPENSSL;PkgConfig::ZLIB")
  set_target_properties(PkgConfig::LDAP PROPERTIES INTERFACE_LINK_LIBRARIES
    "${YK_LIBRARIES}/lib/libldap.a;${YK_LIBRARIES}/lib/liblber.a;PkgConfig::OPENSSL;resolv")
endif()
