/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_commands.h"

#include "cmd/kubectl_flags.h"

const struct yk_ctl_command yk_ctl_commands[] = {
#define ROW(name, arguments, summary, details, flags, min, max, first, second)                               \
    {                                                                                                        \
        #name,                                                                                               \
        arguments,                                                                                           \
        summary,                                                                                             \
        details,                                                                                             \
        flags,                                                                                               \
        min,                                                                                                 \
        max,                                                                                                 \
        YK_CTL_WORDS_##first,                                                                                \
        YK_CTL_WORDS_##second,                                                                               \
        yk_ctl_##name},
#include "cmd/kubectl_rows.h"
#undef ROW
};
const size_t yk_ctl_command_count = YK_COUNT(yk_ctl_commands);

const struct yk_ctl_command *yk_ctl_command_find(const char *name)
{
    for (size_t i = 0; i < YK_COUNT(yk_ctl_commands); i++) {
        if (strcmp(yk_ctl_commands[i].name, name) == 0)
            return &yk_ctl_commands[i];
    }
    return NULL;
}

/* ---- flags ---- */

static size_t put_common_flags(struct yk_ctl_flags *to, bool has_output, struct yk_flag *flags)
{
    size_t count = 0;
    const struct yk_flag common[] = {
        {"namespace", 'n', "NAME", "namespace of the pod (default: the namespace of the context)",
         &to->namespace_},
        {"output", 'o', "FORMAT", "wide, json or yaml", &to->output},
        {"no-headers", 0, NULL, "leave out the first line of a table", &to->no_headers},
        {"partition", 0, "NAME", "partition of the scheduler (default: \"default\")", &to->partition},
        {"kubeconfig", 0, "FILE", "cluster and credentials (default: $KUBECONFIG, ~/.kube/config)",
         &to->kubeconfig},
        {"context", 0, "NAME", "context of the kubeconfig", &to->context},
        {"scheduler-namespace", 0, "NAME", "namespace of the scheduler (default: yunikorn)",
         &to->scheduler_namespace},
        {"service", 0, "NAME", "Service of the scheduler (default: yunikorn-service)", &to->service},
        {"via", 0, "WAY", "how to reach the scheduler: auto, proxy or port-forward (default: auto)",
         &to->via},
        {"server", 0, "URL", "address of the scheduler, to reach it without the API server", &to->server},
        {"token", 0, "TOKEN", "bearer token for the scheduler", &to->token},
        {"token-file", 0, "FILE", "file with the bearer token", &to->token_file},
        {"service-account", 0, "NAME",
         "use a token of the service account [NAMESPACE/]NAME, valid for 10 minutes", &to->service_account},
        {"audience", 0, "NAME", "audience of the token of --service-account", &to->audience},
        {"certificate-authority", 0, "FILE", "authorities of the certificate of the scheduler", &to->ca_file},
        {"insecure-skip-tls-verify", 0, NULL, "accept any certificate of --server", &to->skip_tls_verify},
    };
    for (size_t i = 0; i < YK_COUNT(common); i++) {
        if (has_output || common[i].text != &to->output)
            flags[count++] = common[i];
    }
    return count;
}

static size_t put_own_flags(struct yk_ctl_flags *to, unsigned which, struct yk_flag *flags)
{
    const struct {
        unsigned bit;
        struct yk_flag flag;
    } own[] = {
        {FLAG_TREE, {"tree", 0, NULL, "show the names as a tree", &to->tree}},
        {FLAG_WATCH, {"watch", 'w', NULL, "print the list again every 2 seconds", &to->watch}},
        {FLAG_TIMELINE, {"timeline", 0, NULL, "show the history of the application", &to->timeline}},
        {FLAG_FOLLOW, {"follow", 'f', NULL, "also show new events, until Ctrl-C", &to->follow}},
        {FLAG_QUEUE,
         {"queue", 'q', "NAME", "list only applications of this queue and of those below it", &to->queue}},
        {FLAG_STATE,
         {"state", 0, "STATE", "list active, completed or rejected applications (default: active)",
          &to->state}},
        {FLAG_LIMIT, {"limit", 0, "COUNT", "show only the latest COUNT entries", &to->limit}},
        {FLAG_COUNT, {"count", 0, "N", "ask about N pods of the manifest", &to->count}},
        {FLAG_RECORD,
         {"file", 'o', "FILE", "file for the recording (default: yunikorn-TIME.jsonl.gz)", &to->file}},
        {FLAG_RECORD, {"for", 0, "DURATION", "how long to record (default: 1m)", &to->for_}},
        {FLAG_RECORD,
         {"restart", 0, NULL, "restart the scheduler without asking, if it is not recorded yet",
          &to->restart}},
        {FLAG_RECORD,
         {"hash-names", 0, NULL,
          "replace the names of the cluster, and check that the decisions stay the same", &to->hash_names}},
        {FLAG_RECORD,
         {"from", 0, "FILE", "with --hash-names: use this recording, and do not ask the scheduler",
          &to->from}},
        {FLAG_RECORD, {"url", 0, "URL", "the same as --server", &to->server}},
    };
    size_t count = 0;
    for (size_t i = 0; i < YK_COUNT(own); i++) {
        if ((which & own[i].bit) != 0)
            flags[count++] = own[i].flag;
    }
    return count;
}

size_t yk_ctl_command_flags(const struct yk_ctl_command *command, struct yk_ctl_flags *to,
                            struct yk_flag *flags)
{
    unsigned which = command != NULL ? command->flags : 0;
    size_t own = put_own_flags(to, which, flags);
    return own + put_common_flags(to, (which & FLAG_RECORD) == 0, flags + own);
}

static const struct yk_flag *find_flag(const struct yk_flag *flags, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(flags[i].name);
        if (word[1] != '-' && flags[i].letter != 0 && word[1] == flags[i].letter)
            return &flags[i];
        if (word[1] == '-' && strncmp(word + 2, flags[i].name, len) == 0 &&
            (word[2 + len] == '\0' || word[2 + len] == '='))
            return &flags[i];
    }
    return NULL;
}

const struct yk_flag *yk_ctl_find_flag(const struct yk_ctl_command *command, struct yk_ctl_flags *to,
                                       struct yk_flag *table, const char *word)
{
    const struct yk_flag *flag = NULL;
    if (command != NULL)
        return find_flag(table, yk_ctl_command_flags(command, to, table), word);
    for (size_t i = 0; i < YK_COUNT(yk_ctl_commands) && flag == NULL; i++)
        flag = find_flag(table, yk_ctl_command_flags(&yk_ctl_commands[i], to, table), word);
    return flag;
}

const char *yk_ctl_value_in(const char *word)
{
    const char *equals = strchr(word, '=');
    if (word[1] == '-')
        return equals != NULL ? equals + 1 : NULL;
    return word[2] != '\0' ? word + 2 : NULL;
}

enum yk_ctl_words yk_ctl_words_of_flag(const char *name)
{
    static const struct {
        const char *name;
        enum yk_ctl_words words;
    } rows[] = {
        {"output", YK_CTL_WORDS_OUTPUTS},
        {"state", YK_CTL_WORDS_STATES},
        {"via", YK_CTL_WORDS_WAYS},
        {"queue", YK_CTL_WORDS_LEAVES},
        {"file", YK_CTL_WORDS_FILES},
        {"from", YK_CTL_WORDS_FILES},
        {"kubeconfig", YK_CTL_WORDS_FILES},
        {"token-file", YK_CTL_WORDS_FILES},
        {"certificate-authority", YK_CTL_WORDS_FILES},
    };
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].words;
    }
    return YK_CTL_WORDS_NOTHING;
}
