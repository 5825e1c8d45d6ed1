/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_complete.h"

#include "cmd/kubectl_link.h"
#include "cmd/kubectl_table.h"

#include <inttypes.h>

/* ---- reading the words ---- */

static bool is_flag_word(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

static void complete_value(struct yk_completion *completion, const struct yk_flag *flag, const char *word,
                           const char *value)
{
    completion->words = yk_ctl_words_of_flag(flag->name);
    completion->prefix = value;
    (void)snprintf(completion->before_text, sizeof(completion->before_text), "%.*s", (int)(value - word),
                   word); /* fits for all flags */
    completion->before = completion->before_text;
}

/* The words that complete the second operand of `config`, whose first operand is `step`. */
static enum yk_ctl_words words_of_config(const char *step)
{
    if (strcmp(step, "history") == 0)
        return YK_CTL_WORDS_CONFIG_IDS;
    return strcmp(step, "show") == 0 ? YK_CTL_WORDS_NOTHING : YK_CTL_WORDS_FILES;
}

void yk_completion_read(const char *const *words, int count, struct yk_ctl_flags *flags,
                        struct yk_completion *ret_completion)
{
    struct yk_flag table[YK_CTL_FLAG_COUNT_MAX];
    const struct yk_flag *open = NULL; /* a flag whose value is the next word */
    const char *first_operand = "";
    int operands = 0;
    *ret_completion = (struct yk_completion){.before = "", .prefix = words[count - 1]};
    for (int i = 0; i < count - 1; i++) {
        if (open != NULL) {
            *open->text = words[i];
            open = NULL;
        } else if (is_flag_word(words[i])) {
            const struct yk_flag *flag = yk_ctl_find_flag(ret_completion->command, flags, table, words[i]);
            const char *value = flag != NULL ? yk_ctl_value_in(words[i]) : NULL;
            if (flag != NULL && flag->value == NULL)
                *flag->text = "true";
            else if (value != NULL)
                *flag->text = value;
            else
                open = flag;
        } else if (ret_completion->command == NULL && operands == 0) {
            ret_completion->command = yk_ctl_command_find(words[i]);
            operands = ret_completion->command == NULL; /* an unknown command: nothing completes its words */
        } else {
            first_operand = operands == 0 ? words[i] : first_operand;
            operands++;
        }
    }
    const char *last = words[count - 1];
    const struct yk_flag *flag = open == NULL && is_flag_word(last)
                                     ? yk_ctl_find_flag(ret_completion->command, flags, table, last)
                                     : NULL;
    if (open != NULL)
        ret_completion->words = yk_ctl_words_of_flag(open->name);
    else if (flag != NULL && flag->value != NULL && yk_ctl_value_in(last) != NULL)
        complete_value(ret_completion, flag, last, yk_ctl_value_in(last));
    else if (last[0] == '-')
        ret_completion->is_flag = true;
    else if (ret_completion->command == NULL)
        ret_completion->is_command = operands == 0;
    else if (operands < ret_completion->command->operands_max)
        ret_completion->words =
            operands == 0 ? ret_completion->command->first : ret_completion->command->second;
    if (ret_completion->words == YK_CTL_WORDS_CONFIG_OPERANDS)
        ret_completion->words = words_of_config(first_operand);
}

/* ---- answers ---- */

struct answers {
    FILE *out;
    const struct yk_completion *completion;
    size_t count;
};

/* Names come from users who may create pods, and the shell inserts them into a command line. So words with
 * characters that are special to a shell are left out. */
static bool is_plain(const char *word)
{
    for (const char *p = word; *p != '\0'; p++) {
        bool is_word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (!is_word && strchr("._-/@+,:=", *p) == NULL)
            return false;
    }
    return word[0] != '\0';
}

/* Control characters would begin another line or affect the terminal. */
static bool is_printable(const char *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {0};
    yk_text_for_terminal(yk_str_from(text), &clean);
    return text[0] != '\0' && yk_str_is(yk_buf_view(&clean), text);
}

static void add(struct answers *answers, const char *word, const char *description)
{
    const char *prefix = answers->completion->prefix;
    if (!is_plain(word) || strncmp(word, prefix, strlen(prefix)) != 0 ||
        answers->count >= YK_COMPLETE_NAMES_MAX)
        return;
    answers->count++;
    bool is_described = is_printable(description);
    (void)fprintf(answers->out, "%s%s%s%s\n", answers->completion->before, word, is_described ? "\t" : "",
                  is_described ? description : "");
}

static void add_words(struct answers *answers, const char *const *words)
{
    for (; *words != NULL; words++)
        add(answers, *words, "");
}

static void add_commands(struct answers *answers)
{
    for (size_t i = 0; i < yk_ctl_command_count; i++)
        add(answers, yk_ctl_commands[i].name, yk_ctl_commands[i].summary);
    add(answers, "help", "show the options of a command");
}

static void add_flags(struct answers *answers)
{
    struct yk_ctl_flags nowhere = {0};
    struct yk_flag flags[YK_CTL_FLAG_COUNT_MAX];
    char word[64];
    size_t count = yk_ctl_command_flags(answers->completion->command, &nowhere, flags);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(word, sizeof(word), "--%s", flags[i].name); /* fits */
        add(answers, word, flags[i].help);
    }
    add(answers, "--help", "show this text");
}

