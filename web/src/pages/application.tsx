// SPDX-License-Identifier: Apache-2.0
// One application. It begins with why it waits.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, enc, partitionPath, request, token } from '../data/api';
import { refreshAll, useFeed } from '../data/feed';
import { nowMs, tick } from '../data/clock';
import { href, partition, route, setQuery } from '../data/route';
import type { Allocation, Application, Ask, Explain, Limit, Pending, Timeline, TimelineEvent } from '../model/types';
import { gangState, lastRunMs, latestOf, mostUsed } from '../model/application';
import { placeOf } from '../model/events';
import { addResources, count, duration, ms, placeholderPart, plainText, plural, queueTitle, resourceName, resources, words } from '../model/units';
import { isNamed, pageStart, pageWith, startText, waitingQuery } from '../model/waiting';
import { Ago, At, Badge, Empty, Facts, Failure, Leads, Loaded, PageHead, Panel, Plain, reasonTone, Search, Sentence, stateTone, type Tone } from '../ui/parts';
import { sim, doSteps } from '../sim/state';
import { VirtualTable, type Column } from '../ui/table';

function tag(item: Ask | Allocation, name: string): string | undefined {
  return item.allocationTags?.[`kubernetes.io/meta/${name}`];
}

function podName(item: Ask | Allocation): string {
  return tag(item, 'podName') ?? item.allocationKey;
}

/* ---- why it waits ---- */

function Estimate(props: { explain: Explain }): JSX.Element | null {
  void tick.value;
  const { estimate } = props.explain;
  if (estimate === undefined) return null;
  if (estimate.state !== 'estimated' || estimate.latest === undefined)
    return (
      <p data-number="said">
        <strong>Start: unknown</strong>, {sentence(estimate.basis ?? '')}
      </p>
    );
  const { when, clock } = startText(ms(estimate.earliest), ms(estimate.latest), nowMs());
  return (
    <p data-number="said">
      <strong>Estimated start: {when}</strong>
      {clock !== '' && ` (${clock})`}. {sentence(estimate.basis ?? '')}
    </p>
  );
}

