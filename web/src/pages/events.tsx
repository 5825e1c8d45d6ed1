// SPDX-License-Identifier: Apache-2.0
// Events, live.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, token } from '../data/api';
import { follow } from '../data/stream';
import { href, route, setQuery } from '../data/route';
import { eventMessage, eventResources, eventTypes, eventWhat, parseEvent } from '../model/events';
import type { EventRecord } from '../model/types';
import { count, queueTitle } from '../model/units';
import { At, Badge, Choice, Empty, Failure, PageHead, Panel, Search, type Tone } from '../ui/parts';
import { VirtualTable, type Column } from '../ui/table';

const eventsMax = 5000;

interface Shown extends EventRecord {
  id: number;
}

function linkOf(event: EventRecord): JSX.Element | string {
  const id = event.objectID ?? '';
  switch (event.type) {
    case 2:
      return <a href={href('applications', [id])}>{id}</a>;
    case 3:
      return <a href={href('nodes', [], { node: id })}>{id}</a>;
    case 4:
      return <a href={href('queues', [], { queue: id })}>{queueTitle(id)}</a>;
    case 5:
      return <a href={href('users', [], { user: id })}>{id}</a>;
    default:
      if (event.referenceID === undefined) return id;
      return <a href={href('applications', [event.referenceID], { pod: id })}>a pod of {event.referenceID}</a>;
  }
}

/** The other object, unless it is a UID, which says nothing to a person. */
function reference(event: EventRecord): string {
  const id = event.referenceID ?? '';
  return event.type === 1 || /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(id) ? '' : queueTitle(id);
}

function toneOf(event: EventRecord): Tone {
  const detail = event.eventChangeDetail ?? 0;
  if ([202, 209, 210, 501].includes(detail)) return 'bad';
  if ([102, 213, 215, 407, 502, 504].includes(detail)) return 'warn';
  return event.eventChangeType === 3 ? 'idle' : event.eventChangeType === 2 ? 'good' : 'info';
}

const columns: readonly Column<Shown>[] = [
  { key: 'time', title: 'Time', width: '72px', cell: (event) => <At ns={event.timestampNano} /> },
  { key: 'type', title: 'Of', width: '110px', from: 780, cell: (event) => eventTypes[event.type ?? 0] ?? '–' },
  { key: 'object', title: 'Object', width: 'minmax(108px, 2fr)', cell: (event) => <span title={event.objectID}>{linkOf(event)}</span> },
  { key: 'what', title: 'What', width: 'minmax(108px, 1.2fr)', cell: (event) => <Badge tone={toneOf(event)}>{eventWhat(event)}</Badge> },
  { key: 'amount', title: 'Amount', width: 'minmax(110px, 1.2fr)', from: 780, number: 'one', cell: (event) => eventResources(event) },
  { key: 'message', title: 'Message', width: 'minmax(160px, 2.5fr)', from: 640, number: 'said', cell: (event) => <span title={eventMessage(event) ?? event.referenceID}>{eventMessage(event) ?? reference(event)}</span> },
];

/** The latest events, newest first. While paused they are kept aside. */
function useEvents(paused: boolean): { events: Shown[]; error: ApiError | undefined; isLive: boolean; held: number } {
  const all = useRef<Shown[]>([]);
  const [events, setEvents] = useState<Shown[]>([]);
  const [error, setError] = useState<ApiError>();
  const [isLive, setLive] = useState(false);
  const [held, setHeld] = useState(0);
  const pausedNow = useRef(paused);
  pausedNow.current = paused;
  const tokenNow = token.value;
  useEffect(() => {
    let next = 0;
    let stopped = false;
    let frame = 0;
    let abort: AbortController | undefined;
    let timer: number | undefined;
    const publish = (): void => {
      frame = 0;
      if (pausedNow.current) setHeld((n) => n + 1);
      else setEvents(all.current);
    };
    const take = (lines: string[]): void => {
      const fresh: Shown[] = [];
      for (const line of lines) {
        const event = parseEvent(line);
        if (event !== undefined) fresh.push({ ...event, id: next++ });
      }
      if (fresh.length === 0) return;
      all.current = [...fresh.reverse(), ...all.current].slice(0, eventsMax);
      if (frame === 0) frame = window.setTimeout(publish, 200);
    };
    const run = async (): Promise<void> => {
      abort = new AbortController();
      try {
        setLive(true);
        setError(undefined);
        all.current = [];
        await follow('ws/v1/events/stream?count=500', abort.signal, take);
      } catch (caught) {
        if (stopped || abort.signal.aborted) return;
        setError(caught instanceof ApiError ? caught : new ApiError(0, 'The stream was cut off.'));
      }
      setLive(false);
      if (!stopped) timer = window.setTimeout(() => void (document.hidden ? undefined : run()), 3000);
    };
    const onVisible = (): void => {
      if (document.hidden) {
        abort?.abort();
        setLive(false);
      } else {
        window.clearTimeout(timer);
        void run();
      }
    };
    document.addEventListener('visibilitychange', onVisible);
    void run();
    return () => {
      stopped = true;
      abort?.abort();
      window.clearTimeout(timer);
      window.clearTimeout(frame);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [tokenNow]);
  useEffect(() => {
    if (paused) return;
    setHeld(0);
    setEvents(all.current);
  }, [paused]);
  return { events, error, isLive, held };
}

export function EventsPage(): JSX.Element {
  const [paused, setPaused] = useState(false);
  const { events, error, isLive, held } = useEvents(paused);
  const query = route.value.query;
  const type = query['type'] ?? '';
  const find = (query['find'] ?? '').toLowerCase();
  const shown = useMemo(
    () =>
      events.filter(
        (event) =>
          (type === '' || String(event.type) === type) && (find === '' || `${event.objectID ?? ''} ${event.referenceID ?? ''} ${event.message ?? ''} ${eventWhat(event)}`.toLowerCase().includes(find)),
      ),
    [events, type, find],
  );
  return (
    <>
      <PageHead title="Events" lead={paused ? (held > 0 ? 'Paused; newer events wait.' : 'Paused.') : isLive ? 'Live, the latest first.' : 'Not connected.'}>
        <Search label="Find in events" placeholder="Find in events" value={query['find'] ?? ''} onChange={(text) => setQuery({ find: text || undefined })} />
        <Choice
          label="Of"
          value={type}
          options={[['', 'all'] as const, ['2', 'applications'] as const, ['1', 'requests'] as const, ['3', 'nodes'] as const, ['4', 'queues'] as const, ['5', 'users'] as const]}
          onChange={(value) => setQuery({ type: value || undefined })}
        />
        <button type="button" class="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? 'Go on' : 'Pause'}
        </button>
      </PageHead>
      <Panel class="fill-panel">
        {error !== undefined && events.length === 0 ? (
          <Failure error={error} what="The stream of events" />
        ) : shown.length === 0 ? (
          <Empty title={events.length === 0 ? 'Nothing has happened yet' : 'No event matches'} />
        ) : (
          <>
            <p class="count-line" data-number="listed">
              {count(shown.length)} of the latest {count(events.length)} events
            </p>
            <VirtualTable label="Events" columns={columns} count={shown.length} row={(i) => shown[i]} rowKey={(event) => String(event.id)} />
          </>
        )}
      </Panel>
    </>
  );
}
