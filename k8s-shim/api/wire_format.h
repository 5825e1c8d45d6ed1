/* SPDX-License-Identifier: Apache-2.0 */
/* The two formats in which the API server sends objects, and their names in the header Accept. */
#ifndef YK_API_WIRE_FORMAT_H
#define YK_API_WIRE_FORMAT_H

enum yk_wire_format { YK_WIRE_JSON, YK_WIRE_PROTOBUF };

#define YK_MIME_JSON           "application/json"
#define YK_MIME_PROTOBUF       "application/vnd.kubernetes.protobuf"
#define YK_MIME_PROTOBUF_WATCH "application/vnd.kubernetes.protobuf;stream=watch"

#endif
