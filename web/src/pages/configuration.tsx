// SPDX-License-Identifier: Apache-2.0
// Configuration: the one in force, how it places pods, how a pasted one differs, and those before it.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, partitionPath, request, token } from '../data/api';
import { refreshAll, useFeed } from '../data/feed';
import { partition, route, setQuery } from '../data/route';
import { diffLines } from '../model/diff';
import type { Cluster, Rule } from '../model/types';
import { plainText } from '../model/units';
import { doSteps, sim } from '../sim/state';
import { DiffView, TextView } from '../ui/diff';
import { Ago, Choice, Empty, Facts, Loaded, PageHead, Panel, Plain } from '../ui/parts';
import { History } from './config-history';
import { validate, VerdictView, withoutSettings, type Verdict } from './whatif';

function Rules(): JSX.Element {
  const feed = useFeed<Rule[]>(partitionPath(partition(), 'placementrules'), 15_000);
  const text = (rule: Rule): string => {
    const parts = Object.entries(rule.parameters ?? {}).map(([key, value]) => plainText(`${key} ${value}`));
    if (rule.filter !== undefined) parts.push(`filter: ${rule.filter.type} ${[...(rule.filter.userList ?? []), rule.filter.userExp ?? '', ...(rule.filter.groupList ?? []), rule.filter.groupExp ?? ''].filter((t) => t !== '').join(', ')}`);
    if (rule.parentRule !== undefined) parts.push(`below ${rule.parentRule.name}`);
    return parts.join('; ');
  };
  return (
    <Panel title="How pods get their queue">
      <Loaded feed={feed} lines={2}>
        {(rules) => (
          <ol class="rules">
            {rules.map((rule, i) => (
              <li key={i}>
                <strong>{rule.name}</strong>{' '}
                <span class="muted" data-number="said">
                  {text(rule)}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Panel>
  );
}

function Build(): JSX.Element {
  const feed = useFeed<Cluster[]>('ws/v1/clusters', 30_000);
  return (
    <Panel title="Scheduler">
      <Loaded feed={feed} lines={2}>
        {(clusters) => {
          const build = clusters[0]?.rmBuildInformation?.[0] ?? {};
          return (
            <Facts
              rows={[
                ['Version', <Plain kind="place">{build['buildVersion'] ?? '–'}</Plain>],
                ['Revision', <Plain kind="said">{build['coreSHA'] ?? '–'}</Plain>],
                ['Built', <Plain kind="place">{build['buildDate'] ?? '–'}</Plain>],
                ['Started', <Ago ns={clusters[0]?.startTime} />],
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Only over the version that was looked at: the body carries its checksum. */
function withChecksum(text: string, active: string): string {
  const checksum = /^checksum: '?([0-9A-Fa-f]+)'?$/m.exec(active)?.[1];
  return checksum === undefined || /^checksum:/m.test(text) ? text : `${text.replace(/\n?$/, '\n')}checksum: ${checksum}\n`;
}

function Compare(props: { active: string }): JSX.Element {
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<Verdict>();
  const [said, setSaid] = useState<ComponentChildren>();
  const simulated = sim.value !== undefined;
  const mayApply = token.value !== '' || simulated;
  const fail = (error: unknown): void => setSaid(<span class="warning">{error instanceof ApiError ? error.message : String(error)}</span>);
  const check = async (): Promise<void> => {
    setSaid(undefined);
    try {
      setVerdict(await validate(text));
    } catch (error) {
      fail(error);
    }
  };
  const apply = async (): Promise<void> => {
    if (!confirm('Replace the active configuration?')) return;
    try {
      if (simulated) await doSteps({ note: 'the queues were changed on the page', reload: text });
      else await request('ws/v1/config', { method: 'PUT', body: withChecksum(text, props.active), contentType: 'application/yaml' });
      setSaid('The new configuration is stored; the scheduler takes it at once.');
      refreshAll();
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div class="columns even">
      <Panel
        title="Another configuration"
        aside={
          <button type="button" class="button quiet" onClick={() => setText(withoutSettings(props.active))}>
            Start from the active one
          </button>
        }
      >
        <label class="sr-only" for="config-text">
          queues.yaml
        </label>
        <textarea
          id="config-text"
          class="code"
          rows={24}
          spellcheck={false}
          placeholder="Paste queues.yaml"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setVerdict(undefined);
          }}
        />
        <div class="panel-buttons">
          <button type="button" class="button primary" disabled={text.trim() === ''} onClick={() => void check()}>
            Check it
          </button>
          {mayApply && (
            <button type="button" class="button" disabled={verdict?.allowed !== true} onClick={() => void apply()}>
              Make it active
            </button>
          )}
          <span role="status">{said}</span>
        </div>
      </Panel>
      <Panel title="Difference to the active one">
        {verdict !== undefined && <VerdictView verdict={verdict} />}
        {text.trim() === '' ? <Empty title="Paste a configuration on the left" /> : <DiffView lines={diffLines(withoutSettings(props.active), text)} />}
      </Panel>
    </div>
  );
}

export function ConfigurationPage(): JSX.Element {
  const feed = useFeed<string>('ws/v1/config', 10_000);
  const view = route.value.query['view'];
  const kind = view === 'compare' || view === 'history' ? view : 'active';
  return (
    <>
      <PageHead title="Configuration">
        <Choice
          label="View"
          value={kind}
          options={[
            ['active', 'In force'],
            ['compare', 'Compare'],
            ['history', 'History'],
          ]}
          onChange={(value) => setQuery({ view: value === 'active' ? undefined : value, entry: undefined, with: undefined })}
        />
      </PageHead>
      {kind === 'history' ? (
        <History />
      ) : kind === 'compare' ? (
        <Loaded feed={feed}>{(text) => <Compare active={text} />}</Loaded>
      ) : (
        <div class="columns">
          <Panel title="In force" class="wide">
            <Loaded feed={feed} lines={10}>
              {(text) => <TextView text={text} label="Active configuration" />}
            </Loaded>
          </Panel>
          <div class="stack">
            <Rules />
            <Build />
          </div>
        </div>
      )}
    </>
  );
}
