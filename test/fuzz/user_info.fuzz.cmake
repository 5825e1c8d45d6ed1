# SPDX-License-Identifier: Apache-2.0
yk_fuzz(user_info LINK base api)
