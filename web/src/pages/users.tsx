// SPDX-License-Identifier: Apache-2.0
// Users and groups: who uses how much, and which limits they have.
import type { JSX } from 'preact';
import { partitionPath } from '../data/api';
import { useFeed } from '../data/feed';
import { href, partition, route, setQuery } from '../data/route';
import { isEmpty, usageIn } from '../model/queues';
import type { GroupUsage, Usage, UserUsage } from '../model/types';
import { compareResources, count, percent, plural, resourceName, resourceNameOf, amount, resources } from '../model/units';
import { PartBar } from '../ui/bars';
import { Choice, Drawer, Empty, Leads, Loaded, PageHead, Panel, Plain, Search, Select, useWanted } from '../ui/parts';
import { VirtualTable, type Column } from '../ui/table';

interface Person {
  kind: 'user' | 'group';
  name: string;
  usage: Usage | undefined;
  applications: number;
  groups: string[];
}

function limited(usage: Usage | undefined): Usage[] {
  if (usage === undefined) return [];
  const own = usage.maxResources !== undefined || usage.maxApplications !== undefined ? [usage] : [];
  return [...own, ...(usage.children ?? []).flatMap(limited)];
}

/** The largest part of any limit that is used up, and where. */
function tightest(usage: Usage | undefined): { part: number; where: string } | undefined {
  let worst: { part: number; where: string } | undefined;
  for (const place of limited(usage)) {
    for (const [name, most] of Object.entries(place.maxResources ?? {})) {
      const part = most > 0 ? (place.resourceUsage?.[name] ?? 0) / most : 0;
      if (worst === undefined || part > worst.part) worst = { part, where: `${resourceName(name)} in ${place.queuePath}` };
    }
    if ((place.maxApplications ?? 0) > 0) {
      const part = (place.runningApplications?.length ?? 0) / place.maxApplications!;
      if (worst === undefined || part > worst.part) worst = { part, where: `applications in ${place.queuePath}` };
    }
  }
  return worst;
}

/** The running applications that count for a person in a queue. */
function runningIn(person: Person, usage: Usage): string {
  return href('users', [], { ...route.value.query, [person.kind]: person.name, in: usage.queuePath, at: 'running' });
}

/** The applications that use what a person uses in a queue. Which of them count for a group, only its own list says. */
function usersOwn(person: Person, usage: Usage): string {
  return person.kind === 'group' ? runningIn(person, usage) : href('applications', [], { find: `user:${person.name}`, queue: usage.queuePath === 'root' ? undefined : usage.queuePath });
}

function Used(props: { person: Person; usage: Usage | undefined }): JSX.Element {
  const text = resources(props.usage?.resourceUsage);
  return text === '' ? <span class="muted">–</span> : <Leads to={usersOwn(props.person, props.usage!)}>{text}</Leads>;
}

const columns: readonly Column<Person>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(90px, 1fr)',
    cell: (person) => (
      <a class="strong" href={href('users', [], { ...route.value.query, [person.kind]: person.name, in: undefined, at: undefined })}>
        {person.name}
      </a>
    ),
  },
  { key: 'used', title: 'In use', width: 'minmax(130px, 2fr)', cell: (person) => <Used person={person} usage={person.usage} /> },
  {
    key: 'apps',
    title: 'Running',
    width: '68px',
    numeric: true,
    cell: (person) => <Leads to={href('users', [], { ...route.value.query, [person.kind]: person.name, in: undefined, at: 'running' })}>{count(person.applications)}</Leads>,
  },
  { key: 'groups', title: 'Groups', width: 'minmax(90px, 1fr)', from: 780, number: 'said', cell: (person) => person.groups.join(', ') || <span class="muted">–</span> },
  {
    key: 'limit',
    title: 'Closest limit',
    width: 'minmax(160px, 2.8fr)',
    from: 500,
    cell: (person) => {
      const worst = tightest(person.usage);
      return worst === undefined ? (
        <span class="muted">no limit</span>
      ) : (
        <span class="with-minibar" title={worst.where}>
          <PartBar part={worst.part} label={worst.where} /> <Plain kind="limit">{percent(worst.part)}</Plain> <span class="muted">{worst.where}</span>
        </span>
      );
    },
  },
];

const groupColumns = columns.filter((column) => column.key !== 'groups');

function UsageRows(props: { person: Person; usage: Usage; depth: number }): JSX.Element {
  const { person, usage } = props;
  const names = [...new Set([...Object.keys(usage.resourceUsage ?? {}), ...Object.keys(usage.maxResources ?? {})])].sort(compareResources);
  return (
    <>
      <tr>
        <th scope="row" style={{ paddingLeft: `${8 + props.depth * 14}px` }}>
          <a href={href('queues', [], { queue: usage.queuePath })}>{usage.queuePath}</a>
        </th>
        <td>
          {names.map((name) => (
            <div key={name} class="nowrap">
              <Leads to={usersOwn(person, usage)}>{amount(name, usage.resourceUsage?.[name] ?? 0)}</Leads>
              {usage.maxResources?.[name] !== undefined && <Plain kind="limit"> of {amount(name, usage.maxResources[name]!)}</Plain>} {resourceNameOf(name, usage.maxResources?.[name] ?? usage.resourceUsage?.[name] ?? 0)}
            </div>
          ))}
        </td>
        <td class="num">
          <Leads to={runningIn(person, usage)}>{count(usage.runningApplications?.length ?? 0)}</Leads>
          {(usage.maxApplications ?? 0) > 0 && <Plain kind="limit"> of {count(usage.maxApplications!)}</Plain>}
        </td>
      </tr>
      {(usage.children ?? []).map((child) => (
        <UsageRows key={child.queuePath} person={person} usage={child} depth={props.depth + 1} />
      ))}
    </>
  );
}

