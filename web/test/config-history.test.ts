// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { activeEntry, chosenEntry, entryBefore, isConfigText, textPath, type ConfigEntry, type ConfigHistory } from '../src/model/config-history';

function entry(id: number, outcome: ConfigEntry['outcome'], active = false): ConfigEntry {
  return { id, time: id, outcome, active, trigger: 'reload', checksum: `C${id}`, hasText: id !== 3 };
}

const history: ConfigHistory = {
  entries: [entry(7, 'refused'), entry(6, 'applied', true), entry(5, 'refused'), entry(4, 'applied'), entry(3, 'applied')],
  kept: 5,
  total: 7,
};

describe('history of configurations', () => {
  it('shows the newest unless the address names one', () => {
    expect(chosenEntry(history, undefined)?.id).toBe(7);
    expect(chosenEntry(history, '4')?.id).toBe(4);
    expect(chosenEntry(history, '2')).toBeUndefined();
    expect(chosenEntry(history, '4x')).toBeUndefined();
    expect(chosenEntry({ entries: [], kept: 0, total: 0 }, undefined)).toBeUndefined();
  });

  it('compares with what was in force, not with what was refused', () => {
    const before = (id: number): number | undefined => entryBefore(history, chosenEntry(history, String(id))!)?.id;
    expect(before(7)).toBe(6);
    expect(before(6)).toBe(4);
    expect(before(5)).toBe(4);
    expect(before(3)).toBeUndefined();
    expect(activeEntry(history)?.id).toBe(6);
  });

  it('asks for texts that are kept, each by its checksum', () => {
    expect(textPath(history.entries[0])).toBe('ws/v1/config/history/7?checksum=C7');
    expect(textPath(chosenEntry(history, '3'))).toBeUndefined();
    expect(textPath(undefined)).toBeUndefined();
    expect(isConfigText('ws/v1/config')).toBe(true);
    expect(isConfigText('ws/v1/config/history/7?checksum=C7')).toBe(true);
    expect(isConfigText('ws/v1/config/history')).toBe(false);
  });
});
