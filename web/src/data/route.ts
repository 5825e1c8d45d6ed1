// SPDX-License-Identifier: Apache-2.0
// The state of the page is in its address, after the #: `#/applications/app-1?partition=default&state=active`.
import { signal } from '@preact/signals';

export interface Route {
  page: string;
  /** Further parts of the path, decoded. */
  rest: string[];
  query: Record<string, string>;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const path = (mark < 0 ? text : text.slice(0, mark)).split('/').map(decode);
  const query: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1))) query[key] = value;
  return { page: path[0] || 'overview', rest: path.slice(1).filter((part) => part !== ''), query };
}

export function formatRoute(page: string, rest: readonly string[] = [], query: Readonly<Record<string, string | undefined>> = {}): string {
  const path = [page, ...rest].map(encodeURIComponent).join('/');
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  const search = new URLSearchParams(pairs.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

export const route = signal<Route>(typeof location === 'undefined' ? parseRoute('') : parseRoute(location.hash));

/** Keeps what belongs to every page: the partition. */
export function href(page: string, rest: readonly string[] = [], query: Readonly<Record<string, string | undefined>> = {}): string {
  const partition = route.value.query['partition'];
  return formatRoute(page, rest, partition === undefined ? query : { partition, ...query });
}

/** Changes parts of the query, without a step in the history. The part of the page that a link led to is no longer wanted. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const now = route.value;
  const target = formatRoute(now.page, now.rest, { ...now.query, at: undefined, ...changes });
  history.replaceState(null, '', target);
  route.value = parseRoute(target);
}

export function go(target: string): void {
  location.hash = target;
}

export function partition(): string {
  return route.value.query['partition'] ?? 'default';
}

export function startRouting(): void {
  addEventListener('hashchange', () => {
    const before = route.value.page + '/' + route.value.rest.join('/');
    route.value = parseRoute(location.hash);
    const after = route.value.page + '/' + route.value.rest.join('/');
    if (before !== after) scrollTo(0, 0);
  });
}
