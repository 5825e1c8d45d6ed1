/* SPDX-License-Identifier: Apache-2.0 */
/* What an API server would refuse is refused, with the field and the value; what it takes is taken. */
#include "whatif/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

/* Questions are written with ' for ". */
static enum yk_status check(const char *text, struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *body = yk_strdup(text);
    struct yk_whatif_question question;
    for (char *c = body; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    enum yk_status st = yk_whatif_question_parse(yk_str_from(body), &question, err);
    if (st != YK_OK)
        return st;
    st = yk_whatif_check(&question, err);
    yk_whatif_question_done(&question);
    return st;
}

#define SPEC(spec)      "{'kind':'pod','pod':{'spec':{" spec "}}}"
#define CONTAINER(text) SPEC("'containers':[{'name':'c'," text "}]")
#define REQUEST(text)   CONTAINER("'resources':{'requests':{" text "}}")
#define METADATA(text)  "{'kind':'pod','pod':{'metadata':{" text "},'spec':{'containers':[{}]}}}"
#define GANG(groups)    "{'kind':'gang','taskGroups':" groups ",'pod':{'spec':{'containers':[{}]}}}"
#define GROUP(text)     "{'name':'g','minMember':1,'minResource':{'cpu':'1'}" text "}"
#define NODE(text)      "{'kind':'node','action':'add','node':{'name':'n'," text "}}"

static void what_an_api_server_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *question, *sentence;
    } cases[] = {
        {REQUEST("'cpu':'-1'"),
         "pod: spec.containers[0].resources.requests[cpu]: Invalid value: \"-1\": must "
         "be greater than or equal to 0"},
        {REQUEST("'cpu':-1"), "Invalid value: \"-1\""},
        {REQUEST("'memory':'lots'"), "requests[memory]: Invalid value: \"lots\": it is not a quantity"},
        {REQUEST("'memory':''"), "requests[memory]: Invalid value: \"\": it is not a quantity"},
        {REQUEST("'nvidia.com/gpu':'1.5'"), "[nvidia.com/gpu]: Invalid value: \"1.5\": must be an integer"},
        {REQUEST("'gpu':'1'"), "Invalid value: \"gpu\": must be cpu, memory"},
        {REQUEST("'pods':'1'"), "Invalid value: \"pods\""},
        {REQUEST("'hugepages-x':'1'"), "Invalid value: \"hugepages-x\""},
        {REQUEST("'a b/c':'1'"), "Invalid value: \"a b/c\": it is not the name of a resource"},
        {CONTAINER("'resources':{'limits':{'cpu':'-1'}}"), "spec.containers[0].resources.limits[cpu]"},
        {CONTAINER("'resources':{'requests':{'cpu':2},'limits':{'cpu':'1'}}"),
         "requests[cpu]: Invalid value: \"2\": must be less than or equal to the limit"},
        {CONTAINER("'name':'c'"), "duplicate object key"},
        {SPEC("'containers':[{'name':'A B'}]"), "spec.containers[0].name: Invalid value: \"A B\""},
        {SPEC("'containers':[{'name':'c'},{'name':'c'}]"), "spec.containers[1].name: Duplicate value"},
        {SPEC("'containers':[]"), "spec.containers: Required value"},
        {SPEC(""), "spec.containers: Required value"},
        {"{'kind':'pod','pod':{}}", "spec.containers: Required value"},
        {"{'kind':'pod','pod':{'spce':{}}}", "pod: unknown member 'spce'"},
        {"{'kind':'pod','pod':{'Metadata':{},'spec':{'containers':[{}]}}}", "pod: unknown member 'Metadata'"},
        {SPEC("'containers':[{}],'initContainers':[{'resources':{'requests':{'cpu':'-3'}}}]"),
         "spec.initContainers[0].resources.requests[cpu]"},
        {SPEC("'containers':[{}],'overhead':{'cpu':'-1'}"), "spec.overhead[cpu]"},
        {SPEC("'containers':[{}],'resources':{'requests':{'cpu':'-1'}}"), "spec.resources.requests[cpu]"},
        {SPEC("'containers':[{}],'nodeSelector':{'a':'b c'}"), "spec.nodeSelector: Invalid value: \"b c\""},
        {METADATA("'name':7"), "metadata.name must be a text"},
        {METADATA("'labels':{'a b':'c'}"), "metadata.labels: Invalid value: \"a b\""},
        {METADATA("'labels':{'applicationId':'a b'}"), "metadata.labels: Invalid value: \"a b\""},
        {METADATA("'annotations':{'a':7}"), "metadata.annotations[a] must be a text"},
        {GANG("[{'name':'g','minMember':0,'minResource':{}}]"), "'minMember' is 0, it has to be positive"},
        {GANG("[{'name':'g','minMember':1000000,'minResource':{}}]"), "'minMember' is 1000000 (at most"},
        {GANG("[" GROUP(",'minMembers':3") "]"), "taskGroups: task group 1: unknown member 'minMembers'"},
        {GANG("[{'name':'g','minMember':1,'minResource':{'gpu':'1'}}]"), "Invalid value: \"gpu\""},
        {GANG("[" GROUP("") "," GROUP("") "]"), "there is one of that name already"},
        {GANG("[]"), "'taskGroups' must be an array with at least one group"},
        {METADATA("'annotations':{'yunikorn.apache.org/task-groups':'no list'}"),
         "metadata.annotations[yunikorn.apache.org/task-groups]: task groups: "},
        {METADATA("'annotations':{'yunikorn.apache.org/task-groups':'[]'}"), "there is no task group"},
        {NODE("'allocatable':{'cpu':'-1'}"), "node: allocatable[cpu]: Invalid value: \"-1\""},
        {NODE("'status':{'allocatable':{'pods':'1.5'}}"), "node: status.allocatable[pods]"},
        {NODE("'status':{'capacity':{'cpu':'x'}}"), "node: status.capacity[cpu]"},
        {NODE("'allocatable':{'a b':'1'}"), "it is not the name of a resource"},
        {NODE("'alocatable':{}"), "node: unknown member 'alocatable'"},
        {NODE("'Spec':{'unschedulable':true}"), "node: unknown member 'Spec'"},
        {"{'kind':'node','action':'add','node':{'metadata':{'labels':{'a':'b c'}}}}", "metadata.labels"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        enum yk_status st = check(cases[i].question, &err);
        if (st != YK_ERR_INVALID || strstr(err.text, cases[i].sentence) == NULL)
            fail_msg("%s: %s: %s", cases[i].question, yk_status_word(st), err.text);
    }
}

