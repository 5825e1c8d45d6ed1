// SPDX-License-Identifier: Apache-2.0
// Applications: those that live, have ended or were refused, and the pods that wait.
import type { JSX } from 'preact';
import { enc, partitionPath } from '../data/api';
import { useFeed } from '../data/feed';
import { go, href, partition, route, setQuery } from '../data/route';
import { useWindow } from '../data/window';
import type { Application, Pending, PendingPod, Queue } from '../model/types';
import { addResources, amountWithName, count, placeholderPart, plainText, plural, queueTitle, resources, searchWords, words } from '../model/units';
import { rowsOf } from '../model/queues';
import { waitingQuery } from '../model/waiting';
import { Ago, Badge, Choice, Empty, Failure, Leads, PageHead, Panel, reasonTone, Search, Select, Skeleton, stateTone } from '../ui/parts';
import { VirtualTable, type Column } from '../ui/table';

type View = 'active' | 'waiting' | 'completed' | 'rejected';

const views: readonly (readonly [View, string])[] = [
  ['active', 'Live'],
  ['waiting', 'Waiting pods'],
  ['completed', 'Ended'],
  ['rejected', 'Rejected'],
];

function view(): View {
  const text = route.value.query['view'];
  return views.find(([key]) => key === text)?.[0] ?? 'active';
}

function queueLink(path: string): JSX.Element {
  return (
    <a href={href('queues', [], { queue: path })} title={path}>
      {queueTitle(path)}
    </a>
  );
}

function Used(props: { app: Application }): JSX.Element {
  const { applicationID, usedResource, placeholderResource } = props.app;
  const text = resources(addResources(usedResource, placeholderResource));
  if (text === '') return <span class="muted">–</span>;
  const part = placeholderPart(usedResource, placeholderResource);
  return (
    <Leads to={href('applications', [applicationID], { at: 'pods' })} title={`${text}${part}`}>
      {text}
      {placeholderResource !== undefined && <span class="muted">{usedResource === undefined ? ', placeholders' : ', part placeholders'}</span>}
    </Leads>
  );
}

const columns: readonly Column<Application>[] = [
  {
    key: 'id',
    title: 'Application',
    width: 'minmax(100px, 1.5fr)',
    cell: (app) => (
      <a href={href('applications', [app.applicationID])} class="strong">
        {app.applicationID}
      </a>
    ),
  },
  { key: 'state', title: 'State', width: 'minmax(88px, 110px)', cell: (app) => (app.applicationState === undefined ? <Badge tone="idle">New</Badge> : <Badge tone={stateTone(app.applicationState)}>{app.applicationState}</Badge>) },
  { key: 'queue', title: 'Queue', width: 'minmax(120px, 1.6fr)', from: 500, cell: (app) => (app.queueName === '' ? <span class="muted">none</span> : queueLink(app.queueName)) },
  { key: 'user', title: 'User', width: 'minmax(80px, 1fr)', from: 780, cell: (app) => (app.user === undefined ? <span class="muted">–</span> : <a href={href('users', [], { user: app.user })}>{app.user}</a>) },
  { key: 'used', title: 'In use', width: 'minmax(130px, 1.9fr)', from: 640, cell: (app) => <Used app={app} /> },
  {
    key: 'pending',
    title: 'Waiting',
    width: 'minmax(100px, 2.1fr)',
    cell: (app) => {
      const pods = app.pendingResource?.['pods'] ?? 0;
      if (app.pendingResource === undefined) return <span class="muted">–</span>;
      return (
        <Leads to={href('applications', [], { view: 'waiting', app: app.applicationID })} title={resources(app.pendingResource)}>
          {pods > 0 ? plural(pods, 'pod') : ''} <span class="muted">{resources(app.pendingResource)}</span>
        </Leads>
      );
    },
  },
  { key: 'age', title: 'Submitted', width: '110px', from: 780, cell: (app) => <Ago ns={app.submissionTime} /> },
];

const endedColumns: readonly Column<Application>[] = [
  ...columns.filter((column) => column.key !== 'pending' && column.key !== 'used'),
  { key: 'most', title: 'Most in use', width: 'minmax(120px, 1.4fr)', from: 780, number: 'past', cell: (app) => resources(app.maxUsedResource) || <span class="muted">–</span> },
  { key: 'end', title: 'Ended', width: 'minmax(88px, 110px)', cell: (app) => <Ago ns={app.finishedTime} /> },
];

const rejectedColumns: readonly Column<Application>[] = [
  ...columns.filter((column) => ['id', 'queue', 'user', 'age'].includes(column.key)),
  { key: 'why', title: 'Why', width: 'minmax(180px, 3fr)', number: 'said', cell: (app) => <span class="wrap-2" title={app.rejectedMessage}>{plainText(app.rejectedMessage ?? '–')}</span> },
];

