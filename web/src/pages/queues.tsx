// SPDX-License-Identifier: Apache-2.0
// Queues: who has what, who is above its guarantee, what limits a queue and where that comes from.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { enc, partitionPath } from '../data/api';
import { useFeed } from '../data/feed';
import { href, partition, route, setQuery } from '../data/route';
import { configuredPath, type Config, type LimitConfig } from '../model/config';
import { borrowed, fairShares, findQueue, lent, maximumOf, pending, resourcesOf, rowsOf, share, shortName, used, usersOf, type QueueRow } from '../model/queues';
import type { Pending, Queue, UserUsage } from '../model/types';
import { amount, amountWithName, compareResources, count, digits, duration, goDuration, plural, queueTitle, resourceName, resources, words } from '../model/units';
import { QueueBar } from '../ui/bars';
import { Icon } from '../ui/icons';
import { Ago, Badge, Drawer, Empty, Facts, Leads, Legend, Loaded, PageHead, Panel, Plain, Search, Select, Sentence, stateTone } from '../ui/parts';

const keys = [
  ['used', 'in use'],
  ['beyond', 'beyond the guarantee'],
  ['pending', 'waiting'],
  ['guaranteed', 'guaranteed'],
  ['fair', 'fair share, estimated'],
  ['track', 'up to the maximum'],
] as const;

function Borrowing(props: { row: QueueRow; resource: string }): JSX.Element | null {
  const { queue } = props.row;
  const above = used(queue, props.resource) - (maximumOf(props.row, props.resource)?.value ?? Infinity);
  const taken = borrowed(queue, props.resource) ?? 0;
  const given = lent(queue, props.resource);
  const wanted = pending(queue, props.resource);
  if (queue.status !== 'Active') return <Badge tone={stateTone(queue.status)}>{queue.status.toLowerCase()}</Badge>;
  if (above > 0) return <Badge tone="warn">{amount(props.resource, above)} above its maximum</Badge>;
  if (taken > 0) return <Badge tone="info">{amount(props.resource, taken)} above its guarantee</Badge>;
  if (given > 0 && wanted > 0)
    return (
      <Badge tone="warn">
        {amount(props.resource, given)} below its guarantee{wanted < given ? `, wants ${amount(props.resource, wanted)}` : ''}
      </Badge>
    );
  if (given > 0) return <Badge tone="idle">{amount(props.resource, given)} of its guarantee unused</Badge>;
  return null;
}

/** The applications that count as running in a queue. In a stateaware leaf, one that starts counts, too. */
function runningIn(queue: Queue): string {
  return href('applications', [], { queue: queue.queuename, status: queue.sortingPolicy === 'stateaware' ? undefined : 'running' });
}

function closedSet(): Set<string> {
  return new Set((route.value.query['closed'] ?? '').split(',').filter((path) => path !== ''));
}

function toggle(path: string): void {
  const closed = closedSet();
  if (!closed.delete(path)) closed.add(path);
  setQuery({ closed: [...closed].join(',') || undefined });
}

function Row(props: { row: QueueRow; resource: string; scale: number; fair: number | undefined; selected: boolean; isClosed: boolean; filtered: boolean }): JSX.Element {
  const { row, resource } = props;
  const { queue } = row;
  const guaranteed = queue.guaranteedResource?.[resource];
  const maximum = maximumOf(row, resource);
  const hasChildren = (queue.children ?? []).length > 0;
  return (
    <tr class={props.selected ? 'selected' : ''}>
      <th scope="row">
        <span class="tree-name" style={{ paddingLeft: `${props.filtered ? 0 : row.depth * 18}px` }}>
          {hasChildren && !props.filtered ? (
            <button type="button" class="twist" aria-expanded={!props.isClosed} aria-label={`Children of ${queue.queuename}`} onClick={() => toggle(queue.queuename)}>
              <Icon name={props.isClosed ? 'right' : 'down'} />
            </button>
          ) : (
            <span class="twist" />
          )}
          <a href={href('queues', [], { ...route.value.query, queue: queue.queuename })} title={queue.queuename}>
            {props.filtered ? queueTitle(queue.queuename) : shortName(queue.queuename)}
          </a>
          {!queue.isManaged && <span class="tag" title="Not in the configuration: made for pods that name it">dynamic</span>}
        </span>
      </th>
      <td class="bar-cell">
        <QueueBar
          resource={resource}
          scale={props.scale}
          used={used(queue, resource)}
          pending={pending(queue, resource)}
          guaranteed={guaranteed}
          maximum={maximum?.value}
          fair={row.depth > 0 ? props.fair : undefined}
        />
      </td>
      <td class="num">
        <Leads to={href('applications', [], { queue: queue.queuename })}>{amount(resource, used(queue, resource))}</Leads>
      </td>
      <td class="num muted hide-medium" data-number="limit">{guaranteed === undefined ? '–' : amount(resource, guaranteed)}</td>
      <td class="num muted hide-narrow" data-number="limit">{maximum === undefined ? '–' : amount(resource, maximum.value)}</td>
      <td class="num">{pending(queue, resource) > 0 ? <Leads to={href('applications', [], { view: 'waiting', queue: queue.queuename })}>{amount(resource, pending(queue, resource))}</Leads> : <span class="muted">–</span>}</td>
      <td class="num hide-medium" data-number="place" title="The number by which the scheduler compares queues: use divided by the guarantee, or by the maximum">
        {digits(share(row))}
      </td>
      <td class="num hide-narrow">
        <Leads to={runningIn(queue)}>{count(queue.runningApps ?? 0)}</Leads>
      </td>
      <td class="hide-narrow balance" data-number="limit">
        <Borrowing row={row} resource={resource} />
      </td>
    </tr>
  );
}