/* ---- names of the scheduler ---- */

static void ask_for_configs(struct yk_ctl *ctl, struct answers *answers)
{
    json_t *tree = NULL;
    size_t i;
    const json_t *entry;
    if (yk_ctl_get(ctl, "/ws/v1/config/history", &tree, NULL) != YK_OK)
        return;
    json_array_foreach(json_object_get(tree, "entries"), i, entry)
    {
        char id[24];
        (void)snprintf(id, sizeof(id), "%" PRId64, yk_ctl_number(entry, "id")); /* fits */
        add(answers, id, yk_ctl_text(entry, "outcome"));
    }
    json_decref(tree);
}

static void add_queues(struct answers *answers, const json_t *queue, bool only_leaves, int depth)
{
    size_t i;
    const json_t *child;
    if (!only_leaves || yk_ctl_truth(queue, "isLeaf"))
        add(answers, yk_ctl_text(queue, "queuename"), "");
    if (depth == YK_CTL_QUEUE_DEPTH_MAX)
        return;
    json_array_foreach(json_object_get(queue, "children"), i, child)
        add_queues(answers, child, only_leaves, depth + 1);
}

static void ask_for_queues(struct yk_ctl *ctl, struct answers *answers, bool only_leaves)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    json_t *tree = NULL;
    yk_ctl_path(ctl, "/queues", &path);
    if (yk_ctl_get(ctl, yk_buf_cstr(&path), &tree, NULL) != YK_OK)
        return;
    add_queues(answers, tree, only_leaves, 0);
    json_decref(tree);
}

static void ask_for_apps(struct yk_ctl *ctl, struct answers *answers)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    json_t *list = NULL;
    size_t i;
    const json_t *app;
    yk_ctl_path(ctl, "/applications/active", &path);
    if (yk_ctl_list(ctl, yk_buf_cstr(&path), &list, NULL) != YK_OK)
        return;
    json_array_foreach(list, i, app)
        add(answers, yk_ctl_text(app, "applicationID"), yk_ctl_text(app, "queueName"));
    json_decref(list);
}

static void ask_for_pods(struct yk_ctl *ctl, struct answers *answers)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    json_t *tree = NULL;
    size_t i;
    const json_t *pod;
    yk_ctl_path(ctl, "/queue/root/pending?limit=1000", &path);
    if (yk_ctl_get(ctl, yk_buf_cstr(&path), &tree, NULL) != YK_OK)
        return;
    json_array_foreach(json_object_get(tree, "pending"), i, pod)
    {
        if (strcmp(yk_ctl_text(pod, "namespace"), yk_ctl_link_namespace(ctl->link)) == 0)
            add(answers, yk_ctl_text(pod, "podName"), yk_ctl_text(pod, "reason"));
    }
    json_decref(tree);
}

static void add_names(struct yk_ctl *ctl, struct answers *answers, enum yk_ctl_words words)
{
    if (ctl->link == NULL)
        return;
    if (words == YK_CTL_WORDS_QUEUES || words == YK_CTL_WORDS_LEAVES)
        ask_for_queues(ctl, answers, words == YK_CTL_WORDS_LEAVES);
    if (words == YK_CTL_WORDS_APPS || words == YK_CTL_WORDS_WORKLOADS)
        ask_for_apps(ctl, answers);
    if (words == YK_CTL_WORDS_WORKLOADS)
        ask_for_pods(ctl, answers);
    if (words == YK_CTL_WORDS_CONFIG_IDS)
        ask_for_configs(ctl, answers);
}

/* ---- output ---- */

static void add_of_kind(struct yk_ctl *ctl, struct answers *answers, enum yk_ctl_words words)
{
    static const char *const fixed[][6] = {
        [YK_CTL_WORDS_TOP_KINDS] = {"queues", "users", "groups", "apps", "nodes"},
        [YK_CTL_WORDS_CONFIG_STEPS] = {"show", "diff", "apply", "history"},
        [YK_CTL_WORDS_OUTPUTS] = {"wide", "json", "yaml"},
        [YK_CTL_WORDS_STATES] = {"active", "completed", "rejected"},
        [YK_CTL_WORDS_WAYS] = {"auto", "proxy", "port-forward"},
    };
    YK_INDEXED_BY(fixed, YK_CTL_WORDS_WAYS);
    add_words(answers, fixed[words]);
    add_names(ctl, answers, words);
}

void yk_completion_write(struct yk_ctl *ctl, const struct yk_completion *completion)
{
    struct answers answers = {.out = ctl->out, .completion = completion};
    if (completion->is_command)
        add_commands(&answers);
    else if (completion->is_flag)
        add_flags(&answers);
    else
        add_of_kind(ctl, &answers, completion->words);
    (void)fprintf(ctl->out, ":%d\n", completion->words == YK_CTL_WORDS_FILES ? 0 : 4);
}
