// SPDX-License-Identifier: Apache-2.0
// What is around every page: navigation, the state of the connection, colours, and the bar of a simulation.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { lastStatus, token } from '../data/api';
import { tick } from '../data/clock';
import { lastUpdate, useFeed } from '../data/feed';
import { theme, type Theme } from '../data/prefs';
import { href, partition, route, setQuery } from '../data/route';
import type { Partition } from '../model/types';
import { duration } from '../model/units';
import { ApplicationPage } from '../pages/application';
import { ApplicationsPage } from '../pages/applications';
import { ConfigurationPage } from '../pages/configuration';
import { EventsPage } from '../pages/events';
import { NodesPage } from '../pages/nodes';
import { OverviewPage } from '../pages/overview';
import { PreemptionsPage } from '../pages/preemptions';
import { QueuesPage } from '../pages/queues';
import { UsersPage } from '../pages/users';
import { WhatIfPage } from '../pages/whatif';
import { SimBar } from '../sim/bar';
import { isModeKnown, sim } from '../sim/state';
import { Icon } from './icons';
import { Empty, PageHead, Select, Skeleton } from './parts';
import { openToken, TokenDialog } from './token';

const pages: readonly { key: string; title: string; group: string }[] = [
  { key: 'overview', title: 'Overview', group: 'Cluster' },
  { key: 'queues', title: 'Queues', group: 'Cluster' },
  { key: 'applications', title: 'Applications', group: 'Cluster' },
  { key: 'nodes', title: 'Nodes', group: 'Cluster' },
  { key: 'users', title: 'Users and groups', group: 'Cluster' },
  { key: 'preemptions', title: 'Preemptions', group: 'Activity' },
  { key: 'events', title: 'Events', group: 'Activity' },
  { key: 'whatif', title: 'What if', group: 'Configure' },
  { key: 'configuration', title: 'Configuration', group: 'Configure' },
];

function content(): ComponentChildren {
  const { page, rest } = route.value;
  switch (page) {
    case 'overview':
      return <OverviewPage />;
    case 'queues':
      return <QueuesPage />;
    case 'applications':
      return rest.length > 0 ? <ApplicationPage key={rest[0]} id={rest[0]!} /> : <ApplicationsPage />;
    case 'nodes':
      return <NodesPage />;
    case 'users':
      return <UsersPage />;
    case 'preemptions':
      return <PreemptionsPage />;
    case 'events':
      return <EventsPage />;
    case 'whatif':
      return <WhatIfPage />;
    case 'configuration':
      return <ConfigurationPage />;
    default:
      return (
        <>
          <PageHead title="There is no such page" />
          <Empty title="The address does not name a page">
            <a href={href('overview')}>Overview</a>
          </Empty>
        </>
      );
  }
}

function Navigation(): JSX.Element {
  const here = route.value.page;
  const groups = [...new Set(pages.map((page) => page.group))];
  return (
    <nav class="nav" aria-label="Pages">
      <a class="brand" href={href('overview')} aria-label="YuniKorn: overview">
        <svg viewBox="0 0 32 32" class="brand-mark" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M8 22V10M13 22v-7M18 22V8M23 22v-9" />
        </svg>
        <span class="brand-name">YuniKorn</span>
      </a>
      <div class="nav-groups">
        {groups.map((group) => (
          <div class="nav-group" key={group}>
            <span class="nav-group-name">{group}</span>
            <ul>
              {pages
                .filter((page) => page.group === group)
                .map((page) => (
                  <li key={page.key}>
                    <a href={href(page.key)} aria-current={page.key === here ? 'page' : undefined} title={page.title}>
                      <Icon name={page.key} />
                      <span>{page.title}</span>
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

function Connection(): JSX.Element {
  void tick.value;
  const last = lastUpdate();
  const age = last === 0 ? NaN : performance.now() - last;
  const status = lastStatus.value;
  const isStale = !(age < 20_000);
  const tone = status === 401 || status === 403 ? 'warn' : isStale ? 'bad' : 'good';
  const text =
    status === 401 ? 'a token is needed' : status === 403 ? 'access is limited' : last === 0 ? 'connecting' : isStale ? `no answer for ${duration(age)}` : 'live';
  return (
    <span class={`connection ${tone}`} role="status">
      <span class="connection-dot" aria-hidden="true" />
      {text}
    </span>
  );
}

const themes: readonly { value: Theme; icon: string; title: string; next: Theme }[] = [
  { value: 'auto', icon: 'auto', title: 'Colours of the system', next: 'light' },
  { value: 'light', icon: 'sun', title: 'Light', next: 'dark' },
  { value: 'dark', icon: 'moon', title: 'Dark', next: 'auto' },
];

function ThemeSwitch(): JSX.Element {
  const now = themes.find((choice) => choice.value === theme.value) ?? themes[0]!;
  return (
    <button type="button" class="button icon-only quiet" aria-label={`Colours: ${now.title}. Change`} title={`Colours: ${now.title}`} onClick={() => (theme.value = now.next)}>
      <Icon name={now.icon} />
    </button>
  );
}

function PartitionSelect(): JSX.Element | null {
  const partitions = useFeed<Partition[]>('ws/v1/partitions', 10_000).data.value;
  if (partitions === undefined || partitions.length < 2) return null;
  return (
    <Select
      label="Partition"
      value={partition()}
      options={partitions.map((p) => [p.name, p.name] as const)}
      onChange={(value) => setQuery({ partition: value === 'default' ? undefined : value })}
    />
  );
}

export function Shell(): JSX.Element {
  const title = pages.find((page) => page.key === route.value.page)?.title ?? 'YuniKorn';
  useEffect(() => {
    document.title = `${route.value.rest[0] ?? title} · YuniKorn`;
  }, [title, route.value.rest[0]]);
  // A link that was followed is gone with its page: the keyboard goes on at the new content, not at the start of the document.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [route.value.page, route.value.rest[0]]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}>
        To the content
      </a>
      <div class={`shell ${sim.value === undefined ? '' : 'simulated'}`}>
        <Navigation />
        <div class="right">
          <header class="top">
            <Connection />
            {isModeKnown.value && sim.value === undefined && token.value === '' && <span class="muted small">read-only</span>}
            <span class="grow" />
            <PartitionSelect />
            <button type="button" class="button quiet" onClick={openToken} aria-label={token.value === '' ? 'Use a token' : 'Change or forget the token'}>
              <Icon name="key" />
              <span class="wide-only">{token.value === '' ? 'Token' : 'Token in use'}</span>
            </button>
            <ThemeSwitch />
          </header>
          {sim.value !== undefined && <SimBar state={sim.value} />}
          <main id="main" tabIndex={-1} class={`page page-${route.value.page}`}>
            {isModeKnown.value ? content() : <Skeleton lines={8} />}
          </main>
        </div>
      </div>
      <TokenDialog />
    </>
  );
}