const statuses = ['new', 'accepted', 'starting', 'running', 'completing', 'failing', 'resuming'];

function listPath(kind: View): string {
  const query = route.value.query;
  const search = new URLSearchParams({ view: 'summary' });
  // Each word has to hold: part of a name, or user:NAME and the like.
  for (const word of searchWords(query['find'] ?? '')) search.append('filter', word); // too many: the server says so
  if (query['queue'] !== undefined) search.append('filter', `queue:${query['queue']}`);
  if (kind === 'active' && query['status'] !== undefined) search.set('status', query['status']);
  return partitionPath(partition(), `applications/${kind}?${search.toString()}`);
}

function List(props: { kind: View }): JSX.Element {
  const list = useWindow<Application>(listPath(props.kind));
  if (list.error !== undefined && list.count === 0) return <Failure error={list.error} />;
  if (!list.isLoading && list.count === 0) {
    const isFiltered = ['find', 'status', 'queue'].some((key) => (route.value.query[key] ?? '') !== '');
    return <Empty title={isFiltered ? 'No application matches' : props.kind === 'active' ? 'No application is live' : 'None'} />;
  }
  return (
    <>
      <p class="count-line" role="status" data-number="listed">
        {list.isLoading && list.count === 0 ? 'Loading' : `${count(list.isExact ? list.count : list.count - 1)}${list.isExact ? '' : ' or more'} ${list.count === 1 ? 'application' : 'applications'}`}
      </p>
      <VirtualTable
        label="Applications"
        columns={props.kind === 'active' ? columns : props.kind === 'completed' ? endedColumns : rejectedColumns}
        count={list.count}
        row={list.row}
        rowKey={(app) => `${app.applicationID} ${app.submissionTime ?? ''}`}
        {...(props.kind === 'rejected' ? { rowHeight: 46 } : {})}
        onRange={list.onRange}
        onOpen={(app) => go(href('applications', [app.applicationID]))}
      />
    </>
  );
}

const podColumns: readonly Column<PendingPod>[] = [
  { key: 'position', title: '#', width: '56px', from: 500, numeric: true, number: 'place', cell: (pod, i) => <span class="muted">{count((pod.positionInQueue ?? i) + 1)}</span> },
  {
    key: 'pod',
    title: 'Pod',
    width: 'minmax(112px, 1.6fr)',
    cell: (pod) => (
      <span class="two-lines">
        <a class="strong" href={href('applications', [pod.applicationID], { pod: pod.allocationKey })} title={`${pod.namespace ?? ''}/${pod.podName ?? ''}`}>
          {pod.podName ?? pod.allocationKey}
        </a>
        <span class="muted">{queueLink(pod.queueName)}</span>
      </span>
    ),
  },
  { key: 'wants', title: 'Wants', width: 'minmax(110px, 0.9fr)', from: 780, number: 'one', cell: (pod) => <span class="wrap-2">{resources(pod.resource)}</span> },
  { key: 'reason', title: 'Reason', width: 'minmax(164px, 196px)', cell: (pod) => <Badge tone={reasonTone(pod.reason)}>{words(pod.reason)}</Badge> },
  { key: 'message', title: 'What it waits for', width: 'minmax(180px, 4fr)', from: 620, number: 'said', cell: (pod) => <span class="wrap-2" title={pod.message}>{pod.message}</span> },
  { key: 'since', title: 'Waited', width: '72px', from: 500, cell: (pod) => <Ago ns={pod.since} plain /> },
];

// Where nodes are many, each sentence takes the server a while.
const podsAtOnce = 50;

/** `isPart`: not all pods are listed; the totals of an answer are those of all. */
function pickPods(isPart: boolean): (body: unknown) => { items: PendingPod[]; total: number | undefined } {
  return (body) => {
    const pending = body as Pending;
    // A reason that was counted may be another one by now, so the list can be shorter than `reasons` says.
    return { items: pending.pending, total: isPart ? undefined : pending.total };
  };
}