static void what_an_api_server_takes(void **state)
{
    (void)state;
    static const char *const cases[] = {
        SPEC("'containers':[{}]"),
        REQUEST(
            "'cpu':'+1e3','memory':' 1Gi ','ephemeral-storage':1.5,'nvidia.com/gpu':2,'hugepages-2Mi':'0'"),
        REQUEST("'cpu':null"),
        CONTAINER("'resources':{'requests':{'cpu':'500m'},'limits':{'cpu':'0.5','nvidia.com/gpu':'1'}}"),
        METADATA("'name':'a.b-1','labels':{'example.com/Team_1':'A.b','empty':''}"),
        GANG("[" GROUP(",'labels':{},'tolerations':[]") "]"),
        GANG("[{'Name':'g','minmember':1,'MINRESOURCE':{'cpu':'1'}}]"),
        NODE("'allocatable':{'cpu':0,'pods':'110','gpu':'1','example.com/fpga':'2'}"),
        "{'kind':'queues','queues':''}",
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        if (check(cases[i], &err) != YK_OK)
            fail_msg("%s: %s", cases[i], err.text);
    }
}

/* As many containers as a body of 4 MiB has. The time grows with their number, not with its square. */
static void many_containers(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    YK_CLEANUP(yk_buf_done) struct yk_buf question = {0};
    struct yk_err err = {0};
    yk_buf_text(&question, "{'kind':'pod','pod':{'spec':{'containers':[");
    for (int i = 0; i < MANY; i++)
        yk_buf_printf(&question, "{'name':'c%d'},", i);
    yk_buf_text(&question, "{'name':'c0'}]}}}");
    struct timespec begin, end;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    assert_int_equal(check(yk_buf_cstr(&question), &err), YK_ERR_INVALID);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    assert_non_null(strstr(err.text, "spec.containers[200000].name: Duplicate value: \"c0\""));
    /* It takes less than 1 s. A comparison of all pairs takes more than 45 s. */
    assert_true(end.tv_sec - begin.tv_sec < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_api_server_refuses),
        cmocka_unit_test(what_an_api_server_takes),
        cmocka_unit_test(many_containers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
