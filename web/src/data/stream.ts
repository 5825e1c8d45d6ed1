// SPDX-License-Identifier: Apache-2.0
// Events as they come: the stream of the server, one JSON object per line.
import { ApiError, request } from './api';

/** Cuts a stream of bytes into lines. `push` returns those that are complete. */
export function lineCutter(max = 1 << 20): { push: (text: string) => string[] } {
  let rest = '';
  return {
    push(text: string): string[] {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > max) rest = '';
      return lines.filter((line) => line !== '');
    },
  };
}

/** Follows a stream until it ends or is aborted. `onLines` gets the lines of each piece together. */
export async function follow(path: string, signal: AbortSignal, onLines: (lines: string[]) => void): Promise<void> {
  const response = await request(path, { signal });
  if (response.body === null) throw new ApiError(0, 'This browser cannot read streams.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const cutter = lineCutter();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = cutter.push(decoder.decode(value, { stream: true }));
    if (lines.length > 0) onLines(lines);
  }
}
