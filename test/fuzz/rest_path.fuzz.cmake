# SPDX-License-Identifier: Apache-2.0
yk_fuzz(rest_path LINK web)
