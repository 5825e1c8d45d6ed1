// SPDX-License-Identifier: Apache-2.0
// A long list of the server, of which only the part in view is fetched, a page at a time.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { enc, request, token, type ApiError } from './api';
import { pollWhileShown } from './poll';

export interface WindowedList<T> {
  /** Rows there are, as far as is known. */
  count: number;
  /** false: more rows may follow. */
  isExact: boolean;
  row: (index: number) => T | undefined;
  onRange: (from: number, to: number) => void;
  error: ApiError | undefined;
  isLoading: boolean;
}

const pageSizeUsual = 200;
const pagesKept = 20;

interface Loaded<T> {
  pages: Map<number, T[]>;
  count: number;
  isExact: boolean;
}

/** `after`: what the server said follows the page before, a moment ago; then nothing is missed between the two. */
function withPage(path: string, page: number, pageSize: number, after: string | undefined): string {
  const from = after === undefined ? `offset=${page * pageSize}` : `after=${enc(after)}`;
  return `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}&${from}`;
}

/**
 * `path` lists JSON objects and takes limit and offset. `pick` takes the list out of an answer that is not one
 * itself, and the total if the answer has it. `pageSize`: rows that are asked for at a time; it does not change.
 */
export function useWindow<T>(path: string, pick?: (body: unknown) => { items: T[]; total: number | undefined }, everyMs = 3000, pageSize = pageSizeUsual): WindowedList<T> {
  const [state, setState] = useState<Loaded<T>>({ pages: new Map(), count: 0, isExact: false });
  const [error, setError] = useState<ApiError>();
  const [isLoading, setLoading] = useState(true);
  const range = useRef<[number, number]>([0, 1]);
  const wake = useRef<() => void>(() => undefined);
  const tokenNow = token.value;

  useEffect(() => {
    let held: Loaded<T> = { pages: new Map(), count: 0, isExact: false };
    let isScrolled = false; // then pages that are held need not be asked for
    setState(held);
    setError(undefined);
    setLoading(true);

    /** Answers what the next page begins after, if the server says it. */
    async function fetchPage(page: number, after: string | undefined, signal: AbortSignal): Promise<string | undefined> {
      const response = await request(withPage(path, page, pageSize, after), { signal });
      const body: unknown = await response.json();
      const header = response.headers.get('x-total-count');
      const picked = pick === undefined ? { items: body as T[], total: undefined } : pick(body);
      const total = header !== null ? Number(header) : picked.total;
      const end = page * pageSize + picked.items.length;
      const pages = new Map(held.pages);
      pages.set(page, picked.items);
      while (pages.size > pagesKept) {
        const far = [...pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page))[0]!;
        pages.delete(far);
      }
      if (total !== undefined) held = { pages, count: total, isExact: true };
      else if (picked.items.length < pageSize && (picked.items.length > 0 || page === 0)) held = { pages, count: end, isExact: true };
      else if (picked.items.length === 0) held = { pages, count: Math.min(held.count, end), isExact: true };
      else held = { pages, count: Math.max(held.count, end + 1), isExact: held.isExact };
      return response.headers.get('x-next-after') ?? undefined;
    }

    const ask = async (signal: AbortSignal): Promise<void> => {
      const onlyMissing = isScrolled;
      isScrolled = false;
      const [from, to] = range.current;
      const first = Math.floor(from / pageSize);
      const last = Math.floor(Math.max(from, to - 1) / pageSize);
      let after: string | undefined;
      for (let page = first; page <= last; page++) {
        if (onlyMissing && held.pages.has(page)) {
          after = undefined;
          continue;
        }
        if (page > 0 && held.isExact && page * pageSize >= held.count) continue;
        after = await fetchPage(page, after, signal);
      }
      if (signal.aborted) return;
      setState(held);
      setError(undefined);
      setLoading(false);
    };
    const poll = pollWhileShown(everyMs, ask, (failed) => {
      setError(failed);
      setLoading(false);
    });
    wake.current = () => {
      isScrolled = true;
      poll.askNow();
    };
    return poll.stop;
  }, [path, tokenNow]);

  const row = useCallback((index: number): T | undefined => state.pages.get(Math.floor(index / pageSize))?.[index % pageSize], [state]);
  const debounce = useRef<number>();
  const onRange = useCallback((from: number, to: number): void => {
    range.current = [from, to];
    window.clearTimeout(debounce.current);
    debounce.current = window.setTimeout(() => wake.current(), 60);
  }, []);
  return { count: state.count, isExact: state.isExact, row, onRange, error, isLoading };
}
