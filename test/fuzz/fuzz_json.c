/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON readers. */
#include "api/json_reader.h"
#include "read_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_wire(YK_WIRE_JSON, yk_object_from_json, data, size);
}
