// SPDX-License-Identifier: Apache-2.0
// Data that is asked for again and again while somebody looks at it. A page that is hidden asks for nothing.
import { signal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isConfigText } from '../model/config-history';
import { ApiError, request, token } from './api';

export interface Feed<T> {
  data: Signal<T | undefined>;
  error: Signal<ApiError | undefined>;
  /** performance.now() of the last answer. */
  updated: Signal<number>;
  /** From X-Total-Count. */
  total: Signal<number | undefined>;
  refresh(): void;
}

interface Entry extends Feed<unknown> {
  path: string;
  everyMs: number;
  users: number;
  etag: string;
  timer: number | undefined;
  abort: AbortController | undefined;
  dropTimer: number | undefined;
}

const entries = new Map<string, Entry>();
const keepMs = 15_000; // data of a page that was left, for whoever comes back

async function load(entry: Entry): Promise<void> {
  entry.abort?.abort();
  const abort = new AbortController();
  entry.abort = abort;
  const begin = performance.now();
  try {
    const isText = entry.path.endsWith('/metrics') || isConfigText(entry.path);
    const response = await request(entry.path, { etag: entry.etag, signal: abort.signal, ...(isText ? { accept: '*/*' } : {}) });
    if (response.status !== 304) {
      const body: unknown = isText ? await response.text() : await response.json();
      if (abort.signal.aborted) return;
      const total = response.headers.get('x-total-count');
      entry.total.value = total === null ? undefined : Number(total);
      entry.etag = response.headers.get('etag') ?? '';
      entry.data.value = body;
    }
    entry.error.value = undefined;
    entry.updated.value = performance.now();
  } catch (error) {
    if (abort.signal.aborted) return;
    entry.error.value = error instanceof ApiError ? error : new ApiError(0, 'The answer cannot be read.');
    entry.etag = '';
  }
  plan(entry, performance.now() - begin);
}

/** A slow server is asked less often: what waits for an answer is at most a fifth of the time. */
function plan(entry: Entry, tookMs: number): void {
  window.clearTimeout(entry.timer);
  if (entry.users === 0 || document.hidden) return;
  const status = entry.error.value?.status;
  const isMissing = status === 404 || status === 401 || status === 403 || status === 501;
  const delay = Math.max(entry.everyMs, 4 * tookMs, isMissing ? 15_000 : 0);
  entry.timer = window.setTimeout(() => void load(entry), delay);
}

function entryFor(path: string, everyMs: number): Entry {
  let entry = entries.get(path);
  if (entry === undefined) {
    const made: Entry = {
      path,
      everyMs,
      users: 0,
      etag: '',
      timer: undefined,
      abort: undefined,
      dropTimer: undefined,
      data: signal(undefined),
      error: signal(undefined),
      updated: signal(0),
      total: signal(undefined),
      refresh: () => void load(made),
    };
    entry = made;
    entries.set(path, entry);
  }
  entry.everyMs = Math.min(entry.everyMs, everyMs);
  return entry;
}

function acquire(entry: Entry): void {
  window.clearTimeout(entry.dropTimer);
  entry.users++;
  if (entry.users === 1 && (entry.updated.value === 0 || performance.now() - entry.updated.value > entry.everyMs / 2)) void load(entry);
  else if (entry.users === 1) plan(entry, 0);
}

function release(entry: Entry): void {
  entry.users--;
  if (entry.users > 0) return;
  window.clearTimeout(entry.timer);
  entry.abort?.abort();
  entry.dropTimer = window.setTimeout(() => {
    if (entry.users === 0) entries.delete(entry.path);
  }, keepMs);
}

const nothing: Feed<unknown> = {
  data: signal(undefined),
  error: signal(undefined),
  updated: signal(0),
  total: signal(undefined),
  refresh: () => undefined,
};

/** Polls `path` while the component is shown; undefined: nothing. */
export function useFeed<T>(path: string | undefined, everyMs = 2000): Feed<T> {
  const entry = path === undefined ? undefined : entryFor(path, everyMs);
  useEffect(() => {
    if (entry === undefined) return undefined;
    acquire(entry);
    return () => release(entry);
  }, [entry]);
  return (entry ?? nothing) as Feed<T>;
}

/** All that is shown is asked for at once: after an action, with another token, when the page is seen again. */
export function refreshAll(): void {
  for (const entry of entries.values()) {
    if (entry.users > 0) void load(entry);
  }
}

/** When anything was last heard of the server; performance.now(). */
export function lastUpdate(): number {
  let last = 0;
  for (const entry of entries.values()) last = Math.max(last, entry.updated.value);
  return last;
}

export function startFeeds(): void {
  document.addEventListener('visibilitychange', () => {
    for (const entry of entries.values()) {
      if (document.hidden) {
        window.clearTimeout(entry.timer);
      } else if (entry.users > 0) {
        void load(entry);
      }
    }
  });
  let known = token.value;
  token.subscribe((value) => {
    if (value === known) return;
    known = value;
    for (const entry of entries.values()) entry.etag = '';
    refreshAll();
  });
}
