// SPDX-License-Identifier: Apache-2.0
// Queue configurations that became active or were refused (docs/reference/rest.md 5.3): which one is compared with which.

export interface ConfigEntry {
  id: number;
  time: number;
  outcome: 'applied' | 'refused';
  active: boolean;
  trigger: 'start' | 'reload';
  source?: string;
  checksum: string;
  error?: string;
  /** How often it was refused again; only of refused ones. */
  repeated?: number;
  summary?: string;
  changes?: string[];
  changeCount?: number;
  hasText: boolean;
}

export interface ConfigHistory {
  /** The newest first. */
  entries: ConfigEntry[];
  kept: number;
  total: number;
}

/** The entry with the id in the address; the newest if there is none. */
export function chosenEntry(history: ConfigHistory, id: string | undefined): ConfigEntry | undefined {
  return id === undefined ? history.entries[0] : history.entries.find((entry) => String(entry.id) === id);
}

/** What was in force when this one came. */
export function entryBefore(history: ConfigHistory, entry: ConfigEntry): ConfigEntry | undefined {
  return history.entries.find((other) => other.id < entry.id && other.outcome === 'applied');
}

export function activeEntry(history: ConfigHistory): ConfigEntry | undefined {
  return history.entries.find((entry) => entry.active);
}

/** The path of its text. After a restart, ids are given again: the checksum tells the texts apart. */
export function textPath(entry: ConfigEntry | undefined): string | undefined {
  return entry?.hasText === true ? `ws/v1/config/history/${entry.id}?checksum=${encodeURIComponent(entry.checksum)}` : undefined;
}

export function isConfigText(path: string): boolean {
  return /\/config(\/history\/\d+(\?.*)?)?$/.test(path);
}