function WaitingPods(): JSX.Element {
  const query = route.value.query;
  const app = query['app'];
  const reason = query['reason'];
  const find = searchWords(query['find'] ?? '').length > 0 ? query['find'] : undefined;
  const isSearched = find !== undefined; // the counts of reasons are of all pods, not of those that match
  const isPart = reason !== undefined || isSearched;
  const path = partitionPath(partition(), app !== undefined ? `application/${enc(app)}/pending` : `queue/${enc(query['queue'] ?? 'root')}/pending`);
  const list = useWindow<PendingPod>(path + waitingQuery({ reason, find }), pickPods(isPart), 3000, podsAtOnce);
  const all = useFeed<Pending>(`${path}?limit=1`, 4000).data.value;
  if (list.error !== undefined && list.count === 0) return <Failure error={list.error} what="The list of waiting pods" />;
  if (list.count === 0 && list.isLoading && all === undefined) return <Skeleton lines={8} />;
  if (list.count === 0 && !isPart && !list.isLoading) return <Empty title="Nothing waits" />;
  const reasons = Object.entries(all?.reasons ?? {}).sort(([, a], [, b]) => b - a);
  return (
    <>
      <div class="reason-filter" role="group" aria-label="Reason">
        <button type="button" aria-pressed={reason === undefined} onClick={() => setQuery({ reason: undefined })}>
          {isSearched ? 'all' : `all ${count(all?.total ?? list.count)}`}
        </button>
        {reasons.map(([name, pods]) => (
          <button key={name} type="button" aria-pressed={reason === name} onClick={() => setQuery({ reason: name })}>
            {isSearched ? words(name) : `${words(name)} ${count(pods)}`}
          </button>
        ))}
      </div>
      {isSearched && list.count > 0 && (
        <p class="count-line" role="status" data-number="listed">
          {list.isExact ? '' : 'more than '}{plural(list.isExact ? list.count : list.count - 1, 'pod')}
        </p>
      )}
      {!isSearched && (all?.gangMembers ?? 0) > 0 && (
        <p class="count-line" data-number="listed">
          {plural(all!.gangMembers!, 'pod is a member', 'pods are members')} of gangs, listed beside {all!.gangMembers === 1 ? 'its placeholder' : 'their placeholders'}.
        </p>
      )}
      {list.count === 0 ? (
        list.isLoading ? <Skeleton lines={8} /> : <Empty title={find === undefined ? 'Nothing waits for this reason' : 'No waiting pod matches'} />
      ) : (
        <VirtualTable
          key={`${reason ?? ''} ${find ?? ''}`}
          label="Waiting pods"
          columns={podColumns}
          count={list.count}
          row={list.row}
          rowKey={(pod) => pod.allocationKey}
          rowHeight={46}
          onRange={list.onRange}
          onOpen={(pod) => go(href('applications', [pod.applicationID], { pod: pod.allocationKey }))}
        />
      )}
    </>
  );
}

function QueueSelect(): JSX.Element {
  const root = useFeed<Queue>(partitionPath(partition(), 'queues'), 10_000).data.value;
  const now = route.value.query['queue'] ?? '';
  const paths = root === undefined ? [] : rowsOf(root).map((row) => row.queue.queuename);
  const options = [['', 'all'] as const, ...paths.slice(0, 500).map((path) => [path, path] as const)];
  if (now !== '' && !paths.includes(now)) options.push([now, now] as const);
  return <Select label="Queue" value={now} options={options} onChange={(queue) => setQuery({ queue: queue || undefined })} />;
}

export function ApplicationsPage(): JSX.Element {
  const kind = view();
  const query = route.value.query;
  const root = useFeed<Queue>(partitionPath(partition(), 'queue/root'), 4000).data.value;
  const wanted = root?.pendingResource?.['vcore'] ?? 0;
  return (
    <>
      <PageHead title="Applications" {...(wanted > 0 ? { lead: <><Leads to={href('applications', [], { view: 'waiting' })}>{amountWithName('vcore', wanted)}</Leads> are wanted by pods that wait.</> } : {})}>
        <Choice label="Which" value={kind} options={views} onChange={(value) => setQuery({ view: value === 'active' ? undefined : value, reason: undefined, status: undefined, app: undefined, ...(value === 'waiting' || kind === 'waiting' ? { find: undefined } : {}) })} />
      </PageHead>
      <Panel class="fill-panel">
        <div class="toolbar">
          <Search key={kind === 'waiting' ? 'pods' : 'applications'} label="Filter" placeholder={kind === 'waiting' ? 'Name of a pod, or user:NAME, queue:PATH' : 'Name, or user:NAME, queue:PATH, state:NAME'} value={query['find'] ?? ''} onChange={(find) => setQuery({ find: find || undefined })} />
          {(kind !== 'waiting' || query['app'] === undefined) && <QueueSelect />}
          {kind === 'waiting' && query['app'] !== undefined && (
            <Select label="Application" value={query['app']} options={[['', 'all'] as const, [query['app'], query['app']] as const]} onChange={() => setQuery({ app: undefined, reason: undefined })} />
          )}
          {kind === 'active' && (
            <Select label="State" value={query['status'] ?? ''} options={[['', 'any'] as const, ...statuses.map((s) => [s, s] as const)]} onChange={(status) => setQuery({ status: status || undefined })} />
          )}
        </div>
        {kind === 'waiting' ? <WaitingPods key={`${query['queue'] ?? ''} ${query['app'] ?? ''}`} /> : <List key={kind} kind={kind} />}
      </Panel>
    </>
  );
}
