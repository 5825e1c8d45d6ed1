/* SPDX-License-Identifier: Apache-2.0 */
/* What the system says of this process in /proc/self/status. After cmocka.h. */
#ifndef TEST_BASE_STATUS_H
#define TEST_BASE_STATUS_H

/* In KiB, of the line that begins with `field` ("VmData:"); -1 when there is none. */
static inline long status_kib(const char *field)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    long kib = -1;
    assert_non_null(file);
    while (kib < 0 && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, field, strlen(field)) == 0)
            (void)sscanf(line + strlen(field), "%ld", &kib); /* it stays -1 if there is no number */
    }
    (void)fclose(file);
    return kib;
}

#endif
