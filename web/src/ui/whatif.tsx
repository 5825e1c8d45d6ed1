// SPDX-License-Identifier: Apache-2.0
// The answer to a question about what would happen.
import type { ComponentChildren, JSX } from 'preact';
import { href } from '../data/route';
import { changesOf, omitted, others, startTime, type Impact, type OtherPod, type TriedPod, type WhatIf } from '../model/whatif';
import { plural, resources, words } from '../model/units';
import { Badge, type Tone } from './parts';

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
        {props.when === true && `, ${startTime(pod.afterMillis)}`}
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
        {rest > 0 && <li class="muted">{others(rest)}</li>}
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
          {startTime(pod.afterMillis)} on <NodeLink node={pod.nodeID} />
        </span>
      ) : (
        <span>
          {pod.reason !== '' && <span class="tag">{words(pod.reason)}</span>} {pod.message.replace(/^(waits|is rejected): /, '')}
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
              <span key={name} class="change">
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
            <QueueLink queue={queue.queueName} /> <span class="muted">{plural(queue.applications, 'application')} left</span>
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
            : uses {resources(entry.used, true) || 'nothing'} of {resources(entry.max, true) || 'nothing'}
          </span>
        )}
      </Section>
      <Section title="Applications that would be placed elsewhere if they were submitted again" items={impact.placements} more={omitted(impact, 'placements')}>
        {(app) => (
          <span class="list-main">
            <a href={href('applications', [app.applicationID])}>{app.applicationID}</a> of {app.queueName}: {app.newQueueName !== '' ? app.newQueueName : app.message}
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
    </>
  );
}

export function WhatIfView(props: { answer: WhatIf }): JSX.Element {
  const { answer } = props;
  return (
    <>
      <p class="verdict">
        <Badge tone={toneOf(answer.verdict)}>{answer.verdict}</Badge> <span>{answer.message}</span>
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
