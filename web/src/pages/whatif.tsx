// SPDX-License-Identifier: Apache-2.0
// What if: a pod or a configuration is tried, and nothing is changed.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, partitionPath, request, requestJson } from '../data/api';
import { useFeed } from '../data/feed';
import { partition, route, setQuery } from '../data/route';
import { diffLines } from '../model/diff';
import { rowsOf } from '../model/queues';
import type { Node, Queue } from '../model/types';
import type { WhatIf } from '../model/whatif';
import { DiffView } from '../ui/diff';
import { Badge, Choice, Empty, Failure, PageHead, Panel, Select } from '../ui/parts';
import { WhatIfView } from '../ui/whatif';

const podFor = (queue: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: try
  namespace: default
  labels:
    yunikorn.apache.org/app-id: try
    yunikorn.apache.org/queue: ${queue}
spec:
  schedulerName: yunikorn
  containers:
    - name: main
      image: busybox:stable
      resources: {requests: {cpu: "2", memory: 4Gi}}
`;

const gangFor = (queue: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: try
  namespace: default
spec:
  parallelism: 4
  template:
    metadata:
      labels:
        yunikorn.apache.org/app-id: try
        yunikorn.apache.org/queue: ${queue}
      annotations:
        yunikorn.apache.org/task-group-name: workers
        yunikorn.apache.org/task-groups: |
          [{"name": "workers", "minMember": 4, "minResource": {"cpu": "2", "memory": "4Gi"}}]
    spec:
      schedulerName: yunikorn
      containers:
        - name: main
          image: busybox:stable
          resources: {requests: {cpu: "2", memory: 4Gi}}
`;

const nodeMore = `apiVersion: v1
kind: Node
metadata:
  name: new-node
  labels: {kubernetes.io/hostname: new-node}
status:
  allocatable: {cpu: "16", memory: 64Gi, pods: "110"}
`;

const nodeLess = (node: string): string => `kind: node
action: remove   # or cordon, uncordon
node: {name: ${node}}
`;

/** A pod becomes so many pods. JSON is YAML, so both can be put below a key. */
function times(text: string, pods: number): string {
  return pods > 1 ? `kind: job\ncount: ${pods}\npod:\n${text.replace(/^/gm, '  ')}` : text;
}

export interface Verdict {
  allowed: boolean;
  reason?: string;
  warnings?: string[];
  checksum?: string;
}

/** Asks, and says why there is no answer if there is none. */
async function ask(text: string): Promise<JSX.Element> {
  try {
    return <WhatIfView answer={await requestJson<WhatIf>('ws/v1/whatif', { method: 'POST', body: text, contentType: 'application/yaml' })} />;
  } catch (error) {
    if (!(error instanceof ApiError)) return <Empty title="The answer cannot be read." />;
    if (error.status === 405 || error.status === 501) return <Empty title="This scheduler answers no such questions">{error.message}</Empty>;
    return <Failure error={error} what="What-if questions" />;
  }
}

function TryPod(): JSX.Element {
  const root = useFeed<Queue>(partitionPath(partition(), 'queues?view=summary'), 30_000).data.value;
  const [typed, setText] = useState<string>();
  const leaves = root === undefined ? [] : rowsOf(root).map((row) => row.queue).filter((queue) => queue.isLeaf && queue.isManaged);
  const node = useFeed<Node[]>(partitionPath(partition(), 'nodes?limit=1'), 60_000).data.value?.[0]?.nodeID;
  const queue = leaves[0]?.queuename ?? 'root.default';
  // A gang is refused in a leaf that sorts applications fairly.
  const gangQueue = leaves.find((leaf) => leaf.sortingPolicy !== 'fair')?.queuename ?? queue;
  const examples: Record<string, string> = { pod: podFor(queue), gang: gangFor(gangQueue), more: nodeMore, less: nodeLess(node ?? 'NAME') };
  const asked = route.value.query['example'] ?? '';
  const example = asked in examples ? asked : 'pod';
  const [pods, setPods] = useState(1);
  const text = typed ?? examples[example]!;
  const isPod = /^\s*"?kind"?:\s*"?Pod\b/m.test(text);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<ComponentChildren>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(await ask(times(text, isPod ? pods : 1)));
    setBusy(false);
  };
  return (
    <div class="columns even">
      <Panel
        title="A pod, a job or a node"
        aside={
          <Select
            label="Example"
            value={example}
            options={[
              ['pod', 'a pod'],
              ['gang', 'a gang'],
              ['more', 'a node more'],
              ['less', 'a node less'],
            ]}
            onChange={(value) => {
              setQuery({ example: value === 'pod' ? undefined : value });
              setText(undefined);
            }}
          />
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <label class="sr-only" for="pod-text">
            Pod, Job or Node as YAML or JSON
          </label>
          <textarea id="pod-text" class="code" rows={18} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <div class="panel-buttons">
            <button type="submit" class="button primary" disabled={busy}>
              Try it
            </button>
            {isPod && (
              <label class="count-field">
                Number of pods
                <input type="number" min={1} max={1000} value={pods} onInput={(event) => setPods(Math.min(1000, Math.max(1, event.currentTarget.valueAsNumber || 1)))} />
              </label>
            )}
          </div>
        </form>
      </Panel>
      <Panel title="What would happen">
        <div role="status">{result ?? <Empty title="Nothing was tried yet">Where would this pod start, or what would it wait for? What would a node more or less change? Nothing is changed by asking.</Empty>}</div>
      </Panel>
    </div>
  );
}

export async function validate(text: string): Promise<Verdict> {
  return (await (await request('ws/v1/validate-conf', { method: 'POST', body: text, contentType: 'application/yaml' })).json()) as Verdict;
}

export function VerdictView(props: { verdict: Verdict }): JSX.Element {
  const { verdict } = props;
  return (
    <>
      <p class="verdict">
        <Badge tone={verdict.allowed ? 'good' : 'bad'}>{verdict.allowed ? 'valid' : 'refused'}</Badge> <span data-number="said">{verdict.reason}</span>
      </p>
      {(verdict.warnings?.length ?? 0) > 0 && (
        <ul class="list">
          {verdict.warnings!.map((warning) => (
            <li key={warning}>
              <span data-number="said">
                <Badge tone="warn">{warning}</Badge>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function TryConfiguration(): JSX.Element {
  const active = useFeed<string>('ws/v1/config', 15_000).data.value ?? '';
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<Verdict | ApiError>();
  const [tried, setTried] = useState<JSX.Element>();
  const run = async (): Promise<void> => {
    setTried(undefined);
    try {
      const checked = await validate(text);
      setVerdict(checked);
      if (checked.allowed) setTried(await ask(text));
    } catch (error) {
      setVerdict(error instanceof ApiError ? error : new ApiError(0, 'The answer cannot be read.'));
    }
  };
  return (
    <div class="columns even">
      <Panel
        title="A configuration"
        aside={
          <button type="button" class="button quiet" onClick={() => setText(withoutSettings(active))}>
            Start from the active one
          </button>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <label class="sr-only" for="conf-text">
            queues.yaml
          </label>
          <textarea id="conf-text" class="code" rows={22} spellcheck={false} placeholder="Paste queues.yaml" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <div class="panel-buttons">
            <button type="submit" class="button primary" disabled={text.trim() === ''}>
              Check it
            </button>
          </div>
        </form>
      </Panel>
      <Panel title="What it says and changes">
        <div role="status">
          {verdict === undefined ? (
            <Empty title="Nothing was checked yet">All checks of loading and activation are made; nothing is changed.</Empty>
          ) : verdict instanceof ApiError ? (
            <Empty title={verdict.message} />
          ) : (
            <VerdictView verdict={verdict} />
          )}
          {tried !== undefined && (
            <section class="outcome">
              <h3>What it does to what runs and waits</h3>
              {tried}
            </section>
          )}
        </div>
        {text.trim() !== '' && verdict !== undefined && <DiffView lines={diffLines(withoutSettings(active), text)} />}
      </Panel>
    </div>
  );
}

/** What the server adds to queues.yaml stands behind it: the checksum and the other settings. */
export function withoutSettings(config: string): string {
  const at = config.search(/^checksum:/m);
  return at < 0 ? config : config.slice(0, at);
}

export function WhatIfPage(): JSX.Element {
  const kind = route.value.query['try'] === 'configuration' ? 'configuration' : 'pod';
  return (
    <>
      <PageHead title="What if" lead="Asking changes nothing.">
        <Choice
          label="What to try"
          value={kind}
          options={[
            ['pod', 'A pod or node'],
            ['configuration', 'A configuration'],
          ]}
          onChange={(value) => setQuery({ try: value === 'pod' ? undefined : value, example: undefined })}
        />
      </PageHead>
      {kind === 'pod' ? <TryPod /> : <TryConfiguration />}
    </>
  );
}
