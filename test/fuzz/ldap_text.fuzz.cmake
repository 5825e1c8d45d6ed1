# SPDX-License-Identifier: Apache-2.0
yk_fuzz(ldap_text LINK base security)
