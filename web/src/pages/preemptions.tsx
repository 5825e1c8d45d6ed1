// SPDX-License-Identifier: Apache-2.0
// Preemptions: which pod was ended, for which other one, and why that was right.
import type { JSX } from 'preact';
import { partitionPath } from '../data/api';
import { href, partition } from '../data/route';
import { useWindow } from '../data/window';
import type { Preemption, PreemptionSide } from '../model/types';
import { count, resources } from '../model/units';
import { whyPreempted } from '../model/whatif';
import { Ago, Badge, Empty, Failure, PageHead, Panel } from '../ui/parts';
import { VirtualTable, type Column } from '../ui/table';

function Side(props: { side: PreemptionSide | undefined }): JSX.Element {
  const { side } = props;
  if (side === undefined) return <span class="muted">–</span>;
  const name = side.podName ?? side.allocationKey ?? '–';
  return (
    <span class="two-lines" title={`${side.namespace ?? ''}/${name}, ${resources(side.resource)}, user ${side.user ?? 'unknown'}`}>
      {side.applicationID === undefined ? <span>{name}</span> : <a href={href('applications', [side.applicationID])}>{name}</a>}
      <span class="muted" data-number="one">
        {[resources(side.resource), side.user === undefined ? '' : `of ${side.user}`, side.queueName === undefined ? '' : `in ${side.queueName}`].filter((text) => text !== '').join(' ')}
      </span>
    </span>
  );
}

const kinds: Record<string, string> = { guarantee: 'for a guarantee', quota: 'lowered maximum', daemonset: 'for a DaemonSet', gang: 'for a gang' };

const columns: readonly Column<Preemption>[] = [
  { key: 'time', title: 'When', width: 'minmax(80px, 92px)', cell: (p) => <Ago ns={p.time} /> },
  { key: 'kind', title: 'Kind', width: '150px', from: 780, cell: (p) => <Badge tone={p.kind === 'quota' ? 'warn' : 'info'}>{kinds[p.kind] ?? p.kind}</Badge> },
  { key: 'victim', title: 'Ended pod', width: 'minmax(104px, 2.8fr)', cell: (p) => <Side side={p.victim} /> },
  { key: 'for', title: 'For', width: 'minmax(104px, 2.8fr)', cell: (p) => <Side side={p.for} /> },
  { key: 'node', title: 'Node', width: 'minmax(90px, 0.8fr)', from: 620, cell: (p) => (p.nodeID === undefined ? '–' : <a href={href('nodes', [], { node: p.nodeID })}>{p.nodeID}</a>) },
  { key: 'why', title: 'Why', width: 'minmax(140px, 1.2fr)', from: 900, number: 'said', cell: (p) => <span class="wrap-2" title={p.message}>{whyPreempted(p.message ?? '')}</span> },
];

function pick(body: unknown): { items: Preemption[]; total: number | undefined } {
  const list = body as { total: number; preemptions: Preemption[] };
  return { items: list.preemptions, total: list.total };
}

export function PreemptionsPage(): JSX.Element {
  const list = useWindow<Preemption>(partitionPath(partition(), 'preemptions'), pick, 5000);
  return (
    <>
      <PageHead title="Preemptions" lead="Pods that the scheduler ended for others, or because a maximum was lowered." />
      <Panel class="fill-panel">
        {list.error !== undefined && list.count === 0 ? (
          <Failure error={list.error} what="The list of preemptions" />
        ) : !list.isLoading && list.count === 0 ? (
          <Empty title="No pod was preempted">None was needed so far.</Empty>
        ) : (
          <>
            <p class="count-line" data-number="listed">{count(list.count)}, the latest first</p>
            <VirtualTable label="Preemptions" columns={columns} count={list.count} row={list.row} rowKey={(p) => `${p.time} ${p.victim.allocationKey ?? ''}`} rowHeight={46} onRange={list.onRange} />
          </>
        )}
      </Panel>
    </>
  );
}
