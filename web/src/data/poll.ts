// SPDX-License-Identifier: Apache-2.0
// Asking the server again and again.
import { ApiError } from './api';

export interface Poll {
  /** Asks now, or as soon as the answer that is awaited has come. */
  askNow: () => void;
  stop: () => void;
}

/**
 * Calls `ask` now, and again `everyMs` after each answer, or four times as long as the answer took if that is more; not
 * while the page is hidden. `onError` gets what `ask` throws.
 */
export function pollWhileShown(everyMs: number, ask: (signal: AbortSignal) => Promise<void>, onError: (error: ApiError) => void): Poll {
  let timer: number | undefined;
  let isAsking = false;
  let isWanted = false; // again, right after this answer
  const abort = new AbortController();
  const round = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (isAsking) return;
    isAsking = true;
    const begin = performance.now();
    do {
      isWanted = false;
      try {
        await ask(abort.signal);
      } catch (caught) {
        if (!abort.signal.aborted) onError(caught instanceof ApiError ? caught : new ApiError(0, 'The answer cannot be read.'));
      }
    } while (isWanted && !abort.signal.aborted);
    isAsking = false;
    if (!abort.signal.aborted && !document.hidden) timer = window.setTimeout(() => void round(), Math.max(everyMs, 4 * (performance.now() - begin)));
  };
  const onVisible = (): void => {
    if (document.hidden) window.clearTimeout(timer);
    else void round();
  };
  document.addEventListener('visibilitychange', onVisible);
  void round();
  return {
    askNow: () => {
      isWanted = true;
      void round();
    },
    stop: () => {
      abort.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
