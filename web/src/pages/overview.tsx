// SPDX-License-Identifier: Apache-2.0
// Overview: is there capacity, does anything wait and why, is the scheduler well?
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { partitionPath } from '../data/api';
import { useFeed, type Feed } from '../data/feed';
import { addSample, history } from '../data/history';
import { href, partition } from '../data/route';
import { histogramOf, parseMetrics, quantile } from '../model/metrics';
import type { Health, Partition, Pending, Preemption, Queue } from '../model/types';
import { amount, compareResources, count, duration, percent, plainText, plural, resourceName, words } from '../model/units';
import { countWaiting } from '../model/waiting';
import { CapacityBar } from '../ui/bars';
import { sim } from '../sim/state';
import { TimeChart, type Line } from '../ui/chart';
import { Ago, Badge, Choice, Empty, Failure, Figure, Leads, Legend, Loaded, PageHead, Panel, Plain } from '../ui/parts';

/** Resources worth a bar: what nodes have or pods wait for, without those that are never used. */
function shownResources(part: Partition, root: Queue | undefined): string[] {
  const capacity = part.capacity.capacity ?? {};
  const names = new Set([...Object.keys(capacity), ...Object.keys(root?.pendingResource ?? {})]);
  const isShown = (name: string): boolean =>
    ['vcore', 'memory', 'pods'].includes(name) || (part.capacity.usedCapacity?.[name] ?? 0) > 0 || (root?.pendingResource?.[name] ?? 0) > 0 || /gpu/.test(name);
  return [...names].filter(isShown).sort(compareResources);
}