function Tree(props: { root: Queue }): JSX.Element {
  const { root } = props;
  const query = route.value.query;
  const names = useMemo(() => resourcesOf(root).sort(compareResources), [root]);
  const resource = query['resource'] !== undefined && names.includes(query['resource']) ? query['resource'] : names.includes('vcore') ? 'vcore' : (names[0] ?? 'vcore');
  const filter = (query['find'] ?? '').toLowerCase();
  const closed = closedSet();
  const rows = filter === '' ? rowsOf(root, closed) : rowsOf(root).filter((row) => row.queue.queuename.toLowerCase().includes(filter));
  const fair = useMemo(() => fairShares(root, resource), [root, resource]);
  const scale = Math.max(root.maxResource?.[resource] ?? 0, used(root, resource), 1);
  const wanted = query['queue'];
  const selected = wanted === undefined ? undefined : findQueue(root, wanted);
  return (
    <>
      <PageHead title="Queues" lead={<Plain kind="limit">All bars have one scale: {amountWithName(resource, scale)}.</Plain>}>
        <Search label="Find a queue" placeholder="Find a queue" value={query['find'] ?? ''} onChange={(find) => setQuery({ find: find || undefined })} />
        <Select label="Resource" value={resource} options={names.map((name) => [name, resourceName(name)] as const)} onChange={(value) => setQuery({ resource: value })} />
      </PageHead>
      <div class={wanted === undefined ? '' : 'with-drawer'}>
        <Panel>
          <Legend keys={keys} />
          <div class="scroll-x" tabIndex={0} role="region" aria-label="Tree of queues">
            <table class="queues">
              <thead>
                <tr>
                  <th scope="col">Queue</th>
                  <th scope="col">{resourceName(resource)}</th>
                  <th scope="col" class="num">In use</th>
                  <th scope="col" class="num hide-medium">Guaranteed</th>
                  <th scope="col" class="num hide-narrow">Maximum</th>
                  <th scope="col" class="num">Waiting</th>
                  <th scope="col" class="num hide-medium">Share</th>
                  <th scope="col" class="num hide-narrow">Running</th>
                  <th scope="col" class="hide-narrow">Balance</th>
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, 1000).map((row) => (
                  <Row
                    key={row.queue.queuename}
                    row={row}
                    resource={resource}
                    scale={scale}
                    fair={fair.get(row.queue.queuename)}
                    selected={row.queue.queuename === selected?.queue.queuename}
                    isClosed={closed.has(row.queue.queuename)}
                    filtered={filter !== ''}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {rows.length === 0 && <Empty title="No queue has that in its path" />}
          {rows.length > 1000 && <p class="panel-text muted" data-number="listed">{count(rows.length - 1000)} more queues: find them by a part of their path.</p>}
        </Panel>
        {selected !== undefined && <QueueDrawer row={selected} names={names} />}
        {wanted !== undefined && selected === undefined && <NoQueue path={wanted} />}
      </div>
    </>
  );
}

function LimitsTable(props: { row: QueueRow; names: string[] }): JSX.Element {
  const { row } = props;
  const shown = props.names.filter(
    (name) => maximumOf(row, name) !== undefined || row.queue.guaranteedResource?.[name] !== undefined || used(row.queue, name) > 0 || pending(row.queue, name) > 0,
  );
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Limits">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col" class="num">In use</th>
            <th scope="col" class="num">Guaranteed</th>
            <th scope="col" class="num">Maximum</th>
            <th scope="col">Set by</th>
            <th scope="col" class="num">Free</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((name) => {
            const maximum = maximumOf(row, name);
            const headroom = row.queue.headroom?.[name];
            return (
              <tr key={name}>
                <th scope="row">{resourceName(name)}</th>
                <td class="num">
                  <Leads to={href('applications', [], { queue: row.queue.queuename })}>{amount(name, used(row.queue, name))}</Leads>
                </td>
                <td class="num" data-number="limit">{row.queue.guaranteedResource?.[name] === undefined ? '–' : amount(name, row.queue.guaranteedResource[name]!)}</td>
                <td class="num" data-number="limit">{maximum === undefined ? '–' : amount(name, maximum.value)}</td>
                <td>
                  {maximum === undefined ? (
                    <span class="muted">no limit</span>
                  ) : maximum.from === row.queue.queuename ? (
                    'this queue'
                  ) : (
                    <a href={href('queues', [], { ...route.value.query, queue: maximum.from })} title={maximum.from}>{maximum.from === 'root' ? 'the nodes' : shortName(maximum.from)}</a>
                  )}
                </td>
                <td class="num" data-number="limit">{headroom === undefined ? '–' : amount(name, headroom)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function limitText(limit: LimitConfig): string {
  const parts = Object.entries(limit.MaxResources ?? {}).map(([name, value]) => `${value} ${resourceName(name)}`);
  if ((limit.MaxApplications ?? 0) > 0) parts.push(plural(limit.MaxApplications!, 'application'));
  return parts.join(', ') || 'nothing';
}

function ConfiguredLimits(props: { path: string }): JSX.Element | null {
  const config = useFeed<Config>('ws/v1/config?format=json', 15_000).data.value;
  const queues = configuredPath(config, partition(), props.path);
  const limits = queues.flatMap((queue, i) => (queue.Limits ?? []).map((limit) => ({ limit, path: queues.slice(0, i + 1).map((q) => q.Name).join('.') })));
  const own = queues[queues.length - 1];
  if (own === undefined) return null;
  return (
    <>
      {limits.length > 0 && <h3>Limits of users and groups</h3>}
      <ul class="list">
        {limits.map(({ limit, path }, i) => (
          <li key={i}>
            <span class="list-main" data-number="limit">
              {[...(limit.Users ?? []).map((u) => `user ${u}`), ...(limit.Groups ?? []).map((g) => `group ${g}`)].join(', ')}: at most {limitText(limit)}
            </span>
            <span class="muted">{path === props.path ? 'this queue' : `from ${path}`}</span>
          </li>
        ))}
      </ul>
      <h3>Access</h3>
      <Facts
        rows={queues
          .filter((queue) => (queue.SubmitACL ?? '') !== '' || (queue.AdminACL ?? '') !== '')
          .map((queue) => [queue.Name, `${queue.SubmitACL ? `submit: ${queue.SubmitACL}` : ''}${queue.SubmitACL && queue.AdminACL ? '; ' : ''}${queue.AdminACL ? `admin: ${queue.AdminACL}` : ''}`])}
      />
    </>
  );
}

const usersShown = 5;

/** Who uses most of the queue; nothing for a reader who may not see users. */
function UsersOf(props: { path: string }): JSX.Element | null {
  const users = useFeed<UserUsage[]>(partitionPath(partition(), 'usage/users'), 10_000).data.value;
  const shares = usersOf(users ?? [], props.path);
  if (shares.length === 0) return null;
  return (
    <>
      <h3>Who uses it</h3>
      <ul class="list">
        {shares.slice(0, usersShown).map(({ user, usage }) => (
          <li key={user}>
            <a class="list-main" href={href('users', [], { user })}>
              {user}
            </a>
            <Leads to={href('applications', [], { queue: props.path, find: `user:${user}` })}>{resources(usage)}</Leads>
          </li>
        ))}
        {shares.length > usersShown && (
          <li class="muted">
            <Leads to={href('users', [], { queue: props.path })}>and {plural(shares.length - usersShown, 'other user')}</Leads>
          </li>
        )}
      </ul>
    </>
  );
}

function WaitingIn(props: { path: string }): JSX.Element {
  const feed = useFeed<Pending>(partitionPath(partition(), `queue/${enc(props.path)}/pending?limit=5`), 3000);
  return (
    <Loaded feed={feed} what="Reasons of waiting pods" lines={2}>
      {(data) => {
        const reasons = Object.entries(data.reasons ?? {}).sort(([, a], [, b]) => b - a);
        if (reasons.length === 0) return <p class="muted">Nothing waits here.</p>;
        return (
          <>
            <ul class="list">
              {reasons.map(([reason, pods]) => (
                <li key={reason}>
                  <a class="list-main" href={href('applications', [], { view: 'waiting', queue: props.path, reason })}>
                    {words(reason)}
                  </a>
                  <Leads to={href('applications', [], { view: 'waiting', queue: props.path, reason })}>{plural(pods, 'pod')}</Leads>
                </li>
              ))}
            </ul>
            {data.pending[0] !== undefined && (
              <p class="first-waiting" data-number="said">
                First in order: <a href={href('applications', [data.pending[0].applicationID])}>{data.pending[0].podName ?? data.pending[0].applicationID}</a>: <Sentence text={data.pending[0].message} />
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** The delay as other times are shown. */
function delayText(delay: string): string {
  const parsed = goDuration(delay);
  return Number.isNaN(parsed) ? delay : duration(parsed);
}

function NoQueue(props: { path: string }): JSX.Element {
  return (
    <Drawer kind="Queue" title={props.path} onClose={() => setQuery({ queue: undefined })}>
      <Empty title="There is no such queue">A configuration may have removed it, or it was made for pods that name it, and all of them have ended.</Empty>
    </Drawer>
  );
}

function QueueDrawer(props: { row: QueueRow; names: string[] }): JSX.Element {
  const { queue } = props.row;
  const properties = Object.entries(queue.properties ?? {});
  return (
    <Drawer kind="Queue" title={queueTitle(queue.queuename)} onClose={() => setQuery({ queue: undefined })}>
      <p class="chips">
        <Badge tone={stateTone(queue.status)}>{queue.status}</Badge>
        <span class="tag">{queue.isLeaf ? 'leaf' : 'parent'}</span>
        {!queue.isManaged && <span class="tag">dynamic</span>}
        {queue.drainingSince !== undefined && (
          <span class="muted">
            drains since <Ago ns={queue.drainingSince} plain />
          </span>
        )}
      </p>
      <h3>Limits and where they come from</h3>
      <LimitsTable row={props.row} names={props.names} />
      <UsersOf path={queue.queuename} />
      <h3>Why pods wait</h3>
      <WaitingIn path={queue.queuename} />
      <h3>How it schedules</h3>
      <Facts
        rows={[
          [
            'Applications',
            <>
              <a href={runningIn(queue)}>{count(queue.runningApps ?? 0)} running</a>
              {queue.maxRunningApps !== undefined && <Plain kind="limit">, at most {count(queue.maxRunningApps)}</Plain>}
            </>,
          ],
          ['Order', `${queue.sortingPolicy}${queue.prioritySorting ? ', by priority first' : ''}`],
          ['Preemption', <Plain kind="limit">{queue.preemptionEnabled ? `after ${delayText(queue.preemptionDelay)}${queue.isPreemptionFence ? ', fence: takes from no other branch' : ''}` : 'disabled'}</Plain>],
          (queue.priorityOffset ?? 0) !== 0 || queue.isPriorityFence ? ['Priority', <Plain kind="limit">{`offset ${queue.priorityOffset ?? 0}${queue.isPriorityFence ? ', fence' : ''}`}</Plain>] : undefined,
          queue.preemptingResource !== undefined ? ['Being preempted', <a href={href('preemptions')}>{resources(queue.preemptingResource)}</a>] : undefined,
          ...properties.map(([key, value]): [string, JSX.Element] => [key, <Plain kind="said">{value}</Plain>]),
        ]}
      />
      {queue.template !== undefined && (
        <>
          <h3>Template of queues below</h3>
          <Facts
            rows={[
              queue.template.maxResource !== undefined ? ['Maximum', <Plain kind="limit">{resources(queue.template.maxResource)}</Plain>] : undefined,
              queue.template.guaranteedResource !== undefined ? ['Guaranteed', <Plain kind="limit">{resources(queue.template.guaranteedResource)}</Plain>] : undefined,
              queue.template.maxApplications !== undefined ? ['Applications', <Plain kind="limit">at most {count(queue.template.maxApplications)}</Plain>] : undefined,
            ]}
          />
        </>
      )}
      <ConfiguredLimits path={queue.queuename} />
    </Drawer>
  );
}

export function QueuesPage(): JSX.Element {
  const feed = useFeed<Queue>(partitionPath(partition(), 'queues'), 2000);
  if (feed.data.value === undefined || feed.error.value?.status === 403 || feed.error.value?.status === 401)
    return (
      <>
        <PageHead title="Queues" />
        <Panel>
          <Loaded feed={feed}>{() => null}</Loaded>
        </Panel>
      </>
    );
  return <Tree root={feed.data.value} />;
}
