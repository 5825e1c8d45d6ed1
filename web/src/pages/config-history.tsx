// SPDX-License-Identifier: Apache-2.0
// What was done with queue configurations: which became active, which were refused, and how their texts differ.
import type { JSX } from 'preact';
import { useFeed, type Feed } from '../data/feed';
import { route, setQuery } from '../data/route';
import { activeEntry, chosenEntry, entryBefore, textPath, type ConfigEntry, type ConfigHistory } from '../model/config-history';
import { diffLines } from '../model/diff';
import { count, plural } from '../model/units';
import { DiffView, TextView } from '../ui/diff';
import { Ago, Badge, Choice, Empty, Facts, Loaded, Panel, Plain } from '../ui/parts';
import { withoutSettings } from './whatif';

const hourMs = 3_600_000; // texts do not change

function Outcome(props: { entry: ConfigEntry }): JSX.Element {
  if (props.entry.outcome === 'refused') return <Badge tone="bad">refused</Badge>;
  return props.entry.active ? <Badge tone="good">in force</Badge> : <Badge tone="idle">replaced</Badge>;
}

function List(props: { history: ConfigHistory; chosen: ConfigEntry | undefined }): JSX.Element {
  const { history, chosen } = props;
  return (
    <Panel title="Configurations" aside={<span>the latest first</span>}>
      <ul class="list pod-list config-list" aria-label="Configurations">
        {history.entries.map((entry) => (
          <li key={entry.id} class={entry.id === chosen?.id ? 'selected' : ''}>
            <button type="button" class="row-button" aria-pressed={entry.id === chosen?.id} onClick={() => setQuery({ entry: String(entry.id), with: undefined })}>
              <span class="list-main">
                <span class="config-when">
                  <Plain kind="place">{entry.id}</Plain> · <Ago ns={entry.time} />
                </span>
                <span class="muted wrap-2" data-number="said">{entry.error ?? entry.summary}</span>
              </span>
              <Outcome entry={entry} />
            </button>
          </li>
        ))}
      </ul>
      {history.total > history.kept && <p class="count-line" data-number="past">{plural(history.total - history.kept, 'other one', 'other ones')} not kept</p>}
    </Panel>
  );
}

function Changes(props: { entry: ConfigEntry }): JSX.Element | null {
  const { changes, changeCount = 0 } = props.entry;
  if (changes === undefined) return null;
  return (
    <>
      <h3 class="config-changes">{changes.length === 0 ? 'Nothing changed in the queues' : 'What it changed'}</h3>
      {changes.length > 0 && (
        <ul class="config-lines" tabIndex={0} aria-label="Changes">
          {changes.map((line, i) => (
            <li key={i}>
              <code>{line}</code>
            </li>
          ))}
          {changeCount > changes.length && <li class="muted" data-number="past">and {count(changeCount - changes.length)} more</li>}
        </ul>
      )}
    </>
  );
}

function NotKept(props: { entry: ConfigEntry }): JSX.Element {
  return <Empty title={`The text of configuration ${props.entry.id} is no longer kept`}>The scheduler keeps the texts of the newest configurations, 2 MiB together.</Empty>;
}

/** The texts of both, side by side in time. `other` undefined: only the text itself. */
function Difference(props: { entry: ConfigEntry; other: ConfigEntry | undefined; name: string }): JSX.Element {
  const { entry, other } = props;
  const text = useFeed<string>(textPath(entry), hourMs);
  // What is in force can always be had, in the words of the scheduler.
  const isRendered = other !== undefined && !other.hasText && other.active;
  const base: Feed<string> = useFeed<string>(isRendered ? 'ws/v1/config' : textPath(other), hourMs);
  if (!entry.hasText) return <NotKept entry={entry} />;
  if (other === undefined) return <Loaded feed={text}>{(shown) => <TextView text={shown} label={`Text of configuration ${entry.id}`} />}</Loaded>;
  if (!other.hasText && !isRendered) return <NotKept entry={other} />;
  return (
    <Loaded feed={text}>
      {(after) => (
        <Loaded feed={base}>{(before) => <DiffView lines={diffLines(isRendered ? withoutSettings(before) : before, after)} to={props.name} />}</Loaded>
      )}
    </Loaded>
  );
}

type With = 'before' | 'force' | 'none';

function Details(props: { history: ConfigHistory; entry: ConfigEntry }): JSX.Element {
  const { history, entry } = props;
  const before = entryBefore(history, entry);
  const active = entry.active ? undefined : activeEntry(history);
  const options: [With, string][] = [];
  if (before !== undefined) options.push(['before', `the one before (${before.id})`]);
  if (active !== undefined && active.id !== before?.id) options.push(['force', `the one in force (${active.id})`]);
  options.push(['none', 'nothing']);
  const wanted = route.value.query['with'];
  const kind = options.find(([value]) => value === wanted)?.[0] ?? options[0]![0];
  const other = kind === 'before' ? before : kind === 'force' ? active : undefined;
  return (
    <Panel title={`Configuration ${entry.id}`} aside={<Outcome entry={entry} />}>
      {entry.error !== undefined && <p class="verdict" data-number="said">{entry.error}</p>}
      <Facts
        rows={[
          [entry.outcome === 'applied' ? 'Applied' : 'Refused', <Ago ns={entry.time} />],
          (entry.repeated ?? 0) > 0 ? ['Refused again', <Plain kind="past">{plural(entry.repeated!, 'time', 'times')}</Plain>] : undefined,
          entry.summary === undefined ? undefined : ['What it did', <Plain kind="said">{entry.summary}</Plain>],
          ['Came with', entry.trigger === 'start' ? 'the start of the scheduler' : 'a reload'],
          entry.source === undefined ? undefined : ['From', <Plain kind="said">{entry.source}</Plain>],
          ['Checksum', <code class="checksum">{entry.checksum}</code>],
        ]}
      />
      <Changes entry={entry} />
      {options.length > 1 && <div class="config-with">
        <span class="muted" aria-hidden="true">
          Compare with
        </span>
        <Choice label="Compare with" value={kind} options={options} onChange={(value) => setQuery({ entry: String(entry.id), with: value === options[0]![0] ? undefined : value })} />
      </div>}
      <Difference key={`${entry.id} ${other?.id ?? ''}`} entry={entry} other={other} name={other === undefined ? '' : `configuration ${other.id}`} />
    </Panel>
  );
}

export function History(): JSX.Element {
  const feed = useFeed<ConfigHistory>('ws/v1/config/history', 5000);
  return (
    <Loaded feed={feed} what="The history of configurations" lines={8}>
      {(history) => {
        const entry = chosenEntry(history, route.value.query['entry']);
        return (
          <div class="columns history">
            <List history={history} chosen={entry} />
            {entry !== undefined ? (
              <Details history={history} entry={entry} />
            ) : (
              <Panel title="Configuration">
                <Empty title="This configuration is no longer in the history">The scheduler keeps 50 since its start.</Empty>
              </Panel>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
