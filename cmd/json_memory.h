/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the JSON library allocates memory.
 *
 * Thread: main thread, before other threads start.
 */
#ifndef YK_CMD_JSON_MEMORY_H
#define YK_CMD_JSON_MEMORY_H

/*
 * Sets the allocation functions of the library jansson: when memory is exhausted, the process ends with one
 * line, as for all other memory (base/base.h). Without this call, the library would go on and could drop a
 * character of a text, such as a UID, because its lexer does not check whether its buffer could grow.
 */
void yk_json_memory_init(void);

#endif
