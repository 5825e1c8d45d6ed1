/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the JSON library gets its memory.
 * Thread: main(), before other threads start.
 */
#ifndef YK_CMD_JSON_MEMORY_H
#define YK_CMD_JSON_MEMORY_H

/*
 * Makes the process end with one line when the library gets no memory, as with all other memory
 * (base/base.h). Without this the library would go on and drop a character of a text, such as one of a UID:
 * jansson's lexer does not check whether its buffer could grow.
 */
void yk_json_memory_init(void);

#endif
