// SPDX-License-Identifier: Apache-2.0
// Requests to the scheduler. Addresses are relative to the page, so that it works behind a path of a proxy.
import { signal } from '@preact/signals';

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no answer
    message: string,
  ) {
    super(message);
  }
}

const tokenKey = 'yunikorn-token';

function storedToken(): string {
  try {
    return sessionStorage.getItem(tokenKey) ?? '';
  } catch {
    return '';
  }
}

/** A bearer token for all requests. It lives as long as the tab. */
export const token = signal(storedToken());

export function setToken(text: string): void {
  token.value = text.trim().replace(/^Bearer\s+/i, '');
  try {
    if (token.value === '') sessionStorage.removeItem(tokenKey);
    else sessionStorage.setItem(tokenKey, token.value);
  } catch {
    // without storage it lasts until the page is left
  }
}

/** The last status of a data request, to say what access the page has: 0 before the first. */
export const lastStatus = signal(0);
/** Real time of the server minus ours, ms. */
export const serverOffsetMs = signal(0);

/** The text of an error body: JSON with a message, or a line of text. */
export function errorText(status: number, body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null) {
      const message = (parsed as Record<string, unknown>)['message'] ?? (parsed as Record<string, unknown>)['Message'];
      if (typeof message === 'string' && message !== '') return message;
    }
  } catch {
    // not JSON
  }
  const line = body.trim().split('\n')[0] ?? '';
  return line !== '' && !line.startsWith('<') ? line : `the server answered with status ${status}`;
}

function noteTime(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds: small differences say nothing.
  if (Number.isFinite(date) && Math.abs(date - Date.now()) > 3000) serverOffsetMs.value = date - Date.now();
  else serverOffsetMs.value = 0;
}

export interface RequestOptions {
  method?: string;
  body?: string;
  contentType?: string;
  accept?: string;
  etag?: string;
  signal?: AbortSignal;
}

/** Any answer below 400 and 304; everything else is an ApiError. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: options.accept ?? 'application/json' };
  if (token.value !== '') headers['Authorization'] = `Bearer ${token.value}`;
  if (options.etag !== undefined && options.etag !== '') headers['If-None-Match'] = options.etag;
  if (options.body !== undefined) headers['Content-Type'] = options.contentType ?? 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      ...(options.body !== undefined ? { body: options.body } : {}),
      ...(options.signal !== undefined ? { signal: options.signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    lastStatus.value = 0;
    throw new ApiError(0, 'The scheduler does not answer.');
  }
  noteTime(response);
  if (response.status === 401 || response.status === 403 || response.ok) lastStatus.value = response.status;
  if (response.ok || response.status === 304) return response;
  throw new ApiError(response.status, errorText(response.status, await response.text()));
}

export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

export const enc = encodeURIComponent;
/** The path of a partition's resource. */
export function partitionPath(partition: string, rest: string): string {
  return `ws/v1/partition/${enc(partition)}/${rest}`;
}
