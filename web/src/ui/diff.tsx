// SPDX-License-Identifier: Apache-2.0
import type { JSX } from 'preact';
import { withContext, type DiffLine } from '../model/diff';
import { plural } from '../model/units';
import { Empty } from './parts';

const marks = { same: ' ', removed: '−', added: '+' };
const names = { same: '', removed: 'removed: ', added: 'added: ' };

export function DiffView(props: { lines: readonly DiffLine[] }): JSX.Element {
  const shown = withContext(props.lines);
  const added = props.lines.filter((line) => line.kind === 'added').length;
  const removed = props.lines.filter((line) => line.kind === 'removed').length;
  if (added + removed === 0) return <Empty title="No line differs from the active configuration" />;
  return (
    <>
      <p class="count-line">
        {plural(added, 'line')} added, {plural(removed, 'line')} removed
      </p>
      <div class="diff" tabIndex={0} role="region" aria-label="Difference to the active configuration">
        {shown.slice(0, 3000).map((line, i) =>
          line === null ? (
            <div key={i} class="diff-gap" aria-hidden="true">
              ⋯
            </div>
          ) : (
            <div key={i} class={`diff-line ${line.kind}`}>
              <span class="diff-number" aria-hidden="true">
                {line.after ?? line.before}
              </span>
              <span aria-hidden="true">{marks[line.kind]}</span>
              <span class="sr-only">{names[line.kind]}</span>
              <code>{line.text}</code>
            </div>
          ),
        )}
      </div>
    </>
  );
}
