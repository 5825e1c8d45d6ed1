// SPDX-License-Identifier: Apache-2.0
// A list of the server that is needed whole, such as the nodes for a map. It comes in pages, so that no answer takes long
// to read, and a page that has not changed since the last time is not read again.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { enc, request, token, type ApiError } from './api';
import type { Feed } from './feed';
import { pollWhileShown } from './poll';

const pageSize = 500;

interface Page<T> {
  etag: string;
  next: string | undefined;
  items: T[];
}

/** Pages by what they begin after. */
type Pages<T> = Map<string, Page<T>>;

async function fetchPage<T>(path: string, after: string, known: Page<T> | undefined, abort: AbortSignal): Promise<Page<T>> {
  // A full page that was the last one is not asked with its tag: unchanged, it would not say that another one follows now.
  const isFull = known !== undefined && known.next === undefined && known.items.length >= pageSize;
  const from = after === '' ? '' : `&after=${enc(after)}`;
  const response = await request(`${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}${from}`, { etag: isFull ? '' : (known?.etag ?? ''), signal: abort });
  if (response.status === 304 && known !== undefined) return known;
  return { etag: response.headers.get('etag') ?? '', next: response.headers.get('x-next-after') ?? undefined, items: (await response.json()) as T[] };
}

/** All pages, and whether any differs from `known`. */
async function fetchAll<T>(path: string, known: Pages<T>, abort: AbortSignal): Promise<{ pages: Pages<T>; isNew: boolean }> {
  const pages: Pages<T> = new Map();
  let isNew = false;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Page<T> = await fetchPage(path, after, known.get(after), abort);
    isNew ||= page !== known.get(after);
    pages.set(after, page);
    // A server that does not move on would keep us here.
    after = page.next !== undefined && !pages.has(page.next) ? page.next : undefined;
  }
  return { pages, isNew: isNew || pages.size !== known.size };
}

/** Polls the whole list at `path` while the component is shown. `refresh` does nothing: the next round comes soon. */
export function useWhole<T>(path: string, everyMs: number): Feed<T[]> {
  const tokenNow = token.value;
  const feed = useMemo<Feed<T[]>>(
    () => ({ data: signal(undefined), error: signal(undefined), updated: signal(0), total: signal(undefined), refresh: () => undefined }),
    [path, tokenNow],
  );
  useEffect(() => {
    let known: Pages<T> = new Map();
    const ask = async (stop: AbortSignal): Promise<void> => {
      const { pages, isNew } = await fetchAll(path, known, stop);
      if (stop.aborted) return;
      known = pages;
      if (isNew) feed.data.value = [...pages.values()].flatMap((page) => page.items);
      feed.error.value = undefined;
      feed.updated.value = performance.now();
    };
    const onError = (error: ApiError): void => {
      feed.error.value = error;
      known = new Map();
    };
    return pollWhileShown(everyMs, ask, onError).stop;
  }, [feed]);
  return feed;
}
