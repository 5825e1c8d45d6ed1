/* SPDX-License-Identifier: Apache-2.0 */
/* The protobuf readers. */
#include "api/protobuf_reader.h"
#include "read_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_wire(YK_WIRE_PROTOBUF, yk_object_from_protobuf, data, size);
}
