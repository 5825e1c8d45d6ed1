// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollWhileShown } from '../src/data/poll';

const page = Object.assign(new EventTarget(), { hidden: false });

function setHidden(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', globalThis);
  page.hidden = false;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A question that is answered when the test says so. */
function questions(): { ask: (signal: AbortSignal) => Promise<void>; answer: () => Promise<void>; asked: () => number } {
  const open: (() => void)[] = [];
  let asked = 0;
  return {
    ask: () => {
      asked++;
      return new Promise((resolve) => open.push(resolve));
    },
    answer: async () => {
      open.shift()!();
      await vi.advanceTimersByTimeAsync(0);
    },
    asked: () => asked,
  };
}

test('a question follows each answer after a pause', async () => {
  const { ask, answer, asked } = questions();
  const poll = pollWhileShown(1000, ask, () => undefined);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked()).toBe(1); // one at a time
  await answer();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(asked()).toBe(1); // four times as long as the answer took
  await vi.advanceTimersByTimeAsync(1100);
  expect(asked()).toBe(2);
  await answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked()).toBe(3);
  poll.stop();
});

test('askNow() asks at once, or right after the answer that is awaited', async () => {
  const { ask, answer, asked } = questions();
  const poll = pollWhileShown(1000, ask, () => undefined);
  poll.askNow();
  poll.askNow();
  expect(asked()).toBe(1);
  await answer();
  expect(asked()).toBe(2);
  await answer();
  expect(asked()).toBe(2);
  poll.askNow();
  expect(asked()).toBe(3);
  await answer();
  await vi.advanceTimersByTimeAsync(999);
  expect(asked()).toBe(3); // the pause begins with that answer
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toBe(4);
  poll.stop();
});

test('a hidden page asks for nothing, and at once when it is seen again', async () => {
  const { ask, answer, asked } = questions();
  const poll = pollWhileShown(1000, ask, () => undefined);
  await answer();
  setHidden(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(1);
  setHidden(false);
  expect(asked()).toBe(2);
  poll.stop();
});

test('nothing is asked or said after the end', async () => {
  const errors: string[] = [];
  let asked = 0;
  const poll = pollWhileShown(
    1000,
    async (signal) => {
      asked++;
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    (error) => errors.push(error.message),
  );
  poll.stop();
  setHidden(true);
  setHidden(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([asked, errors]).toEqual([1, []]);
});

test('what is thrown is told, and the next question comes', async () => {
  const errors: string[] = [];
  let asked = 0;
  const poll = pollWhileShown(
    1000,
    async () => {
      asked++;
      throw new SyntaxError('not JSON');
    },
    (error) => errors.push(error.message),
  );
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(2);
  expect(errors[0]).toBe('The answer cannot be read.');
  poll.stop();
});
