// SPDX-License-Identifier: Apache-2.0
// Users and groups: who uses how much, and which limits they have.
import type { JSX } from 'preact';
import { partitionPath } from '../data/api';
import { useFeed } from '../data/feed';
import { href, partition, route, setQuery } from '../data/route';
import type { GroupUsage, Usage, UserUsage } from '../model/types';
import { compareResources, count, percent, plural, resourceName, amount, resources } from '../model/units';
import { PartBar } from '../ui/bars';
import { Choice, Drawer, Empty, Loaded, PageHead, Panel, Search } from '../ui/parts';
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

const columns: readonly Column<Person>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(130px, 1.5fr)',
    cell: (person) => (
      <a class="strong" href={href('users', [], { ...route.value.query, [person.kind]: person.name })}>
        {person.name}
      </a>
    ),
  },
  { key: 'used', title: 'In use', width: 'minmax(150px, 2fr)', cell: (person) => resources(person.usage?.resourceUsage) || <span class="muted">–</span> },
  {
    key: 'apps',
    title: 'Running',
    width: '90px',
    numeric: true,
    cell: (person) => (person.kind === 'user' ? <a href={href('applications', [], { find: `user:${person.name}` })}>{count(person.applications)}</a> : count(person.applications)),
  },
  { key: 'groups', title: 'Groups', width: 'minmax(90px, 1fr)', optional: true, cell: (person) => person.groups.join(', ') || <span class="muted">–</span> },
  {
    key: 'limit',
    title: 'Closest limit',
    width: 'minmax(160px, 2fr)',
    cell: (person) => {
      const worst = tightest(person.usage);
      return worst === undefined ? (
        <span class="muted">no limit</span>
      ) : (
        <span class="with-minibar">
          <PartBar part={worst.part} label={worst.where} /> {percent(worst.part)} <span class="muted">{worst.where}</span>
        </span>
      );
    },
  },
];

const groupColumns = columns.filter((column) => column.key !== 'groups');

function UsageRows(props: { usage: Usage; depth: number }): JSX.Element {
  const { usage } = props;
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
              {amount(name, usage.resourceUsage?.[name] ?? 0)}
              {usage.maxResources?.[name] !== undefined && <> of {amount(name, usage.maxResources[name]!)}</>} {resourceName(name)}
            </div>
          ))}
        </td>
        <td class="num">
          {count(usage.runningApplications?.length ?? 0)}
          {(usage.maxApplications ?? 0) > 0 && <> of {count(usage.maxApplications!)}</>}
        </td>
      </tr>
      {(usage.children ?? []).map((child) => (
        <UsageRows key={child.queuePath} usage={child} depth={props.depth + 1} />
      ))}
    </>
  );
}

function PersonDrawer(props: { person: Person }): JSX.Element {
  const { person } = props;
  const running = person.usage?.runningApplications ?? [];
  return (
    <Drawer kind={person.kind === 'user' ? 'User' : 'Group'} title={person.name} onClose={() => setQuery({ [person.kind]: undefined })}>
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
              <UsageRows usage={person.usage} depth={0} />
            </tbody>
          </table>
        </div>
      )}
      {running.length > 0 && (
        <>
          <h3>{plural(running.length, 'running application')}</h3>
          <ul class="list">
            {running.slice(0, 200).map((id) => (
              <li key={id}>
                <a href={href('applications', [id])}>{id}</a>
              </li>
            ))}
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
  const show = (people: Person[]): JSX.Element => {
    const shown = people.filter((person) => person.name.toLowerCase().includes(find));
    const chosen = people.find((person) => person.name === query[isGroups ? 'group' : 'user']);
    return (
      <div class={chosen === undefined ? '' : 'with-drawer'}>
        <Panel>
          {shown.length === 0 ? (
            <Empty title={people.length > 0 ? 'No name has that in it' : isGroups ? 'No group has a limit' : 'No user runs anything'}>
              {people.length === 0 && isGroups && 'Groups are counted where the configuration limits them.'}
            </Empty>
          ) : (
            <VirtualTable
              label={isGroups ? 'Groups' : 'Users'}
              columns={isGroups ? groupColumns : columns}
              count={shown.length}
              row={(i) => shown[i]}
              rowKey={(person) => person.name}
              onOpen={(person) => setQuery({ [person.kind]: person.name })}
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
        <Choice
          label="Which"
          value={isGroups ? 'groups' : 'users'}
          options={[
            ['users', 'Users'],
            ['groups', 'Groups'],
          ]}
          onChange={(value) => setQuery({ view: value === 'users' ? undefined : value, user: undefined, group: undefined })}
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
