// SPDX-License-Identifier: Apache-2.0
// Nodes: how full they are, in pieces of which size capacity is free, what is kept for whom.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { enc, partitionPath } from '../data/api';
import { useFeed } from '../data/feed';
import { useWhole } from '../data/whole';
import { href, partition, route, setQuery } from '../data/route';
import { fitAll, fragmented, free, largestFree, leftOn, orderNodes, resourcesOf, shapesFor, takes, usedPart, type NodeOrder } from '../model/nodes';
import type { Allocation, Node } from '../model/types';
import { amount, amountWithName, compareResources, count, percent, plural, resourceName, resources } from '../model/units';
import { PartBar } from '../ui/bars';
import { HeatMap } from '../ui/heatmap';
import { Ago, Badge, Choice, Drawer, Empty, Facts, Figure, Leads, Loaded, PageHead, Panel, Plain, Search, Select, useWanted } from '../ui/parts';
import { VirtualTable, type Column } from '../ui/table';

const orders: readonly (readonly [NodeOrder, string])[] = [
  ['name', 'by name'],
  ['used', 'fullest first'],
  ['free', 'emptiest first'],
];

function Fragmentation(props: { nodes: readonly Node[] }): JSX.Element {
  const { nodes } = props;
  const { left, fits, cores, memory } = useMemo(() => {
    const left = leftOn(nodes);
    return { left, fits: shapesFor(nodes).map((shape) => fitAll(left, shape)), cores: largestFree(nodes, 'vcore'), memory: largestFree(nodes, 'memory') };
  }, [nodes]);
  const largest = [...fits].reverse().find((fit) => fit.pods > 0);
  const most = Math.max(1, ...fits.map((fit) => fit.pods));
  return (
    <Panel title="What fits now">
      <div class="figures">
        <Figure number="past" label="Largest pod" value={largest === undefined ? 'none' : amountWithName('vcore', largest.shape['vcore']!)} note={largest === undefined ? 'no core is free' : `and ${amount('memory', largest.shape['memory']!)}`} />
        <Figure number="limit" label="Most cores free" value={cores === undefined ? '–' : amount('vcore', cores.value)} {...(cores === undefined ? {} : { note: `on ${cores.node.nodeID}`, href: href('nodes', [], { ...route.value.query, node: cores.node.nodeID }) })} />
        <Figure number="limit" label="Most memory free" value={memory === undefined ? '–' : amount('memory', memory.value)} {...(memory === undefined ? {} : { note: `on ${memory.node.nodeID}`, href: href('nodes', [], { ...route.value.query, node: memory.node.nodeID }) })} />
      </div>
      <table class="plain fits">
        <thead>
          <tr>
            <th scope="col">Pod of</th>
            <th scope="col" class="num">Fit now</th>
            <th scope="col">
              <span class="sr-only">As a bar</span>
            </th>
            <th scope="col" class="num">Nodes</th>
            <th scope="col" class="num" title="The part of the free cores that is in pieces too small for it">
              Too small
            </th>
          </tr>
        </thead>
        <tbody>
          {fits.map((fit) => (
            <tr key={fit.shape['vcore']}>
              <th scope="row" data-number="one">
                {resources(fit.shape)}
              </th>
              <td class="num" data-number="past">
                {count(fit.pods)}
              </td>
              <td class="fit-bar">
                <span class="reason-bar" aria-hidden="true">
                  <span style={{ width: `${(100 * fit.pods) / most}%` }} />
                </span>
              </td>
              <td class="num">
                <Leads to={href('nodes', [], { ...route.value.query, find: undefined, only: undefined, fits: String(fit.shape['vcore']! / 1000), at: 'list' })}>{count(fit.nodes)}</Leads>
              </td>
              <td class="num">{percent(fragmented(left.cores, fit.shape['vcore']!))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="panel-text muted">By free cores and memory of nodes that take pods. Selectors, taints and the limits of queues are not counted.</p>
    </Panel>
  );
}

const columns = (resource: string | undefined): readonly Column<Node>[] => [
  {
    key: 'name',
    title: 'Node',
    width: 'minmax(100px, 2fr)',
    cell: (node) => (
      <a class="strong" href={href('nodes', [], { ...route.value.query, node: node.nodeID, at: undefined })}>
        {node.nodeID}
      </a>
    ),
  },
  {
    key: 'used',
    title: resource === undefined ? 'Used most' : resourceName(resource),
    width: 'minmax(100px, 1.2fr)',
    cell: (node) => (
      <span class="with-minibar">
        <PartBar part={usedPart(node, resource)} label={node.nodeID} /> {percent(usedPart(node, resource))}
      </span>
    ),
  },
  { key: 'cores', title: 'Free cores', width: '110px', from: 500, numeric: true, number: 'limit', cell: (node) => <span>{amount('vcore', free(node, 'vcore'))} <span class="muted">of {amount('vcore', node.capacity?.['vcore'] ?? 0)}</span></span> },
  { key: 'memory', title: 'Free memory', width: '150px', from: 640, numeric: true, number: 'limit', cell: (node) => <span>{amount('memory', free(node, 'memory'))} <span class="muted">of {amount('memory', node.capacity?.['memory'] ?? 0)}</span></span> },
  {
    key: 'more',
    title: 'Other resources free',
    width: 'minmax(90px, 1.2fr)',
    from: 900,
    number: 'limit',
    cell: (node) => {
      const other = Object.keys(node.capacity ?? {}).filter((name) => !['vcore', 'memory', 'pods'].includes(name) && !/^(hugepages-|ephemeral-storage)/.test(name));
      return other.map((name) => `${amount(name, free(node, name))} of ${amount(name, node.capacity![name]!)} ${resourceName(name)}`).join(', ') || <span class="muted">–</span>;
    },
  },
  {
    key: 'state',
    title: 'State',
    width: 'minmax(88px, 190px)',
    cell: (node) => (
      <span class="chips">
        <Badge tone={node.schedulable ? 'good' : 'warn'}>{node.schedulable ? 'takes pods' : 'cordoned'}</Badge>
        {node.isReserved && <Badge tone="info">reserved</Badge>}
      </span>
    ),
  },
];

const podsShown = 300;

/** `at`: the word of links that lead here. */
function PodList(props: { title: string; at?: string; pods: readonly Allocation[] }): JSX.Element {
  const { pods } = props;
  const head = useWanted<HTMLHeadingElement>(props.at);
  return (
    <>
      <h3 ref={head} tabIndex={-1} data-number="listed">
        {props.title}: {count(pods.length)}
      </h3>
      <ul class="list">
        {pods.slice(0, podsShown).map((pod) => {
          const name = pod.allocationTags?.['kubernetes.io/meta/podName'] ?? pod.allocationKey;
          return (
            <li key={pod.allocationKey}>
              <span class="list-main">{pod.applicationId === undefined || pod.applicationId === '' ? name : <a href={href('applications', [pod.applicationId])}>{name}</a>}</span>
              <span class="muted nowrap" data-number="one">
                {resources(pod.resource)} · <Ago ns={pod.bindTime ?? pod.allocationTime} plain />
              </span>
            </li>
          );
        })}
        {pods.length > podsShown && (
          <li class="muted" data-number="listed">
            and {count(pods.length - podsShown)} more
          </li>
        )}
      </ul>
    </>
  );
}

function NodeDrawer(props: { id: string }): JSX.Element {
  const feed = useFeed<Node>(partitionPath(partition(), `node/${enc(props.id)}`), 3000);
  return (
    <Drawer kind="Node" title={props.id} onClose={() => setQuery({ node: undefined })}>
      <Loaded feed={feed}>
        {(node) => {
          const names = Object.keys(node.capacity ?? {}).sort(compareResources);
          return (
            <>
              <p class="chips">
                <Badge tone={node.schedulable ? 'good' : 'warn'}>{node.schedulable ? 'takes pods' : 'cordoned'}</Badge>
                {node.isReserved && <Badge tone="info">reserved</Badge>}
              </p>
              <div class="scroll-x" tabIndex={0} role="region" aria-label="Resources">
                <table class="plain">
                  <thead>
                    <tr>
                      <th scope="col">Resource</th>
                      <th scope="col" class="num">Capacity</th>
                      <th scope="col" class="num">In use</th>
                      <th scope="col" class="num">Others</th>
                      <th scope="col" class="num">Free</th>
                    </tr>
                  </thead>
                  <tbody>
                    {names.map((name) => (
                      <tr key={name}>
                        <th scope="row">{resourceName(name)}</th>
                        <td class="num" data-number="limit">
                          {amount(name, node.capacity![name]!)}
                        </td>
                        <td class="num">
                          <Leads to={href('applications', [], { find: `node:${node.nodeID}` })}>{amount(name, node.allocated?.[name] ?? 0)}</Leads>
                        </td>
                        <td class="num">
                          <Leads to={href('nodes', [], { ...route.value.query, at: 'others' })}>{amount(name, node.occupied?.[name] ?? 0)}</Leads>
                        </td>
                        <td class="num" data-number="limit">
                          {amount(name, node.available?.[name] ?? 0)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {(node.reservations?.length ?? 0) > 0 && (
                <>
                  <h3>Kept for</h3>
                  <ul class="list">
                    {node.reservations!.map((key) => (
                      <li key={key}>{key}</li>
                    ))}
                  </ul>
                </>
              )}
              <PodList title="Pods" pods={node.allocations ?? []} />
              <PodList title="Pods of other schedulers" at="others" pods={node.foreignAllocations ?? []} />
              {Object.keys(node.attributes ?? {}).length > 0 && (
                <>
                  <h3>Attributes</h3>
                  <Facts rows={Object.entries(node.attributes!).map(([key, value]): [string, JSX.Element] => [key, <Plain kind="said">{value}</Plain>])} />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Drawer>
  );
}

function Nodes(props: { nodes: Node[] }): JSX.Element {
  const query = route.value.query;
  const names = useMemo(() => resourcesOf(props.nodes).sort(compareResources), [props.nodes]);
  const resource = query['resource'] !== undefined && names.includes(query['resource']) ? query['resource'] : undefined;
  const order = orders.find(([key]) => key === query['order'])?.[0] ?? 'name';
  const find = (query['find'] ?? '').toLowerCase();
  const only = query['only'];
  // The shape of a pod of so many cores, as the table of what fits has it.
  const fits = useMemo(() => shapesFor(props.nodes).find((shape) => String(shape['vcore']! / 1000) === query['fits']), [props.nodes, query['fits']]);
  const shown = useMemo(() => {
    const matching = props.nodes.filter(
      (node) =>
        (find === '' || node.nodeID.toLowerCase().includes(find) || (node.hostName ?? '').toLowerCase().includes(find)) &&
        (only === undefined || (only === 'cordoned' ? !node.schedulable : node.isReserved)) &&
        (fits === undefined || takes(node, fits)),
    );
    return orderNodes(matching, order, resource);
  }, [props.nodes, find, order, resource, only, fits]);
  const cordoned = props.nodes.filter((node) => !node.schedulable).length;
  const reserved = props.nodes.filter((node) => node.isReserved).length;
  const shownColumns = useMemo(() => columns(resource), [resource]);
  const open = (node: Node): void => setQuery({ node: node.nodeID });
  return (
    <>
      <PageHead title="Nodes" lead={
          <>
            <Leads to={href('nodes')}>{plural(props.nodes.length, 'node')}</Leads>, <Leads to={href('nodes', [], { only: 'cordoned' })}>{count(cordoned)} cordoned</Leads>,{' '}
            <Leads to={href('nodes', [], { only: 'reserved' })}>{count(reserved)} reserved</Leads>
          </>
        }
      >
        <Search label="Find a node" placeholder="Find a node" value={query['find'] ?? ''} onChange={(text) => setQuery({ find: text || undefined })} />
        <Select label="Colour" value={resource ?? ''} options={[['', 'used most'] as const, ...names.map((name) => [name, resourceName(name)] as const)]} onChange={(value) => setQuery({ resource: value || undefined })} />
        <Select label="Only" value={only ?? ''} options={[['', 'all'] as const, ['cordoned', 'cordoned'] as const, ['reserved', 'reserved'] as const]} onChange={(value) => setQuery({ only: value || undefined })} />
        {fits !== undefined && <Select label="Takes" value={query['fits']!} options={[['', 'any pod'] as const, [query['fits']!, resources(fits)] as const]} onChange={() => setQuery({ fits: undefined })} />}
        <Choice label="Order" value={order} options={orders} onChange={(value) => setQuery({ order: value === 'name' ? undefined : value })} />
      </PageHead>
      <div class={query['node'] === undefined ? '' : 'with-drawer'}>
        <div class="stack">
          <Panel
            title="Use"
            aside={
              <span class="legend">
                <span class="legend-key">
                  0 % <span class="heat-legend" aria-hidden="true">{Array.from({ length: 11 }, (_, i) => <span key={i} style={{ background: `var(--heat-${i})` }} />)}</span> 100 %
                </span>
                <span class="legend-key">
                  <span class="key cordoned" /> cordoned
                </span>
                <span class="legend-key">
                  <span class="key reserved" /> reserved
                </span>
              </span>
            }
          >
            {shown.length === 0 ? <Empty title={props.nodes.length === 0 ? 'There are no nodes yet' : 'No node matches'} /> : <HeatMap nodes={shown} resource={resource} onOpen={open} selected={query['node']} />}
          </Panel>
          <Fragmentation nodes={props.nodes} />
          <Panel title="All nodes" at="list" aside={<Plain kind="listed">{plural(shown.length, 'node')}</Plain>}>
            <VirtualTable label="Nodes" columns={shownColumns} count={shown.length} row={(i) => shown[i]} rowKey={(node) => node.nodeID} onOpen={open} selected={query['node']} maxHeight={476} />
          </Panel>
        </div>
        {query['node'] !== undefined && <NodeDrawer key={query['node']} id={query['node']} />}
      </div>
    </>
  );
}

/** What the map and the table show; the rest comes with the node that is opened. */
const mapFields = 'nodeID,hostName,capacity,allocated,occupied,available,schedulable,isReserved';

export function NodesPage(): JSX.Element {
  const feed = useWhole<Node>(partitionPath(partition(), `nodes?view=summary&fields=${mapFields}`), 3000);
  if (feed.data.value === undefined || feed.error.value?.status === 403 || feed.error.value?.status === 401)
    return (
      <>
        <PageHead title="Nodes" />
        <Panel>
          <Loaded feed={feed} lines={6}>
            {() => null}
          </Loaded>
        </Panel>
      </>
    );
  return <Nodes nodes={feed.data.value} />;
}
