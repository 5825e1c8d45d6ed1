// SPDX-License-Identifier: Apache-2.0
// The waiting pods of one reason. The server lists all of them together, so its list is read until enough were found.
import { useEffect, useState } from 'preact/hooks';
import type { Pending, PendingPod } from '../model/types';
import { ApiError, requestJson, token } from './api';

const pageSize = 1000;
export const podsOfReasonMax = 5000;

/** Those of `reason` in the list at `path`, in its order, while the component is shown; undefined: not read yet. `reason` undefined: nothing. */
export function usePodsOf(path: string, reason: string | undefined, everyMs: number): { pods: PendingPod[] | undefined; error: ApiError | undefined } {
  const [pods, setPods] = useState<PendingPod[]>();
  const [error, setError] = useState<ApiError>();
  const tokenNow = token.value;
  useEffect(() => {
    setPods(undefined);
    setError(undefined);
    if (reason === undefined) return undefined;
    let timer: number | undefined;
    let isAsking = false;
    const abort = new AbortController();
    const round = async (): Promise<void> => {
      window.clearTimeout(timer);
      if (isAsking || document.hidden) return;
      isAsking = true;
      const begin = performance.now();
      // The order can change from one page to the next: each pod is taken once.
      const found = new Map<string, PendingPod>();
      try {
        for (let offset = 0, more = true; more; offset += pageSize) {
          const page = await requestJson<Pending>(`${path}?limit=${pageSize}&offset=${offset}`, { signal: abort.signal });
          for (const pod of page.pending) if (pod.reason === reason) found.set(pod.allocationKey, pod);
          more = offset + pageSize < page.total && found.size < Math.min(podsOfReasonMax, page.reasons?.[reason] ?? 0);
        }
        setPods([...found.values()]);
        setError(undefined);
      } catch (caught) {
        if (!abort.signal.aborted) setError(caught instanceof ApiError ? caught : new ApiError(0, 'The answer cannot be read.'));
      }
      isAsking = false;
      if (!abort.signal.aborted) timer = window.setTimeout(() => void round(), Math.max(everyMs, 4 * (performance.now() - begin)));
    };
    const onVisible = (): void => void round();
    document.addEventListener('visibilitychange', onVisible);
    void round();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [path, reason, everyMs, tokenNow]);
  return { pods, error };
}
