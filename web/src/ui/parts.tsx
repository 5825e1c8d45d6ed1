// SPDX-License-Identifier: Apache-2.0
// The small parts that pages are made of.
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../data/api';
import { nowMs, tick } from '../data/clock';
import { href, route } from '../data/route';
import type { Feed } from '../data/feed';
import { partsOf, type Part } from '../model/message';
import { clockTime, duration, moment, ms } from '../model/units';
import { Icon } from './icons';
import { openToken } from './token';

/**
 * Why a number is no link: every other one leads to the list of what it counts or measures (test/browser/numbers.mjs).
 *
 * - listed: it counts the list that is shown with it
 * - one: it belongs to one pod, node or event
 * - limit: what may be used at most, is guaranteed, or is left of that; capacity and what is free of it
 * - past: of what is gone, or what might be: there is no list of it
 * - place: a position, an age, a share, a version, or the number of an entry
 * - said: part of a name, or of a text that is shown as it came
 */
export type NumberKind = 'listed' | 'one' | 'limit' | 'past' | 'place' | 'said';

/** Leads to the list of what a number counts. */
export function Leads(props: { to: string; title?: string | undefined; children: ComponentChildren }): JSX.Element {
  return (
    <a class="leads-to" href={props.to} title={props.title}>
      {props.children}
    </a>
  );
}

/** Numbers that are no links. */
export function Plain(props: { kind: NumberKind; children: ComponentChildren }): JSX.Element {
  return <span data-number={props.kind}>{props.children}</span>;
}

function pageOf(part: Part): string | undefined {
  switch (part.kind) {
    case 'application':
      return href('applications', [part.text]);
    case 'queue':
      return href('queues', [], { queue: part.text });
    case 'node':
      return href('nodes', [], { node: part.text });
    case undefined:
      return undefined;
  }
}

/** A sentence of the scheduler, whose names are links. `nodes`: others that it may name. */
export function Sentence(props: { text: string; nodes?: readonly string[] | undefined }): JSX.Element {
  return (
    <>
      {partsOf(props.text, props.nodes).map((part) => {
        const page = pageOf(part);
        return page === undefined ? part.text : <a href={page}>{part.text}</a>;
      })}
    </>
  );
}

/** For an element that links with `at` in their address lead to: it is brought into view. */
export function useWanted<E extends HTMLElement>(at: string | undefined): RefObject<E> {
  const box = useRef<E>(null);
  const isWanted = at !== undefined && route.value.query['at'] === at;
  useEffect(() => {
    if (!isWanted) return;
    box.current?.scrollIntoView();
    box.current?.focus({ preventScroll: true });
  }, [isWanted]);
  return box;
}

/** `at`: the part of the page that a link with this word in its address leads to. */
export function Panel(props: { title?: string; aside?: ComponentChildren; class?: string; at?: string; children: ComponentChildren }): JSX.Element {
  const box = useWanted<HTMLElement>(props.at);
  return (
    <section class={`panel ${props.class ?? ''}`} aria-label={props.title} ref={box} {...(props.at === undefined ? {} : { tabIndex: -1 })}>
      {props.title !== undefined && (
        <div class="panel-head">
          <h2 data-number="said">{props.title}</h2>
          {props.aside !== undefined && <div class="panel-aside">{props.aside}</div>}
        </div>
      )}
      {props.children}
    </section>
  );
}

export function Empty(props: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty" data-number="said">
      <p class="empty-title">{props.title}</p>
      {props.children !== undefined && <div class="empty-text">{props.children}</div>}
    </div>
  );
}

/** What to say instead of data that did not come. */
export function Failure(props: { error: ApiError; what?: string }): JSX.Element {
  const { error } = props;
  if (error.status === 401)
    return (
      <Empty title="The scheduler wants to know who you are">
        <p>This server answers only known users. Paste a bearer token to see its data.</p>
        <button type="button" class="button primary" onClick={openToken}>
          <Icon name="key" /> Use a token
        </button>
      </Empty>
    );
  if (error.status === 403)
    return (
      <Empty title="You may not see this">
        <p>{error.message}</p>
        <button type="button" class="button" onClick={openToken}>
          <Icon name="key" /> Use another token
        </button>
      </Empty>
    );
  if (error.status === 404 && props.what !== undefined && /page not found/.test(error.message)) return <Empty title={`${props.what}: not available in this version of the scheduler`} />;
  if (error.status === 0) return <Empty title={error.message}>The page tries again by itself.</Empty>;
  return <Empty title={error.message} />;
}

/** Shows the data of a feed, or why there is none. Old data stays while the server does not answer. */
export function Loaded<T>(props: { feed: Feed<T>; what?: string; lines?: number; children: (data: T) => ComponentChildren }): JSX.Element {
  const data = props.feed.data.value;
  const error = props.feed.error.value;
  const isFinal = error !== undefined && [401, 403, 404].includes(error.status);
  if (data !== undefined && !isFinal) return <>{props.children(data)}</>;
  if (error !== undefined) return <Failure error={error} {...(props.what === undefined ? {} : { what: props.what })} />;
  return <Skeleton lines={props.lines ?? 4} />;
}

