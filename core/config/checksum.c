/* SPDX-License-Identifier: Apache-2.0 */
/* C17: the checksum of a configuration is the SHA-256 of its text without the checksum in it. */
#include "config/config.h"

#include <openssl/evp.h>

#define MARKER "checksum: "

static const char *find(struct yk_str text, struct yk_str wanted)
{
    return text.len > 0 ? memmem(text.p, text.len, wanted.p, wanted.len) : NULL;
}

/* The first marker and at most 64 bytes behind it, up to the next marker, without line breaks at the end. */
static struct yk_str find_fragment(struct yk_str text)
{
    const char *start = find(text, YK_STR(MARKER));
    if (start == NULL)
        return (struct yk_str){0};
    const char *value = start + strlen(MARKER);
    struct yk_str rest = {value, (size_t)(text.p + text.len - value)};
    const char *again = find(rest, YK_STR(MARKER));
    if (again != NULL)
        rest.len = (size_t)(again - value);
    while (rest.len > 0 && rest.p[rest.len - 1] == '\n')
        rest.len--;
    return (struct yk_str){start, strlen(MARKER) + YK_MIN(rest.len, (size_t)YK_CONFIG_CHECKSUM_LEN)};
}

static void update_without(EVP_MD_CTX *context, struct yk_str text, struct yk_str fragment)
{
    while (fragment.len > 0) {
        const char *next = find(text, fragment);
        if (next == NULL)
            break;
        size_t before = (size_t)(next - text.p);
        EVP_DigestUpdate(context, text.p, before);
        text.p = next + fragment.len;
        text.len -= before + fragment.len;
    }
    EVP_DigestUpdate(context, text.p, text.len);
}

void yk_config_checksum(struct yk_str text, char ret_checksum[YK_CONFIG_CHECKSUM_LEN + 1])
{
    unsigned char digest[EVP_MAX_MD_SIZE] = {0};
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok = context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    if (ok) {
        update_without(context, text.p != NULL ? text : YK_STR(""), find_fragment(text));
        ok = EVP_DigestFinal_ex(context, digest, NULL) == 1;
    }
    EVP_MD_CTX_free(context);
    ret_checksum[0] = '\0';
    if (!YK_ASSERT(ok)) /* OpenSSL always has SHA-256. With an empty checksum the text is loaded again */
        return;
    for (size_t i = 0; i < YK_CONFIG_CHECKSUM_LEN / 2; i++)
        (void)snprintf(ret_checksum + 2 * i, 3, "%02X", digest[i]);
}
