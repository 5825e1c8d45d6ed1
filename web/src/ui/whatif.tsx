// SPDX-License-Identifier: Apache-2.0
// The answer to a question about what would happen.
import type { ComponentChildren, JSX } from 'preact';
import { href } from '../data/route';
import { changesOf, omitted, others, startTime, type Impact, type OtherPod, type TriedPod, type WhatIf } from '../model/whatif';
import { plural, resources, words } from '../model/units';
import { Badge, Leads, Plain, type Tone } from './parts';

function toneOf(verdict: string): Tone {
  if (verdict === 'starts' || verdict === 'accepted') return 'good';
  return verdict === 'rejected' ? 'bad' : 'warn';
}

function NodeLink(props: { node: string }): JSX.Element {
  return <a href={href('nodes', [], { node: props.node })}>{props.node}</a>;
}

function QueueLink(props: { queue: string }): JSX.Element {
  return <a href={href('queues', [], { queue: props.queue })}>{props.queue}</a>;
}

function Other(props: { pod: OtherPod; when?: boolean }): JSX.Element {
  const { pod } = props;
  return (
    <span class="list-main">
      <a href={href('applications', [pod.applicationID])}>
        {pod.namespace}/{pod.podName}
      </a>{' '}
      <span class="muted">
        of {pod.queueName}
        {pod.nodeID !== '' && (
          <>
            {' '}
            on <NodeLink node={pod.nodeID} />
          </>
        )}
        {props.when === true && <Plain kind="place">, {startTime(pod.afterMillis)}</Plain>}
      </span>
    </span>
  );
}

const shownMax = 50;

function Section<T>(props: { title: string; items: readonly T[] | undefined; more?: number; children: (item: T) => ComponentChildren }): JSX.Element | null {
  const items = props.items ?? [];
  if (items.length === 0) return null;
  const rest = Math.max(items.length - shownMax, 0) + (props.more ?? 0);
  return (
    <section class="outcome">
      <h3>{props.title}</h3>
      <ul class="list">
        {items.slice(0, shownMax).map((item, i) => (
          <li key={i}>{props.children(item)}</li>
        ))}
        {rest > 0 && <li class="muted" data-number="past">{others(rest)}</li>}
      </ul>
    </section>
  );
}

function Tried(props: { pod: TriedPod }): JSX.Element {
  const { pod } = props;
  return (
    <span class="list-main">
      <Badge tone={toneOf(pod.verdict)}>{pod.verdict}</Badge>{' '}
      <strong>
        {pod.namespace}/{pod.name}
      </strong>{' '}
      {pod.nodeID !== '' ? (
        <span>
          <Plain kind="place">{startTime(pod.afterMillis)}</Plain> on <NodeLink node={pod.nodeID} />
        </span>
      ) : (
        <span>
          {pod.reason !== '' && <span class="tag">{words(pod.reason)}</span>} <Plain kind="said">{pod.message.replace(/^(waits|is rejected): /, '')}</Plain>
        </span>
      )}
      {pod.victims.length > 0 && (
        <span class="victims">
          {pod.victims.map((victim, i) => (
            <span key={i}>
              preempts <Other pod={victim} />
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

function ImpactView(props: { impact: Impact }): JSX.Element {
  const { impact } = props;
  return (
    <>
      <Section title="Queues that change" items={impact.queuesChanged} more={omitted(impact, 'queuesChanged')}>
        {(queue) => (
          <span class="list-main">
            <QueueLink queue={queue.queueName} />
            {changesOf(queue).map(([name, before, after]) => (
              <span key={name} class="change" data-number="limit">
                {name}: <span class="muted">{before}</span> → {after}
              </span>
            ))}
          </span>
        )}
      </Section>
      <Section title="New queues" items={impact.queuesAdded} more={omitted(impact, 'queuesAdded')}>
        {(queue) => queue}
      </Section>
      <Section title="Queues that go" items={impact.queuesRemoved} more={omitted(impact, 'queuesRemoved')}>
        {(queue) => <QueueLink queue={queue} />}
      </Section>
      <Section title="Queues that drain" items={impact.draining} more={omitted(impact, 'draining')}>
        {(queue) => (
          <span class="list-main">
            <QueueLink queue={queue.queueName} /> <Leads to={href('applications', [], { queue: queue.queueName })}>{plural(queue.applications, 'application')} left</Leads>
          </span>
        )}
      </Section>
      <Section title="Above the new maximum" items={impact.above} more={omitted(impact, 'above')}>
        {(entry) => (
          <span class="list-main">
            {entry.kind}{' '}
            {entry.kind === 'queue' ? (
              <QueueLink queue={entry.queueName} />
            ) : (
              <>
                {entry.name} in <QueueLink queue={entry.queueName} />
              </>
            )}
            : uses{' '}
            <Leads to={entry.kind === 'group' ? href('users', [], { group: entry.name, in: entry.queueName }) : href('applications', [], { queue: entry.queueName, find: entry.kind === 'user' ? `user:${entry.name}` : undefined })}>
              {resources(entry.used, true) || 'nothing'}
            </Leads>{' '}
            of <Plain kind="limit">{resources(entry.max, true) || 'nothing'}</Plain>
          </span>
        )}
      </Section>
      <Section title="Applications that would be placed elsewhere if they were submitted again" items={impact.placements} more={omitted(impact, 'placements')}>
        {(app) => (
          <span class="list-main">
            <a href={href('applications', [app.applicationID])}>{app.applicationID}</a> of {app.queueName}: <Plain kind="said">{app.newQueueName !== '' ? app.newQueueName : app.message}</Plain>
          </span>
        )}
      </Section>
      <Section title="Waiting pods that would start" items={impact.started} more={omitted(impact, 'started')}>
        {(pod) => <Other pod={pod} when />}
      </Section>
      <Section title="Pods that would be preempted" items={impact.preempted} more={omitted(impact, 'preempted')}>
        {(pod) => <Other pod={pod} when />}
      </Section>
      <Section title="Pods that would end with their node" items={impact.ended} more={omitted(impact, 'ended')}>
        {(pod) => <Other pod={pod} />}
      </Section>
      <Section title="Pods that run on, but would not fit into the smaller node" items={impact.notFitting} more={omitted(impact, 'notFitting')}>
        {(pod) => <Other pod={pod} />}
      </Section>
    </>
  );
}

export function WhatIfView(props: { answer: WhatIf }): JSX.Element {
  const { answer } = props;
  return (
    <>
      <p class="verdict">
        <Badge tone={toneOf(answer.verdict)}>{answer.verdict}</Badge> <Plain kind="said">{answer.message}</Plain>
      </p>
      {answer.cutShort === true && <p class="verdict muted">The trial used up its time, so later events are not in it.</p>}
      <Section title={(answer.pods?.length ?? 0) === 1 ? 'The pod' : 'The pods'} items={answer.pods}>
        {(pod) => <Tried pod={pod} />}
      </Section>
      <Section title="Placeholders of the gang" items={answer.placeholders}>
        {(pod) => <Tried pod={pod} />}
      </Section>
      {answer.impact !== undefined && <ImpactView impact={answer.impact} />}
    </>
  );
}
