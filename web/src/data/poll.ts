// SPDX-License-Identifier: Apache-2.0
// Asking the server again and again.
import { ApiError } from './api';

/**
 * Calls `ask` now, and again `everyMs` after each answer, or four times as long as the answer took if that is more; not
 * while the page is hidden. `onError` gets what `ask` throws. Returns the function that ends it.
 */
export function pollWhileShown(everyMs: number, ask: (signal: AbortSignal) => Promise<void>, onError: (error: ApiError) => void): () => void {
  let timer: number | undefined;
  let isAsking = false;
  const abort = new AbortController();
  const round = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (isAsking) return;
    isAsking = true;
    const begin = performance.now();
    try {
      await ask(abort.signal);
    } catch (caught) {
      if (!abort.signal.aborted) onError(caught instanceof ApiError ? caught : new ApiError(0, 'The answer cannot be read.'));
    }
    isAsking = false;
    if (!abort.signal.aborted && !document.hidden) timer = window.setTimeout(() => void round(), Math.max(everyMs, 4 * (performance.now() - begin)));
  };
  const onVisible = (): void => {
    if (document.hidden) window.clearTimeout(timer);
    else void round();
  };
  document.addEventListener('visibilitychange', onVisible);
  void round();
  return () => {
    abort.abort();
    window.clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
