// SPDX-License-Identifier: Apache-2.0
// The waiting pods of one reason. The server lists all of them together, so its list is read until enough were found.
import { useEffect, useState } from 'preact/hooks';
import type { Pending, PendingPod } from '../model/types';
import { requestJson, token, type ApiError } from './api';
import { pollWhileShown } from './poll';

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
    const ask = async (signal: AbortSignal): Promise<void> => {
      // The order can change from one page to the next: each pod is taken once.
      const found = new Map<string, PendingPod>();
      for (let offset = 0, more = true; more; offset += pageSize) {
        const page = await requestJson<Pending>(`${path}?limit=${pageSize}&offset=${offset}`, { signal });
        for (const pod of page.pending) if (pod.reason === reason) found.set(pod.allocationKey, pod);
        more = offset + pageSize < page.total && found.size < Math.min(podsOfReasonMax, page.reasons?.[reason] ?? 0);
      }
      if (signal.aborted) return;
      setPods([...found.values()]);
      setError(undefined);
    };
    return pollWhileShown(everyMs, ask, setError).stop;
  }, [path, reason, everyMs, tokenNow]);
  return { pods, error };
}
