// SPDX-License-Identifier: Apache-2.0
// The bar of a simulation: its clock, and buttons for what can be done to the cluster.
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, partitionPath, requestJson } from '../data/api';
import { nowMs, tick } from '../data/clock';
import { useFeed } from '../data/feed';
import { href, partition } from '../data/route';
import { asQueuesYaml, withMaximum, type Config } from '../model/config';
import { rowsOf } from '../model/queues';
import type { Node, Queue, SimState } from '../model/types';
import { digits, duration, resourceName } from '../model/units';
import { Icon } from '../ui/icons';
import { Badge } from '../ui/parts';
import { doSteps, setClock } from './state';

const speeds = [1, 5, 20, 60, 300];
const said = signal<{ text: ComponentChildren; isBad: boolean } | undefined>(undefined);

async function attempt(what: () => Promise<void>, done?: ComponentChildren): Promise<boolean> {
  try {
    await what();
    said.value = done === undefined ? undefined : { text: done, isBad: false };
    return true;
  } catch (error) {
    said.value = { text: error instanceof ApiError ? error.message : String(error), isBad: true };
    return false;
  }
}

/** A button with a form below it. */
function Popup(props: { icon: string; title: string; children: (close: () => void) => ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    box.current?.querySelector<HTMLElement>('.popup input, .popup select')?.focus();
    const outside = (event: Event): void => {
      if (box.current !== null && !box.current.contains(event.target as globalThis.Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="popup-box"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <button type="button" class="button" ref={button} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={props.icon} /> {props.title}
      </button>
      {open && <div class="popup">{props.children(close)}</div>}
    </div>
  );
}

function Field(props: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      {props.children}
    </label>
  );
}

let made = 0;
function newName(kind: string): string {
  made++;
  return `${kind}-${Math.round(nowMs() / 1000) % 100000}-${made}`;
}

function useQueues(): Queue[] {
  const root = useFeed<Queue>(partitionPath(partition(), 'queues'), 5000).data.value;
  return root === undefined ? [] : rowsOf(root).map((row) => row.queue);
}

function Submit(props: { gang: boolean; close: () => void }): JSX.Element {
  // A gang is refused in a leaf that sorts applications fairly.
  const leaves = useQueues().filter((queue) => queue.isLeaf && !queue.queuename.includes('@') && !(props.gang && queue.sortingPolicy === 'fair'));
  const [queue, setQueue] = useState('');
  const [pods, setPods] = useState(props.gang ? '8' : '20');
  const [cores, setCores] = useState('1');
  const [memory, setMemory] = useState('2');
  const [gpu, setGpu] = useState('0');
  const [run, setRun] = useState('2m');
  const target = queue || leaves[0]?.queuename || '';
  const submit = async (): Promise<void> => {
    const requests: Record<string, string> = { cpu: cores, memory: `${memory}Gi`, ...(Number(gpu) > 0 ? { 'nvidia.com/gpu': gpu } : {}) };
    const gang = {
      'yunikorn.apache.org/task-group-name': 'workers',
      'yunikorn.apache.org/task-groups': JSON.stringify([{ name: 'workers', minMember: Number(pods), minResource: requests }]),
    };
    const name = newName(props.gang ? 'gang' : 'job');
    const step = {
      note: `${pods} pods of ${cores} cores come to ${target}${props.gang ? ' as a gang' : ''}`,
      submit: { application: name, queue: target, user: 'you', pods: Number(pods), run, requests, ...(props.gang ? { annotations: gang } : {}) },
    };
    const done = (
      <>
        {props.gang ? 'A gang' : 'A job'} of {pods} pods was submitted to {target}: <a href={href('applications', [name])}>{name}</a>
      </>
    );
    if (await attempt(() => doSteps(step), done)) props.close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Queue">
        <select value={target} onChange={(event) => setQueue(event.currentTarget.value)}>
          {leaves.map((q) => (
            <option key={q.queuename} value={q.queuename} selected={q.queuename === target}>
              {q.queuename}
            </option>
          ))}
        </select>
      </Field>
      <Field label={props.gang ? 'Members' : 'Pods'}>
        <input type="number" min={1} max={5000} required value={pods} onInput={(event) => setPods(event.currentTarget.value)} />
      </Field>
      <Field label="Cores each">
        <input type="number" min={0.1} step={0.1} required value={cores} onInput={(event) => setCores(event.currentTarget.value)} />
      </Field>
      <Field label="Gi each">
        <input type="number" min={0.1} step={0.1} required value={memory} onInput={(event) => setMemory(event.currentTarget.value)} />
      </Field>
      <Field label="GPUs each">
        <input type="number" min={0} max={16} value={gpu} onInput={(event) => setGpu(event.currentTarget.value)} />
      </Field>
      <Field label="Run for">
        <input pattern="([0-9]+(\.[0-9]+)?(s|m|h))+" required value={run} onInput={(event) => setRun(event.currentTarget.value)} />
      </Field>
      {props.gang && <p class="popup-note">All members start together or not at all.</p>}
      <button type="submit" class="button primary">
        Submit
      </button>
    </form>
  );
}

function RaiseMaximum(props: { close: () => void }): JSX.Element {
  const queues = useQueues().filter((queue) => queue.parent !== undefined && queue.isManaged);
  const limited = queues.filter((queue) => queue.maxResource?.['vcore'] !== undefined);
  const [path, setPath] = useState('');
  const [value, setValue] = useState('');
  const target = queues.find((queue) => queue.queuename === path) ?? limited[0] ?? queues[0];
  const now = (target?.maxResource?.['vcore'] ?? 0) / 1000;
  const submit = async (): Promise<void> => {
    if (target === undefined) return;
    const cores = value || String(Math.round(now * 1.5));
    const ok = await attempt(async () => {
      const config = await requestJson<Config>('ws/v1/config?format=json');
      const changed = withMaximum(config, partition(), target.queuename, 'vcore', cores);
      if (changed === undefined) throw new ApiError(0, `${target.queuename} is not in the configuration`);
      await doSteps({ note: `the maximum of ${target.queuename} is ${cores} cores now`, reload: asQueuesYaml(changed) });
    }, `${target.queuename} may use ${cores} cores now.`);
    if (ok) props.close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Queue">
        <select value={target?.queuename ?? ''} onChange={(event) => (setPath(event.currentTarget.value), setValue(''))}>
          {queues.map((q) => (
            <option key={q.queuename} value={q.queuename} selected={q.queuename === target?.queuename}>
              {q.queuename}
            </option>
          ))}
        </select>
      </Field>
      <Field label={`Maximum, ${resourceName('vcore')}`}>
        <input type="number" min={0} placeholder={now > 0 ? String(Math.round(now * 1.5)) : '64'} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </Field>
      <p class="popup-note">{now > 0 ? `It is ${digits(now)} now.` : 'It has none of its own.'}</p>
      <button type="submit" class="button primary" disabled={target === undefined || (now === 0 && value === '')}>
        Change it
      </button>
    </form>
  );
}

function NodeForm(props: { close: () => void }): JSX.Element {
  const nodes = useFeed<Node[]>(partitionPath(partition(), 'nodes?view=summary&fields=nodeID,schedulable'), 5000).data.value ?? [];
  const [name, setName] = useState('');
  const target = nodes.find((node) => node.nodeID === name) ?? nodes.find((node) => node.schedulable) ?? nodes[0];
  const act = async (step: Record<string, unknown>, text: string): Promise<void> => {
    if (await attempt(() => doSteps({ note: text, ...step }), `${text}.`)) props.close();
  };
  const id = target?.nodeID ?? '';
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Field label="Node">
        <select value={id} onChange={(event) => setName(event.currentTarget.value)}>
          {nodes.slice(0, 2000).map((node) => (
            <option key={node.nodeID} value={node.nodeID} selected={node.nodeID === id}>
              {node.nodeID}
              {node.schedulable ? '' : ' (cordoned)'}
            </option>
          ))}
        </select>
      </Field>
      <p class="popup-note">Draining cordons the node and deletes its pods; their owners make them again.</p>
      <div class="popup-buttons">
        <button type="button" class="button primary" disabled={target === undefined} onClick={() => void act({ drain: [id] }, `${id} is drained`)}>
          Drain
        </button>
        <button type="button" class="button" disabled={target === undefined} onClick={() => void act(target?.schedulable === false ? { uncordon: [id] } : { cordon: [id] }, `${id} is ${target?.schedulable === false ? 'uncordoned' : 'cordoned'}`)}>
          {target?.schedulable === false ? 'Uncordon' : 'Cordon'}
        </button>
        <button type="button" class="button danger" disabled={target === undefined} onClick={() => void act({ removeNodes: [id] }, `${id} is gone`)}>
          Remove
        </button>
      </div>
    </form>
  );
}

function AddNodes(props: { close: () => void }): JSX.Element {
  const [number, setNumber] = useState('2');
  const [cores, setCores] = useState('16');
  const [memory, setMemory] = useState('64');
  const [gpu, setGpu] = useState('0');
  const submit = async (): Promise<void> => {
    const allocatable: Record<string, string> = { cpu: cores, memory: `${memory}Gi`, pods: '110', ...(Number(gpu) > 0 ? { 'nvidia.com/gpu': gpu } : {}) };
    const text = `${number} nodes of ${cores} cores come`;
    if (await attempt(() => doSteps({ note: text, addNodes: { name: newName('extra'), count: Number(number), allocatable } }), `${text}.`)) props.close();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Nodes">
        <input type="number" min={1} max={1000} required value={number} onInput={(event) => setNumber(event.currentTarget.value)} />
      </Field>
      <Field label="Cores each">
        <input type="number" min={1} required value={cores} onInput={(event) => setCores(event.currentTarget.value)} />
      </Field>
      <Field label="Gi each">
        <input type="number" min={1} required value={memory} onInput={(event) => setMemory(event.currentTarget.value)} />
      </Field>
      <Field label="GPUs each">
        <input type="number" min={0} max={16} value={gpu} onInput={(event) => setGpu(event.currentTarget.value)} />
      </Field>
      <button type="submit" class="button primary">
        Add them
      </button>
    </form>
  );
}

export function SimBar(props: { state: SimState }): JSX.Element {
  void tick.value;
  const { state } = props;
  const last = state.notes.findLast((note) => !note.text.startsWith('pods: '));
  const message = said.value;
  return (
    <section class="simbar" aria-label="Simulation">
      <div class="simbar-row">
        <Badge tone={state.paused ? 'idle' : 'info'}>simulated</Badge>
        <strong class="sim-name">{state.scenario || 'scenario'}</strong>
        <span class="sim-clock" title="Time since the start, on the clock of the simulation">
          {duration(state.elapsedNs / 1e6)}
        </span>
        <div class="sim-controls" role="group" aria-label="Clock">
          <button type="button" class="button icon-only" aria-label={state.paused ? 'Go on' : 'Pause'} title={state.paused ? 'Go on' : 'Pause'} onClick={() => void attempt(() => setClock({ paused: !state.paused }))}>
            <Icon name={state.paused ? 'play' : 'pause'} />
          </button>
          <button type="button" class="button icon-only" aria-label="Go 10 seconds forward and pause" title="10 seconds forward" onClick={() => void attempt(() => setClock({ forward: '10s' }))}>
            <Icon name="step" />
          </button>
          <label class="select">
            <span class="sr-only">Speed</span>
            <select value={String(state.speed)} onChange={(event) => void attempt(() => setClock({ speed: Number(event.currentTarget.value) }))}>
              {[...new Set([...speeds, state.speed])]
                .sort((a, b) => a - b)
                .map((speed) => (
                  <option key={speed} value={String(speed)} selected={speed === state.speed}>
                    {digits(speed)}×
                  </option>
                ))}
            </select>
          </label>
        </div>
        {state.behind && <Badge tone="warn">slower than asked</Badge>}
        {state.broken !== '' && <Badge tone="bad">{state.broken}</Badge>}
        <span class="grow" />
        <div class="sim-actions">
          <Popup icon="plus" title="Job">
            {(close) => <Submit gang={false} close={close} />}
          </Popup>
          <Popup icon="gang" title="Gang">
            {(close) => <Submit gang={true} close={close} />}
          </Popup>
          <Popup icon="up" title="Maximum">
            {(close) => <RaiseMaximum close={close} />}
          </Popup>
          <Popup icon="drain" title="Drain">
            {(close) => <NodeForm close={close} />}
          </Popup>
          <Popup icon="nodes" title="Add nodes">
            {(close) => <AddNodes close={close} />}
          </Popup>
        </div>
      </div>
      <p class="sim-note" role="status">
        {message !== undefined ? (
          <span class={message.isBad ? 'warning' : ''}>{message.text}</span>
        ) : last !== undefined ? (
          <>
            <span class="muted">at {duration(last.atNs / 1e6)}:</span> {last.text}
          </>
        ) : null}
      </p>
    </section>
  );
}