/** In the place of data that has not come yet. */
export function Skeleton(props: { lines: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: props.lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

/** `3 min ago`, with the exact time as its title. */
export function Ago(props: { ns: number | undefined; plain?: boolean }): JSX.Element {
  void tick.value;
  if (props.ns === undefined || props.ns === 0) return <span class="muted">–</span>;
  const now = nowMs();
  const at = ms(props.ns);
  const age = now - at;
  return (
    <time dateTime={new Date(at).toISOString()} title={moment(at)}>
      {age < -1000 ? `in ${duration(-age)}` : props.plain ? duration(age) : `${duration(age)} ago`}
    </time>
  );
}

export function At(props: { ns: number | undefined }): JSX.Element {
  const at = ms(props.ns);
  return <span title={moment(at)}>{clockTime(at, nowMs())}</span>;
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

const shapes: Record<Tone, string> = { good: '●', warn: '▲', bad: '■', info: '◆', idle: '○' };

/** A word with a colour and a shape. */
export function Badge(props: { tone: Tone; children: ComponentChildren }): JSX.Element {
  return (
    <span class={`badge ${props.tone}`}>
      <span aria-hidden="true" class="badge-shape">
        {shapes[props.tone]}
      </span>
      {props.children}
    </span>
  );
}

/** Of the reason of a waiting pod: whether waiting can help. */
export function reasonTone(reason: string): Tone {
  return reason === 'Rejected' || reason === 'ExceedsMaxCapacity' ? 'bad' : 'warn';
}

export function stateTone(state: string): Tone {
  switch (state) {
    case 'Running':
    case 'Active':
    case 'Completed':
      return 'good';
    case 'Accepted':
    case 'New':
    case 'Starting':
    case 'Resuming':
      return 'info';
    case 'Completing':
    case 'Draining':
      return 'warn';
    case 'Failing':
    case 'Failed':
    case 'Rejected':
    case 'Stopped':
      return 'bad';
    default:
      return 'idle';
  }
}

export function Figure(props: { label: string; value: ComponentChildren; note?: ComponentChildren; href?: string; number?: NumberKind }): JSX.Element {
  const main = (
    <>
      <span class="figure-label">{props.label}</span>
      <span class="figure-value">{props.value}</span>
    </>
  );
  return (
    <div class={`figure ${props.href === undefined ? '' : 'leads'}`} data-number={props.number}>
      {props.href === undefined ? main : (
        <a class="figure-link" href={props.href}>
          {main}
        </a>
      )}
      {props.note !== undefined && <span class="figure-note">{props.note}</span>}
    </div>
  );
}

export function Facts(props: { rows: ([string, ComponentChildren] | undefined)[] }): JSX.Element {
  return (
    <dl class="facts">
      {props.rows.map(
        (row) =>
          row !== undefined && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A set of choices of which one is on. */
export function Choice<T extends string>(props: { label: string; value: T; options: readonly (readonly [T, string])[]; onChange: (value: T) => void }): JSX.Element {
  return (
    <div class="choice" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button key={value} type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Select(props: { label: string; value: string; options: readonly (readonly [string, string])[]; onChange: (value: string) => void }): JSX.Element {
  return (
    <label class="select">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Calls `onChange` when typing pauses. */
export function Search(props: { label: string; value: string; placeholder: string; onChange: (value: string) => void }): JSX.Element {
  const timer = useRef<number>();
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    <label class="search">
      <Icon name="search" />
      <span class="sr-only">{props.label}</span>
      <input
        type="search"
        value={props.value}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          const value = event.currentTarget.value;
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => props.onChange(value), 250);
        }}
      />
    </label>
  );
}

/** Beside the page: details of something. Escape closes it. */
export function Drawer(props: { title: string; kind: string; onClose: () => void; children: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [props.title]);
  return (
    <aside
      class="drawer"
      ref={box}
      tabIndex={-1}
      aria-label={`${props.kind} ${props.title}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onClose();
      }}
    >
      <div class="drawer-head">
        <div>
          <span class="drawer-kind">{props.kind}</span>
          <h2 data-number="said">{props.title}</h2>
        </div>
        <button type="button" class="button icon-only" aria-label="Close" onClick={props.onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="drawer-body">{props.children}</div>
    </aside>
  );
}

export function PageHead(props: { title: ComponentChildren; lead?: ComponentChildren; crumb?: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="page-head">
      <div class="page-title">
        {props.crumb !== undefined && <p class="crumb">{props.crumb}</p>}
        <h1 data-number="said">{props.title}</h1>
        {props.lead !== undefined && <p class="lead">{props.lead}</p>}
      </div>
      {props.children !== undefined && <div class="page-tools">{props.children}</div>}
    </div>
  );
}

/** What patterns mean. A pattern stays on the line of its word. Words are in the labels of the bars, too. */
export function Legend(props: { keys: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <span class="legend" aria-hidden="true">
      {props.keys.map(([pattern, text]) => (
        <span key={pattern} class="legend-key">
          <span class={`key ${pattern}`} /> {text}
        </span>
      ))}
    </span>
  );
}