const runningShown = 200;

function PersonDrawer(props: { person: Person }): JSX.Element {
  const { person } = props;
  const wanted = route.value.query['in'];
  const place = wanted === undefined ? person.usage : (usageIn(person.usage, wanted) ?? person.usage);
  const running = place?.runningApplications ?? [];
  const head = useWanted<HTMLHeadingElement>('running');
  return (
    <Drawer kind={person.kind === 'user' ? 'User' : 'Group'} title={person.name} onClose={() => setQuery({ [person.kind]: undefined, in: undefined })}>
      {person.usage === undefined ? (
        <p class="muted">Uses nothing.</p>
      ) : (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Use and limits by queue">
          <table class="plain top-aligned">
            <thead>
              <tr>
                <th scope="col">Queue</th>
                <th scope="col">In use, of the limit</th>
                <th scope="col" class="num">Applications</th>
              </tr>
            </thead>
            <tbody>
              <UsageRows person={person} usage={person.usage} depth={0} />
            </tbody>
          </table>
        </div>
      )}
      {running.length > 0 && (
        <>
          <h3 ref={head} tabIndex={-1} data-number="listed">
            {plural(running.length, 'running application')}
            {place !== person.usage && ` in ${place!.queuePath}`}
          </h3>
          <ul class="list">
            {running.slice(0, runningShown).map((id) => (
              <li key={id}>
                <a href={href('applications', [id])}>{id}</a>
              </li>
            ))}
            {running.length > runningShown && (
              <li class="muted" data-number="listed">
                and {count(running.length - runningShown)} more
              </li>
            )}
          </ul>
        </>
      )}
    </Drawer>
  );
}

export function UsersPage(): JSX.Element {
  const query = route.value.query;
  const isGroups = query['view'] === 'groups' || (query['group'] !== undefined && query['user'] === undefined);
  const users = useFeed<UserUsage[]>(isGroups ? undefined : partitionPath(partition(), 'usage/users'), 4000);
  const groups = useFeed<GroupUsage[]>(isGroups ? partitionPath(partition(), 'usage/groups') : undefined, 4000);
  const find = (query['find'] ?? '').toLowerCase();
  const queue = query['queue'];
  const show = (people: Person[]): JSX.Element => {
    const shown = people.filter((person) => person.name.toLowerCase().includes(find) && (queue === undefined || !isEmpty(usageIn(person.usage, queue)?.resourceUsage)));
    const chosen = people.find((person) => person.name === query[isGroups ? 'group' : 'user']);
    return (
      <div class={chosen === undefined ? '' : 'with-drawer'}>
        <Panel>
          {shown.length === 0 ? (
            <Empty title={people.length > 0 ? queue === undefined ? 'No name has that in it' : 'Nobody uses anything there' : isGroups ? 'No group has a limit' : 'No user runs anything'}>
              {people.length === 0 && isGroups && 'Groups are counted where the configuration limits them.'}
            </Empty>
          ) : (
            <VirtualTable
              label={isGroups ? 'Groups' : 'Users'}
              columns={isGroups ? groupColumns : columns}
              count={shown.length}
              row={(i) => shown[i]}
              rowKey={(person) => person.name}
              onOpen={(person) => setQuery({ [person.kind]: person.name, in: undefined })}
              selected={chosen?.name}
              maxHeight={680}
            />
          )}
        </Panel>
        {chosen !== undefined && <PersonDrawer key={chosen.name} person={chosen} />}
      </div>
    );
  };
  return (
    <>
      <PageHead title="Users and groups">
        <Search label="Find a name" placeholder="Find a name" value={query['find'] ?? ''} onChange={(text) => setQuery({ find: text || undefined })} />
        {queue !== undefined && <Select label="Queue" value={queue} options={[['', 'all'] as const, [queue, queue] as const]} onChange={() => setQuery({ queue: undefined })} />}
        <Choice
          label="Which"
          value={isGroups ? 'groups' : 'users'}
          options={[
            ['users', 'Users'],
            ['groups', 'Groups'],
          ]}
          onChange={(value) => setQuery({ view: value === 'users' ? undefined : value, user: undefined, group: undefined, in: undefined })}
        />
      </PageHead>
      {isGroups ? (
        <Loaded feed={groups}>{(data) => show(data.map((g) => ({ kind: 'group', name: g.groupName, usage: g.queues, applications: g.applications?.length ?? 0, groups: [] })))}</Loaded>
      ) : (
        <Loaded feed={users}>
          {(data) => show(data.map((u) => ({ kind: 'user', name: u.userName, usage: u.queues, applications: u.queues?.runningApplications?.length ?? 0, groups: [...new Set(Object.values(u.groups ?? {}))].filter((g) => g !== '') })))}
        </Loaded>
      )}
    </>
  );
}
