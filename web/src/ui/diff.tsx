// SPDX-License-Identifier: Apache-2.0
import type { JSX } from 'preact';
import { withContext, type DiffLine } from '../model/diff';
import { plural } from '../model/units';
import { Empty } from './parts';

const marks = { same: ' ', removed: '−', added: '+' };
const names = { same: '', removed: 'removed: ', added: 'added: ' };

/** At most so many lines are in the document. */
const linesMax = 3000;
const textLinesMax = 20_000;

export function TextView(props: { text: string; label: string }): JSX.Element {
  const lines = props.text.replace(/\n$/, '').split('\n');
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={props.label}>
      {lines.slice(0, textLinesMax).map((line, i) => (
        <div key={i} class="diff-line same">
          <span class="diff-number" data-number="place" aria-hidden="true">
            {i + 1}
          </span>
          <span aria-hidden="true"> </span>
          <code>{line}</code>
        </div>
      ))}
      {lines.length > textLinesMax && <div class="diff-gap" data-number="past">and {plural(lines.length - textLinesMax, 'more line', 'more lines')}</div>}
    </div>
  );
}

/** `to`: what the lines are compared with. */
export function DiffView(props: { lines: readonly DiffLine[]; to?: string }): JSX.Element {
  const to = props.to ?? 'the active configuration';
  const shown = withContext(props.lines);
  const added = props.lines.filter((line) => line.kind === 'added').length;
  const removed = props.lines.filter((line) => line.kind === 'removed').length;
  if (added + removed === 0) return <Empty title={`No line differs from ${to}`} />;
  return (
    <>
      <p class="count-line" data-number="listed">
        {plural(added, 'line')} added, {plural(removed, 'line')} removed
      </p>
      <div class="diff" tabIndex={0} role="region" aria-label={`Difference to ${to}`}>
        {shown.slice(0, linesMax).map((line, i) =>
          line === null ? (
            <div key={i} class="diff-gap" aria-hidden="true">
              ⋯
            </div>
          ) : (
            <div key={i} class={`diff-line ${line.kind}`}>
              <span class="diff-number" data-number="place" aria-hidden="true">
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