/** `waitingPods`: as the rest of the page counts them; the amounts of `root` are of another answer. */
function Capacity(props: { part: Partition; root: Queue | undefined; waitingPods: number | undefined }): JSX.Element {
  const { part, root, waitingPods } = props;
  const names = shownResources(part, root);
  if (names.length === 0) return <Empty title="There are no nodes yet" />;
  return (
    <ul class="capacity">
      {names.map((name) => {
        const capacity = part.capacity.capacity?.[name] ?? 0;
        const used = part.capacity.usedCapacity?.[name] ?? 0;
        const pending = (name === 'pods' ? waitingPods : undefined) ?? root?.pendingResource?.[name] ?? 0;
        return (
          <li key={name}>
            <a class="capacity-name" href={href('queues', [], { resource: name })}>
              {resourceName(name)}
            </a>
            <CapacityBar resource={name} used={used} capacity={capacity} pending={pending} />
            <span class="capacity-text">
              <strong>{percent(capacity > 0 ? used / capacity : NaN)}</strong>
              <span>
                <Leads to={href('queues', [], { resource: name })}>{amount(name, used)}</Leads> of <Leads to={href('nodes', [], { resource: name })}>{amount(name, capacity)}</Leads>
              </span>
              {pending > 0 && (
                <a class="waiting-text" href={href('applications', [], { view: 'waiting' })}>
                  {amount(name, pending)} waiting
                </a>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const endedStates = ['completed', 'failed', 'expired', 'rejected'];

/** The list that has the applications of a state. */
function listOf(state: string): string {
  const view: Record<string, string> = { rejected: 'rejected', completed: 'completed', failed: 'completed', expired: 'completed' };
  return href('applications', [], view[state] === undefined ? { status: state } : { view: view[state] });
}

/** `10 accepted, 17 running`, each of which leads to its list. */
function States(props: { states: [string, number][] }): JSX.Element {
  if (props.states.length === 0) return <>none</>;
  return (
    <>
      {props.states.map(([state, n], i) => (
        <span key={state}>
          {i > 0 && ', '}
          <a href={listOf(state.toLowerCase())}>
            {count(n)} {state.toLowerCase()}
          </a>
        </span>
      ))}
    </>
  );
}

function PendingPanel(props: { feed: Feed<Pending> }): JSX.Element {
  const { feed } = props;
  return (
    <Panel title="Waiting pods by reason" class="first" aside={feed.data.value !== undefined && <Leads to={href('applications', [], { view: 'waiting' })}>{plural(countWaiting(feed.data.value).pods, 'pod')}</Leads>}>
      <Loaded feed={feed} what="Reasons of waiting pods">
        {(data) => {
          const { reasons, members } = countWaiting(data);
          if (reasons.length === 0 && members === 0) return <Empty title="Nothing waits" />;
          const most = reasons[0]?.[1] ?? 0;
          return (
            <>
              <ul class="reasons">
                {reasons.map(([reason, pods]) => (
                  <li key={reason}>
                    <a href={href('applications', [], { view: 'waiting', reason })}>
                      <span class="reason-name">{words(reason)}</span>
                      <span class="reason-bar" aria-hidden="true">
                        <span style={{ width: `${(100 * pods) / most}%` }} />
                      </span>
                      <span class="reason-count">{count(pods)}</span>
                    </a>
                  </li>
                ))}
              </ul>
              {members > 0 && (
                <p class="panel-text">
                  <a href={href('applications', [], { view: 'waiting', reason: 'GangWaiting' })}>{plural(members, 'member')} of gangs</a> {members === 1 ? 'is' : 'are'} not counted: placeholders are, in their place.
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const waitMetrics = ['yunikorn_scheduler_pod_scheduling_duration_seconds', 'yunikorn_queue_wait_seconds'];

function Waits(): JSX.Element | null {
  const feed = useFeed<string>('ws/v1/metrics', 10_000);
  const text = feed.data.value;
  const found = useMemo(() => {
    if (text === undefined) return undefined;
    const samples = parseMetrics(text, 'yunikorn_');
    for (const name of waitMetrics) {
      const histogram = histogramOf(samples, name);
      if (histogram !== undefined && histogram.count > 0) return histogram;
    }
    return undefined;
  }, [text]);
  if (found === undefined) return null;
  return (
    <Panel title="Pod created to pod bound" aside={<Plain kind="past">{plural(found.count, 'pod')} since the start</Plain>}>
      <div class="figures">
        {[0.5, 0.9, 0.99].map((q) => (
          <Figure key={q} label={`p${q * 100}`} value={duration(quantile(found, q) * 1000)} number="place" />
        ))}
        <Figure label="mean" value={duration((found.sum / found.count) * 1000)} number="place" />
      </div>
    </Panel>
  );
}

function Preemptions(): JSX.Element {
  const feed = useFeed<{ total: number; preemptions: Preemption[] }>(partitionPath(partition(), 'preemptions?limit=6'), 5000);
  return (
    <Panel title="Recent preemptions" aside={<a href={href('preemptions')}>All</a>}>
      <Loaded feed={feed} what="The list of preemptions">
        {(data) =>
          data.preemptions.length === 0 ? (
            <Empty title="No pod was preempted" />
          ) : (
            <ul class="list">
              {data.preemptions.map((p, i) => (
                <li key={i}>
                  <span class="list-main">
                    <a href={href('applications', [p.victim.applicationID ?? ''])}>{p.victim.podName ?? p.victim.allocationKey}</a>
                    <span class="muted"> of {p.victim.queueName}</span>
                    {p.for?.podName !== undefined && (
                      <span class="muted">
                        {' '}
                        for{' '}
                        {p.for.applicationID === undefined ? p.for.podName : <a href={href('applications', [p.for.applicationID])}>{p.for.podName}</a>} of {p.for.queueName}
                      </span>
                    )}
                  </span>
                  <span class="muted nowrap">
                    <Ago ns={p.time} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function HealthPanel(): JSX.Element {
  const feed = useFeed<Health>('ws/v1/scheduler/healthcheck', 10_000);
  const health = feed.data.value;
  const [open, setOpen] = useState(false);
  const failed = health?.HealthChecks.filter((check) => !check.Succeeded) ?? [];
  return (
    <Panel title="Health" aside={health !== undefined && <Plain kind="listed"><Badge tone={health.Healthy ? 'good' : 'bad'}>{health.Healthy ? 'healthy' : plural(failed.length, 'failed check')}</Badge></Plain>}>
      <Loaded feed={feed} what="The health check" lines={2}>
        {(data) => {
          const shown = open ? data.HealthChecks : failed;
          return (
            <>
              {shown.length === 0 ? <p class="panel-text">All checks of the scheduler's own state succeed.</p> : <ul class="list">
                {shown.map((check, i) => (
                  <li key={i} class="health-row">
                    <Badge tone={check.Succeeded ? 'good' : 'bad'}>{check.Name}</Badge>
                    <span class="muted" data-number="said">
                      {plainText(check.DiagnosisMessage)}
                    </span>
                  </li>
                ))}
              </ul>}
              <button type="button" class="button quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'Show less' : `Show all ${data.HealthChecks.length} checks`}
              </button>
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function OverTime(props: { resources: string[] }): JSX.Element {
  const [resource, setResource] = useState('vcore');
  const samples = history.value;
  const name = props.resources.includes(resource) ? resource : (props.resources[0] ?? 'vcore');
  const { times, lines } = useMemo(() => {
    const scale = name === 'vcore' ? 1000 : 1;
    const made: Line[] = [
      { label: 'in use', colour: '--used', fill: true, values: samples.map((s) => (s.used[name] ?? 0) / scale) },
      { label: 'waiting', colour: '--pending', dash: [2, 3], values: samples.map((s) => (s.pending[name] ?? 0) / scale) },
      { label: 'capacity', colour: '--muted', dash: [6, 4], values: samples.map((s) => (s.capacity[name] ?? 0) / scale) },
    ];
    return { times: samples.map((s) => s.atS), lines: made };
  }, [samples, name]);
  return (
    <Panel
      title="While this page is open"
      aside={<Choice label="Resource" value={name} options={props.resources.filter((r) => r !== 'pods').slice(0, 4).map((r) => [r, resourceName(r)] as const)} onChange={setResource} />}
    >
      {samples.length < 2 ? (
        <div class="chart-wait muted">{sim.value?.paused === true ? 'The lines begin when the simulation goes on.' : 'The lines begin in some seconds.'}</div>
      ) : (
        <TimeChart label={`${resourceName(name)} over time`} times={times} lines={lines} format={(value) => amount(name, name === 'vcore' ? value * 1000 : value)} />
      )}
    </Panel>
  );
}

export function OverviewPage(): JSX.Element {
  const name = partition();
  const partitions = useFeed<Partition[]>('ws/v1/partitions', 2000);
  const tree = useFeed<Queue>(partitionPath(name, 'queue/root'), 2000);
  const waiting = useFeed<Pending>(partitionPath(name, 'queue/root/pending?limit=1'), 2000);
  const part = partitions.data.value?.find((p) => p.name === name);
  const root = tree.data.value;
  // The tile and the reasons beside it are of one answer.
  const waits = waiting.data.value === undefined ? undefined : countWaiting(waiting.data.value);
  const mostReason = waits?.reasons[0]?.[0];
  const answered = Math.max(partitions.updated.value, tree.updated.value);
  useEffect(() => {
    if (part === undefined || root === undefined) return;
    addSample(name, { used: part.capacity.usedCapacity ?? {}, capacity: part.capacity.capacity ?? {}, pending: root.pendingResource ?? {}, containers: part.totalContainers ?? 0 });
  }, [part, root, name, answered]); // what has not changed is a sample, too
  if (part === undefined && partitions.error.value !== undefined)
    return (
      <>
        <PageHead title="Overview" />
        <Panel>
          <Failure error={partitions.error.value} />
        </Panel>
      </>
    );
  const applications = part?.applications ?? {};
  const states = Object.entries(applications).filter(([state, n]) => state !== 'total' && n > 0);
  const live = states.reduce((sum, [state, n]) => (endedStates.includes(state.toLowerCase()) ? sum : sum + n), 0);
  return (
    <>
      <PageHead title="Overview" />
      <div class="figures top-figures">
        <Figure label="Applications" value={part === undefined ? '–' : count(live)} note={<States states={states} />} href={href('applications')} />
        <Figure label="Running pods" value={part === undefined ? '–' : count(part.totalContainers ?? 0)} href={href('nodes')} note={part === undefined ? '' : <>on <a href={href('nodes')}>{plural(part.totalNodes, 'node')}</a></>} />
        <Figure
          label="Waiting pods"
          value={waits === undefined ? '–' : count(waits.pods)}
          note={mostReason === undefined ? '' : <>most: <a href={href('applications', [], { view: 'waiting', reason: mostReason })}>{words(mostReason)}</a></>}
          href={href('applications', [], { view: 'waiting' })}
        />
        <Figure label="Nodes" value={part === undefined ? '–' : count(part.totalNodes)} note={part?.nodeSortingPolicy === undefined ? '' : `sorted by policy ${part.nodeSortingPolicy.type}`} href={href('nodes')} />
      </div>
      <div class="columns overview">
        <div class="stack wide">
          <Panel title="Capacity" class="first" aside={<Legend keys={[['used', 'in use'], ['pending', 'waiting']]} />}>
            <Loaded feed={partitions}>{() => (part === undefined ? <Empty title={`There is no partition ${name}`} /> : <Capacity part={part} root={root} waitingPods={waits?.pods} />)}</Loaded>
          </Panel>
          <OverTime resources={part === undefined ? [] : shownResources(part, root)} />
          <Preemptions />
        </div>
        <div class="stack">
          <PendingPanel feed={waiting} />
          <HealthPanel />
          <Waits />
        </div>
      </div>
    </>
  );
}
