/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UUIDs as the API server writes them (RFC 9562: 8-4-4-4-12 hexadecimal digits, lower case), in the 16 bytes
 * that they stand for. Thread: any.
 */
#ifndef YK_EVENTS_UUID_H
#define YK_EVENTS_UUID_H

#include <stdbool.h>

enum { YK_UUID_LEN = 36, YK_UUID_BYTES = 16 };

/* False: `text`, of YK_UUID_LEN bytes, is none, or would not come back as it is. */
bool yk_uuid_pack(const char *text, char ret_packed[YK_UUID_BYTES]);
/* Without a NUL. For what yk_uuid_pack() made, on the same machine. */
void yk_uuid_unpack(const char *packed, char ret_text[YK_UUID_LEN]);

#endif
