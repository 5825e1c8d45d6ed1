/* SPDX-License-Identifier: Apache-2.0 */
/* `yunikorn whatif`: asks a scheduler what would happen (docs/whatif.md). */
#include "cmd/arguments.h"
#include "cmd/cluster_config.h"
#include "cmd/commands.h"
#include "cmd/whatif_question.h"
#include "cmd/whatif_report.h"
#include "whatif/question.h"

#include <jansson.h>
#include <time.h>

enum { TRIES_MAX = 20, PAUSE_NS = 250 * 1000 * 1000 };

#define DEFAULT_SERVER "http://localhost:9080"

struct arguments {
    const char *file, *namespace_, *count, *remove_node, *cordon_node;
    const char *server, *token_file, *ca_file, *skip_tls_verify, *output;
};

/* ---- the question ---- */

/* The question of --remove-node or --cordon-node: {"kind":"node","action":...}. */
static json_t *about_node(const struct arguments *arguments)
{
    bool removes = arguments->remove_node != NULL;
    return json_pack("{s:s, s:s, s:{s:s}}", "kind", "node", "action", removes ? "remove" : "cordon", "node",
                     "name", removes ? arguments->remove_node : arguments->cordon_node);
}

static enum yk_status make_question(const struct arguments *arguments, uint32_t count,
                                    struct yk_buf *question, struct yk_err *err)
{
    if (arguments->file != NULL) {
        enum yk_status st = yk_whatif_read(arguments->file, count, question, err);
        return st == YK_OK && arguments->namespace_ != NULL
                   ? yk_whatif_set_namespace(question, arguments->namespace_, true, err)
                   : st;
    }
    json_t *tree = about_node(arguments);
    char *json = json_dumps(tree, JSON_COMPACT);
    if (json != NULL)
        yk_buf_text(question, json);
    free(json);
    json_decref(tree);
    return YK_OK;
}

/* If the scheduler cannot try the question now (status 503), for example because it handles only a few at a
 * time, the question is sent again after a pause. */
static enum yk_status ask_with_patience(const struct arguments *arguments, const struct yk_buf *question,
                                        struct yk_buf *answer, struct yk_err *err)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NS};
    const struct yk_live_access access = {arguments->token_file, arguments->ca_file,
                                          arguments->skip_tls_verify != NULL};
    const char *server = arguments->server != NULL ? arguments->server : DEFAULT_SERVER;
    enum yk_status st = yk_live_whatif(server, &access, yk_buf_view(question), answer, err);
    for (int i = 0; i < TRIES_MAX && st == YK_ERR_STATE; i++) {
        (void)nanosleep(&pause, NULL);
        st = yk_live_whatif(server, &access, yk_buf_view(question), answer, err);
    }
    return st;
}

/* ---- the command ---- */

static bool is_one_question(const struct arguments *arguments)
{
    int things =
        (arguments->file != NULL) + (arguments->remove_node != NULL) + (arguments->cordon_node != NULL);
    if (things == 1)
        return true;
    yk_complain("whatif", "%s",
                things == 0 ? "-f FILE, --remove-node or --cordon-node is missing"
                            : "-f FILE, --remove-node and --cordon-node cannot be used together");
    return false;
}

static int ask(const struct arguments *arguments, uint32_t count, bool as_json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf question = {.max = YK_WHATIF_BODY_MAX}, answer = {0};
    struct yk_err err = {0};
    bool good = false;
    enum yk_status st = make_question(arguments, count, &question, &err);
    if (st == YK_OK)
        st = ask_with_patience(arguments, &question, &answer, &err);
    if (st == YK_OK)
        st = yk_whatif_print(yk_buf_view(&answer), as_json, stdout, &good, &err);
    if (st != YK_OK) {
        yk_complain("whatif", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    return good ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

int yk_cmd_whatif(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct yk_flag flags[] = {
        {"filename", 'f', "FILE",
         "a Pod, Job, Node or ConfigMap, queues.yaml, or a question; - reads standard input",
         &arguments.file},
        {"namespace", 'n', "NAME",
         "namespace of an object of the file that names none (default: \"default\")", &arguments.namespace_},
        {"count", 0, "N", "ask about N pods of the manifest", &arguments.count},
        {"remove-node", 0, "NAME", "ask what happens if this node is removed", &arguments.remove_node},
        {"cordon-node", 0, "NAME", "ask what happens if this node takes no new pods", &arguments.cordon_node},
        {"server", 0, "URL", "the scheduler (default: " DEFAULT_SERVER ")", &arguments.server},
        {"token-file", 0, "FILE", "bearer token for https://HOST:PORT", &arguments.token_file},
        {"certificate-authority", 0, "FILE", "authorities of the certificate of https://HOST:PORT",
         &arguments.ca_file},
        {"insecure-skip-tls-verify", 0, NULL, "accept any certificate of https://HOST:PORT",
         &arguments.skip_tls_verify},
        {"output", 'o', "FORMAT", "text or json", &arguments.output},
    };
    const struct yk_command_line line = {
        "yunikorn whatif [OPTIONS] -f FILE|-",
        "Asks a running scheduler what would happen. The scheduler tries it on a copy of its state:\n"
        "where pods would start, what they would wait for and which pods they would preempt; which pods\n"
        "would start on a new node; what a queue configuration would change.\n"
        "Exits with 0 if all pods start or the change is accepted, 1 if not, 2 if the command line is wrong.",
        flags, YK_COUNT(flags), 0};
    int operands;
    bool as_json;
    uint32_t count;
    struct yk_err err = {0};
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    if (!is_one_question(&arguments) || !yk_arguments_output("whatif", arguments.output, &as_json))
        return YK_EXIT_USAGE;
    if (yk_whatif_count(arguments.count, &count, &err) != YK_OK) {
        yk_complain("whatif", "%s", err.text);
        return YK_EXIT_USAGE;
    }
    return ask(&arguments, count, as_json);
}