/** The text with a full stop. */
function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`;
}

function LimitText(props: { limit: Limit }): JSX.Element {
  const { limit } = props;
  const queue = <a href={href('queues', [], { queue: limit.queueName })}>{limit.queueName}</a>;
  const users =
    limit.kind === 'group'
      ? href('users', [], { group: limit.name, in: limit.queueName })
      : href('applications', [], { queue: limit.queueName, find: limit.kind === 'user' ? `user:${limit.name}` : undefined });
  const where = (
    <>
      {limit.kind} {limit.kind === 'queue' ? queue : <>{limit.name} in {queue}</>}
    </>
  );
  const most = resources(limit.max, true);
  if (limit.maxApplications !== undefined) {
    const running = limit.kind === 'queue' ? href('applications', [], { queue: limit.queueName, status: 'running' }) : href('users', [], { [limit.kind]: limit.name, in: limit.queueName, at: 'running' });
    return (
      <span>
        {where}: <Plain kind="limit">at most {plural(limit.maxApplications, 'application')}</Plain>, <a href={running}>{count(limit.runningApplications ?? 0)} running</a>
      </span>
    );
  }
  if (most === '') return <span>number of applications, {where}</span>;
  return (
    <span>
      {where}: <Plain kind="limit">at most {most}</Plain>, in use {resources(limit.used, true) === '' ? 'nothing' : <a href={users}>{resources(limit.used, true)}</a>}
      <Plain kind="one">
        , wanted {resources(limit.requested, limit.max?.pods !== undefined) || 'nothing'}
        {resources(limit.missing, true) !== '' && <>, missing {resources(limit.missing, true)}</>}
      </Plain>
    </span>
  );
}

function otherLimits(explain: Explain): Limit[] {
  const first = explain.limit;
  return (explain.limits ?? []).filter((limit) => first === undefined || limit.kind !== first.kind || limit.name !== first.name || limit.queueName !== first.queueName);
}

function nodeRows(explain: Explain): [string, ComponentChildren][] {
  const { nodes } = explain;
  if (nodes === undefined) return [];
  const obstacles = [
    ...Object.entries(nodes.insufficient ?? {}).map(([name, n]): [string, number] => [`not enough ${resourceName(name)}`, n]),
    ...Object.entries(nodes.predicates ?? {}).map(([text, n]): [string, number] => [text.replace(/^node\(s\) (were unschedulable)?/, (_all, cordoned) => (cordoned === undefined ? '' : 'cordoned')), n]),
    ...((nodes.unschedulable ?? 0) > 0 && !Object.keys(nodes.predicates ?? {}).some((text) => text.includes('unschedulable')) ? [['cordoned', nodes.unschedulable!] as [string, number]] : []),
  ].sort(([, a], [, b]) => b - a);
  const list = (
    <ul>
      {obstacles.map(([text, n]) => (
        <li key={text}>
          <a href={href('nodes', [], { only: text === 'cordoned' ? 'cordoned' : undefined })}>
            {count(n)}: {text}
          </a>
        </li>
      ))}
    </ul>
  );
  // The sentence of the filters has the same numbers as the list, and says more if it is about the pod itself.
  const rows: [string, ComponentChildren][] = [];
  // The sentence about a pod that waits for its gang is about a placeholder.
  const of = explain.gang?.podName === undefined ? '' : `${explain.gang.podName}: `;
  if ((nodes.words ?? '') !== '') rows.push(['Filters', <Plain kind="said">{`${of}${nodes.words}`}</Plain>]);
  else if (obstacles.length > 0) rows.push(['Nodes', list]);
  if ((nodes.examples?.length ?? 0) > 0)
    rows.push([
      'Nearest nodes',
      nodes.examples!.map((name, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <a href={href('nodes', [], { node: name })}>{name}</a>
        </span>
      )),
    ]);
  return rows;
}


function preemptionRow(explain: Explain): [string, JSX.Element] | undefined {
  const state = explain.preemption?.state;
  const message = explain.preemption?.message ?? '';
  if (state === undefined || (state !== 'inProgress' && message === '')) return undefined;
  return ['Preemption', <Plain kind="said">{`${words(state)}${message === '' ? '' : ` (${message})`}`}</Plain>];
}

function PodGone(): JSX.Element {
  return <p class="panel-text">This pod neither waits nor runs now.</p>;
}

function explainPath(application: string, pod: string): string {
  return partitionPath(partition(), `application/${enc(application)}/allocation/${enc(pod)}/explain`);
}

function ExplainBox(props: { application: string; pod: string; message: boolean }): JSX.Element {
  const feed = useFeed<Explain>(explainPath(props.application, props.pod), 3000);
  if (feed.error.value?.status === 404) return <PodGone />;
  return (
    <Loaded feed={feed} what="The explanation of a pod" lines={3}>
      {(explain) => explain.reason === '' ? <p class="panel-text">This pod has its node now.</p> : (
        <div class="explain">
          {props.message && (
            <p class="why-message" data-number="said">
              <Sentence text={explain.message} />
            </p>
          )}
          <Estimate explain={explain} />
          <Facts
            rows={[
              ['Pod', <Plain kind="said">{explain.podName ?? explain.allocationKey}</Plain>],
              [
                'Reason',
                <span>
                  <Badge tone={reasonTone(explain.reason)}>{words(explain.reason)}</Badge> <code class="muted">{explain.reason}</code>
                </span>,
              ],
              (explain.obstacles?.length ?? 0) < 2
                ? undefined
                : [
                    'Then',
                    <ul data-number="said">
                      {explain.obstacles!.slice(1).map((obstacle) => (
                        <li key={obstacle.message}>
                          {words(obstacle.reason)}: <Sentence text={obstacle.message} />
                        </li>
                      ))}
                    </ul>,
                  ],
              ...nodeRows(explain),
              (explain.remedy ?? '') === '' ? undefined : ['Remedy', explain.remedy!],
              explain.gangTimeout === undefined
                ? undefined
                : ['Timeout of the gang', <><Ago ns={explain.gangTimeout.time} />: {explain.gangTimeout.outcome === 'applicationFails' ? 'the application fails' : 'its pods are scheduled without the gang'}{explain.gangTimeout.isCertain === true ? '' : ', unless it is complete'}{explain.gangTimeout.mayBeginAgain === true && ' or gives way again, and the time begins again'}</>],
              ['Requests', <Plain kind="one">{resources(explain.resource)}</Plain>],
              ['Waited', <Plain kind="past"><Ago ns={explain.since} plain />{explain.attempts !== undefined && explain.attempts > 0 && <>, {plural(explain.attempts, 'attempt')}, the last one <Ago ns={explain.lastAttempt} /></>}</Plain>],
              explain.positionInQueue === undefined ? undefined : ['Place in the queue', <Leads to={href('applications', [], { view: 'waiting', queue: explain.queueName })}>{count(explain.positionInQueue + 1)}</Leads>],
              (explain.ahead?.length ?? 0) === 0 && (explain.positionInApplication ?? 0) === 0
                ? undefined
                : [
                    'Ahead of it',
                    <span>
                      {(explain.ahead ?? []).map((other, i) => (
                        <>
                          {i > 0 && ', '}
                          <a href={href('applications', [other.applicationID])}>{other.podName ?? other.applicationID}</a>
                          {(other.pods ?? 0) > 1 && (
                            <>
                              {' '}
                              and <a href={href('applications', [], { view: 'waiting', app: other.applicationID })}>{count(other.pods! - 1)} more</a>
                            </>
                          )}
                          {other.user !== undefined && <span class="muted"> ({other.user})</span>}
                        </>
                      ))}
                      {(explain.positionInApplication ?? 0) > 0 && (
                        <>
                          {(explain.ahead?.length ?? 0) > 0 && ', '}
                          <a href={href('applications', [], { view: 'waiting', app: props.application })}>{count(explain.positionInApplication!)} of this application</a>
                        </>
                      )}
                    </span>,
                  ],
              explain.limit === undefined ? undefined : ['Limit', <LimitText limit={explain.limit} />],
              ...otherLimits(explain).map((limit): [string, JSX.Element] => [`Limit of ${limit.kind} ${limit.name}`, <LimitText limit={limit} />]),
              preemptionRow(explain),
              explain.reservation === undefined ? undefined : ['Reserved', <a href={href('nodes', [], { node: explain.reservation.nodeID })}>{explain.reservation.nodeID}</a>],
            ]}
          />
        </div>
      )}
    </Loaded>
  );
}

/** What an older server says: the log of its asks. */
function FromLog(props: { app: Application }): JSX.Element {
  const latest = new Map<string, { pods: number; at: number }>();
  for (const ask of props.app.requests ?? []) {
    const last = ask.allocationLog?.[ask.allocationLog.length - 1];
    const text = last?.message ?? 'not attempted yet';
    const known = latest.get(text) ?? { pods: 0, at: 0 };
    latest.set(text, { pods: known.pods + 1, at: Math.max(known.at, last?.lastOccurrence ?? 0) });
  }
  return (
    <ul class="list">
      {[...latest]
        .sort(([, a], [, b]) => b.pods - a.pods)
        .map(([text, { pods, at }]) => (
          <li key={text}>
            <span class="list-main why-message" data-number="said">
              <Sentence text={text} />
            </span>
            <span class="muted nowrap">
              <Leads to={href('applications', [], { view: 'waiting', app: props.app.applicationID })}>{plural(pods, 'pod')}</Leads>
              {at > 0 && (
                <>
                  , <Ago ns={at} />
                </>
              )}
            </span>
          </li>
        ))}
    </ul>
  );
}

/** Whether the pod is nowhere in the application. Not all of many pods that wait are listed. */
function isGone(app: Application, pending: Pending, pod: string): boolean {
  if (pending.total > pending.pending.length) return false;
  const held = [...(app.requests ?? []), ...(app.allocations ?? [])].map((one) => ({ allocationKey: one.allocationKey, namespace: tag(one, 'namespace'), podName: tag(one, 'podName') }));
  return ![...pending.pending, ...held].some((one) => isNamed(one, pod));
}

const podsShown = 50;

interface WaitingPage {
  find: string;
  from: number;
  isFirst: boolean;
  /** One pod more than is shown tells whether others follow. */
  pods: Pending['pending'] | undefined;
  error: ApiError | undefined;
}

function pendingPath(app: Application, wanted: Parameters<typeof waitingQuery>[0]): string {
  return partitionPath(partition(), `application/${enc(app.applicationID)}/pending${waitingQuery({ limit: podsShown + 1, ...wanted })}`);
}

/** The place of a chosen pod in the list of those that wait; undefined: none is chosen, it does not wait, or this is not known yet. */
function usePlace(app: Application, first: Pending | undefined, pod: string | undefined): number | undefined {
  const known = pod === undefined ? undefined : first?.pending.find((one) => isNamed(one, pod));
  const isSought = pod !== undefined && known === undefined && first !== undefined && first.total > first.pending.length;
  const explain = useFeed<Explain>(isSought ? explainPath(app.applicationID, pod) : undefined, 3000).data.value;
  const isMember = isSought && explain?.gang !== undefined; // then the place is that of its placeholder
  const named = useFeed<Pending>(isMember ? pendingPath(app, { find: `${explain!.namespace}/${explain!.podName}` }) : undefined, 3000).data.value;
  if (!isSought) return known?.positionInApplication;
  if (isMember) return named?.pending.find((one) => isNamed(one, pod))?.positionInApplication;
  return explain === undefined || explain.reason === '' ? undefined : explain.positionInApplication;
}

/**
 * A page of the pods that wait: of those that are searched for, or the one with the chosen pod, or the one that begins where the address
 * says. `first`: the first page, without a search.
 */
function useWaitingPage(app: Application, first: Pending | undefined): WaitingPage {
  const { find = '', from: wanted, pod } = route.value.query;
  const place = usePlace(app, first, find === '' ? pod : undefined);
  const from = pageWith(place, pageStart(Number(wanted ?? 0), podsShown, find === '' ? first?.total : undefined), podsShown);
  const isFirst = find === '' && from === 0;
  const feed = useFeed<Pending>(isFirst || first === undefined ? undefined : pendingPath(app, { find, offset: from }), 3000);
  return { find, from, isFirst, pods: (isFirst ? first : feed.data.value)?.pending, error: isFirst ? undefined : feed.error.value };
}

function WaitingPods(props: { first: Pending; page: WaitingPage; chosen: string | undefined }): JSX.Element {
  const { first, chosen } = props;
  const { find, from, isFirst, error } = props.page;
  const pods = props.page.pods ?? [];
  const shown = pods.slice(0, podsShown);
  // The details are those of a pod in the list.
  const turn = (to: number): void => setQuery({ from: to > 0 ? String(to) : undefined, pod: undefined });
  return (
    <div class="waiting-pods">
      {(first.total > podsShown || !isFirst) && <Search label="Find a waiting pod" placeholder="Name of a pod" value={find} onChange={(text) => setQuery({ find: text || undefined, from: undefined, pod: undefined })} />}
      {props.page.pods === undefined && error !== undefined && <Failure error={error} what="The list of waiting pods" />}
      {props.page.pods !== undefined && shown.length === 0 && <p class="panel-text muted">{find === '' ? 'No further pod waits' : 'No waiting pod matches'}</p>}
      {shown.length > 0 && (
        <ul class="list pod-list" aria-label="Waiting pods">
          {shown.map((pod) => (
            <li key={pod.allocationKey} class={isNamed(pod, chosen) ? 'selected' : ''}>
              <button type="button" class="row-button" aria-pressed={isNamed(pod, chosen)} onClick={() => setQuery({ pod: pod.allocationKey })}>
                <span class="list-main">{pod.podName ?? pod.allocationKey}</span>
                <Badge tone={reasonTone(pod.reason)}>{words(pod.reason)}</Badge>
              </button>
            </li>
          ))}
        </ul>
      )}
      {(from > 0 || pods.length > podsShown) && (
        <p class="pager">
          <button type="button" class="button quiet" disabled={from === 0} onClick={() => turn(shown.length === 0 ? 0 : from - podsShown)}>
            Previous
          </button>
          <span class="muted" data-number="listed">
            {shown.length > 0 && `${count(from + 1)} to ${count(from + shown.length)}${find === '' ? ` of ${count(first.total)}` : ''}`}
          </span>
          <button type="button" class="button quiet" disabled={pods.length <= podsShown} onClick={() => turn(from + podsShown)}>
            Next
          </button>
        </p>
      )}
    </div>
  );
}

function Why(props: { app: Application }): JSX.Element | null {
  const { app } = props;
  const feed = useFeed<Pending>(pendingPath(app, {}), 3000);
  const waiting = app.requests?.length ?? 0;
  const pending = feed.data.value;
  const page = useWaitingPage(app, pending);
  const chosen = route.value.query['pod'] ?? page.pods?.[0]?.allocationKey;
  if (pending === undefined && feed.error.value !== undefined) {
    if (waiting === 0) return null;
    return (
      <Panel title="Why it waits" class="why">
        <FromLog app={app} />
      </Panel>
    );
  }
  if (pending === undefined) return null;
  if (pending.total === 0 && ((pending.reason ?? '') === '' || pending.reason === 'Rejected')) return null; // a refusal has its own panel
  const reasons = Object.entries(pending.reasons ?? {}).sort(([, a], [, b]) => b - a);
  // Of one pod there is nothing to choose.
  const isOnly = pending.total === 1 && route.value.query['find'] === undefined && pending.pending[0] !== undefined && isNamed(pending.pending[0], chosen);
  return (
    <Panel title="Why it waits" class="why" at="waiting" aside={<Leads to={href('applications', [], { view: 'waiting', app: app.applicationID })}>{plural(pending.total, 'waiting pod')}</Leads>}>
      {pending.message !== undefined && pending.message !== '' && (
        <p class="why-headline" data-number="said">
          <Sentence text={pending.message} />
        </p>
      )}
      <div class={isOnly ? '' : 'why-columns'}>
        {!isOnly && <WaitingPods first={pending} page={page} chosen={chosen} />}
        <div>
          {reasons.length > 1 && (
            <p class="chips">
              {reasons.map(([reason, pods]) => (
                <a key={reason} class="tag" href={href('applications', [], { view: 'waiting', app: app.applicationID, reason })}>
                  {words(reason)}: {count(pods)}
                </a>
              ))}
            </p>
          )}
          {chosen !== undefined && isGone(app, pending, chosen) && <PodGone />}
          {chosen !== undefined && !isGone(app, pending, chosen) && <ExplainBox key={chosen} application={app.applicationID} pod={chosen} message={pending.pending[0] === undefined || !isNamed(pending.pending[0], chosen) || (pending.message ?? '') === ''} />}
        </div>
      </div>
    </Panel>
  );
}

/* ---- the rest ---- */

function GangProgress(props: { app: Application; former: boolean }): JSX.Element | null {
  const groups = props.app.placeholderData ?? [];
  if (groups.length === 0) return null;
  return (
    <Panel title="Gang">
      <ul class="gang">
        {groups.map((group) => {
          const { replaced, placed, wanted, text } = gangState(props.app, group, props.former);
          return (
            <li key={group.taskGroupName}>
              <span class="gang-name">
                {group.taskGroupName}{' '}
                <span class="muted" data-number="one">
                  {resources(group.minResource)} each
                </span>
              </span>
              <span class="bar" role="img" aria-label={text} title={text}>
                <span class="fill used" style={{ width: `${wanted > 0 ? (100 * replaced) / wanted : 0}%` }} />
                <span class="fill beyond" style={{ width: `${wanted > 0 ? (100 * placed) / wanted : 0}%` }} />
              </span>
              {props.former ? (
                <span class="muted" data-number="past">
                  {text}
                </span>
              ) : (
                <span class="muted">
                  <a href={href('applications', [props.app.applicationID], { at: 'pods' })}>{text}</a>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function eventTone(type: string): Tone {
  if (/Rejected|Failed|Failing|Preempted/.test(type)) return 'bad';
  if (/Waiting|Unreserved|Reserved/.test(type)) return 'warn';
  if (/Bound|Running|Completed|Allocated/.test(type)) return 'good';
  return 'info';
}

/** The sentence; a node that it does not name follows it. */
function EventText(props: { event: TimelineEvent }): JSX.Element {
  const { event } = props;
  const text = event.message !== '' ? plainText(event.message) : words(event.reason ?? '');
  const node = event.nodeID ?? '';
  if (node === '') return <Sentence text={text} />;
  return (
    <>
      <Sentence text={text} nodes={[node]} />
      {placeOf(text, node) < 0 && (
        <>
          {' '}
          <a href={href('nodes', [], { node })}>{node}</a>
        </>
      )}
    </>
  );
}

const eventsShown = 40;

function TimelinePanel(props: { app: Application }): JSX.Element {
  const feed = useFeed<Timeline>(partitionPath(partition(), `application/${enc(props.app.applicationID)}/timeline`), 4000);
  const timeline = feed.data.value;
  const [all, setAll] = useState(false);
  if (timeline === undefined && feed.error.value !== undefined) return <StateLog app={props.app} />;
  const events = timeline?.events ?? [];
  const shown = (all ? events : events.slice(-eventsShown)).toReversed();
  return (
    <Panel title="Timeline" aside={<>{(timeline?.omitted ?? 0) > 0 && <Plain kind="past">{plural(timeline!.omitted!, 'event')} left out, </Plain>}the latest first</>}>
      <Loaded feed={feed}>
        {() => (
          <>
            <ol class="timeline" tabIndex={0} aria-label="Timeline">
              {shown.map((event, i) => (
                <li key={events.length - i}>
                  <span class="timeline-time">
                    <At ns={event.time} />
                  </span>
                  <Badge tone={eventTone(event.type)}>{words(event.type)}</Badge>
                  <span class="timeline-text" data-number="said">
                    <EventText event={event} />
                  </span>
                </li>
              ))}
              {shown.length < events.length && (
                <li class="timeline-more">
                  <button type="button" class="button quiet" onClick={() => setAll(true)}>
                    Show {count(events.length - shown.length)} earlier
                  </button>
                </li>
              )}
            </ol>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function StateLog(props: { app: Application }): JSX.Element {
  return (
    <Panel title="States">
      <ol class="timeline">
        <li>
          <span class="timeline-time">
            <At ns={props.app.submissionTime} />
          </span>
          <Badge tone="info">Submitted</Badge>
        </li>
        {(props.app.stateLog ?? []).map((entry, i) => (
          <li key={i}>
            <span class="timeline-time">
              <At ns={entry.time} />
            </span>
            <Badge tone={stateTone(entry.applicationState)}>{entry.applicationState}</Badge>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const podColumns: readonly Column<Allocation>[] = [
  { key: 'pod', title: 'Pod', width: 'minmax(100px, 2fr)', cell: (a) => <span title={`${tag(a, 'namespace') ?? ''}/${podName(a)}`}>{podName(a)}</span> },
  { key: 'node', title: 'Node', width: 'minmax(96px, 1.5fr)', cell: (a) => (a.nodeId === undefined ? '–' : <a href={href('nodes', [], { node: a.nodeId })}>{a.nodeId}</a>) },
  { key: 'resource', title: 'Has', width: 'minmax(120px, 1.3fr)', from: 500, number: 'one', cell: (a) => resources(a.resource) },
  { key: 'kind', title: 'Kind', width: '130px', from: 780, cell: (a) => (a.preempted === true ? <Badge tone="bad">preempted</Badge> : a.placeholder === true ? <span class="tag">placeholder</span> : a.taskGroupName !== undefined ? <span class="tag">{a.taskGroupName}</span> : null) },
  { key: 'bound', title: 'Bound', width: 'minmax(80px, 92px)', cell: (a) => <Ago ns={a.bindTime ?? a.allocationTime} /> },
];

function Pods(props: { app: Application }): JSX.Element {
  const pods = props.app.allocations ?? [];
  return (
    <Panel title="Running pods" at="pods" aside={<Plain kind="listed">{plural(pods.length, 'pod')}</Plain>}>
      {pods.length === 0 ? <Empty title="No pod runs" /> : <VirtualTable label="Running pods" columns={podColumns} count={pods.length} row={(i) => pods[i]} rowKey={(pod) => pod.allocationKey} maxHeight={374} />}
    </Panel>
  );
}

/* ---- what a known user may do ---- */

function Actions(props: { app: Application }): JSX.Element | null {
  const [said, setSaid] = useState<ComponentChildren>();
  const [target, setTarget] = useState('');
  const { app } = props;
  const simulated = sim.value !== undefined;
  if (token.value === '' && !simulated) return null;
  const path = partitionPath(app.partition, `application/${enc(app.applicationID)}`);
  const act = async (what: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await what();
      setSaid(<span>{done}</span>);
      refreshAll();
    } catch (error) {
      setSaid(<span class="warning">{error instanceof ApiError ? error.message : String(error)}</span>);
    }
  };
  const kill = (): void => {
    if (!confirm(`Delete all pods of ${app.applicationID}?`)) return;
    void act(
      () => (simulated ? doSteps({ note: `all pods of ${app.applicationID} are deleted`, delete: { application: app.applicationID } }) : request(path, { method: 'DELETE' })),
      'Its pods are being deleted.',
    );
  };
  return (
    <Panel title="Actions">
      <div class="actions">
        <button type="button" class="button danger" onClick={kill}>
          Delete its pods
        </button>
        {!simulated && (
          <form
            class="inline-form"
            onSubmit={(event) => {
              event.preventDefault();
              void act(() => request(`${path}/queue`, { method: 'PUT', body: JSON.stringify({ queue: target }) }), `It is in ${target} now.`);
            }}
          >
            <label>
              Move to <input value={target} placeholder="root.queue" onInput={(event) => setTarget(event.currentTarget.value)} />
            </label>
            <button type="submit" class="button" disabled={target === ''}>
              Move
            </button>
          </form>
        )}
        <span role="status">{said}</span>
      </div>
    </Panel>
  );
}

function leadsOr(text: string, to: string): JSX.Element | string {
  return text === '' ? 'nothing' : <a href={to}>{text}</a>;
}

/** With what its placeholders hold. */
function inUse(app: Application): string {
  const text = resources(addResources(app.usedResource, app.placeholderResource), true);
  return text === '' ? '' : `${text}${placeholderPart(app.usedResource, app.placeholderResource)}`;
}

/** `former`: the application has ended or was refused, so nothing of it waits, runs, or can be changed. */
function Body(props: { app: Application; former?: boolean }): JSX.Element {
  const { app, former = false } = props;
  const state = app.applicationState ?? 'New';
  const startedMs = app.startTime; // of its first allocation; none if it never ran
  return (
    <>
      <PageHead title={app.applicationID} crumb={<a href={href('applications')}>Applications</a>}>
        <Badge tone={stateTone(state)}>{state}</Badge>
      </PageHead>
      {app.rejectedMessage !== undefined && (
        <Panel title="Why it was refused" class="why refused">
          <p class="why-headline" data-number="said">
            <Sentence text={plainText(app.rejectedMessage)} />
          </p>
          <p class="panel-text muted">Remedy: {app.remedy ?? 'correct the pods, the queue or the placement rules, and create the pods again'}</p>
        </Panel>
      )}
      {app.failedMessage !== undefined && (
        <Panel title="Why it failed" class="why refused">
          <p class="why-headline" data-number="said">
            <Sentence text={plainText(app.failedMessage)} />
          </p>
        </Panel>
      )}
      {!former && <Why app={app} />}
      <GangProgress app={app} former={former} />
      <div class="columns">
        <div class="wide stack">
          <TimelinePanel app={app} />
          {!former && <Pods app={app} />}
        </div>
        <div class="stack">
          <Panel title="Facts">
            <Facts
              rows={[
                ['Queue', app.queueName === '' ? 'none' : <a href={href('queues', [], { queue: app.queueName })}>{queueTitle(app.queueName)}</a>],
                ['User', app.user === undefined ? '–' : <a href={href('users', [], { user: app.user })}>{app.user}</a>],
                (app.groups?.length ?? 0) > 0 ? ['Groups', <Plain kind="said">{app.groups!.join(', ')}</Plain>] : undefined,
                ['Submitted', <Ago ns={app.submissionTime} />],
                startedMs === undefined ? undefined : ['Started', <><Ago ns={startedMs * 1e6} />, after it waited <Plain kind="past">{duration(startedMs - ms(app.submissionTime))}</Plain></>],
                app.finishedTime === undefined ? undefined : ['Ended', <><Ago ns={app.finishedTime} />{startedMs !== undefined && <>, after it ran <Plain kind="past">{duration(lastRunMs(app) - startedMs)}</Plain></>}</>],
                former ? undefined : ['In use', leadsOr(inUse(app), href('applications', [app.applicationID], { at: 'pods' }))],
                ['Most in use', <Plain kind="past">{mostUsed(app)}</Plain>],
                former ? undefined : ['Waiting', leadsOr(resources(app.pendingResource, true), href('applications', [], { view: 'waiting', app: app.applicationID }))],
                app.gangNotUsed === undefined ? undefined : ['Gang', <Plain kind="said">not used: {plainText(app.gangNotUsed)}</Plain>],
                app.hasReserved === true ? ['Reservations', <a href={href('nodes', [], { only: 'reserved' })}>{plural(app.reservations?.length ?? 1, 'pod')}</a>] : undefined,
              ]}
            />
          </Panel>
          {!former && <Actions app={app} />}
        </div>
      </div>
    </>
  );
}

/** It is the application that is not found, not the path. */
function isNotFound(error: ApiError): boolean {
  return /application not found/i.test(error.message);
}

/** The scheduler has no pods of it: the pods themselves say why. */
function NotKnown(props: { error: ApiError | undefined }): JSX.Element {
  if (props.error !== undefined && !isNotFound(props.error)) return <Failure error={props.error} />;
  return (
    <Empty title="The scheduler does not know this application">
      <p>
        It may have ended, or was refused before the scheduler started. Pods with scheduling gates belong to no application yet, and pods of another scheduler never do. <code>kubectl describe pod</code> shows what its pods wait for.
      </p>
    </Empty>
  );
}

const formerFields = 'applicationID,partition,queueName,user,groups,applicationState,submissionTime,startTime,finishedTime,maxUsedResource,rejectedMessage,failedMessage,remedy,placeholderData,stateLog';

/** An application that is not live may be among those that ended or were refused. */
function Former(props: { id: string; error: ApiError | undefined }): JSX.Element {
  const find = `fields=${formerFields}&filter=${enc(props.id.slice(props.id.lastIndexOf(':') + 1))}`;
  const ended = useFeed<Application[]>(partitionPath(partition(), `applications/completed?${find}`), 15_000);
  const rejected = useFeed<Application[]>(partitionPath(partition(), `applications/rejected?${find}`), 15_000);
  const found = latestOf([...(ended.data.value ?? []), ...(rejected.data.value ?? [])], props.id);
  if (found !== undefined) return <Body app={found} former />;
  return (
    <>
      <PageHead title={props.id} crumb={<a href={href('applications')}>Applications</a>} />
      <Panel>{ended.data.value === undefined && ended.error.value === undefined ? <p class="panel-text muted">Looking for it among those that ended.</p> : <NotKnown error={props.error} />}</Panel>
    </>
  );
}

const over = ['Completed', 'Failed', 'Rejected', 'Expired'];

export function ApplicationPage(props: { id: string }): JSX.Element {
  // An application that has ended is no longer there to be asked for, but its timeline is, which says so.
  const timeline = useFeed<Timeline>(partitionPath(partition(), `application/${enc(props.id)}/timeline`), 4000);
  const isOver = over.includes(timeline.data.value?.state ?? '');
  const isUnknown = timeline.error.value?.status === 404 && isNotFound(timeline.error.value);
  const isAsked = !isOver && !isUnknown && (timeline.data.value !== undefined || timeline.error.value !== undefined);
  const feed = useFeed<Application>(isAsked ? partitionPath(partition(), `application/${enc(props.id)}`) : undefined, 2500);
  const error = isUnknown ? timeline.error.value : feed.error.value;
  if (isOver || error?.status === 404) return <Former id={props.id} error={error} />;
  return (
    <Loaded feed={feed} lines={8}>
      {(app) => <Body app={app} />}
    </Loaded>
  );
}
