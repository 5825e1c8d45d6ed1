// SPDX-License-Identifier: Apache-2.0
// `yunikorn simulate --web`: whether the cluster is simulated, its clock, and what can be done to it.
import { signal } from '@preact/signals';
import { ApiError, request, requestJson } from '../data/api';
import { simClock } from '../data/clock';
import { refreshAll } from '../data/feed';
import { pollWhileShown } from '../data/poll';
import type { SimState } from '../model/types';

/** undefined: the cluster is real, or that is not known yet. */
export const sim = signal<SimState | undefined>(undefined);
/** Whether it is known if the cluster is simulated. Before that, times cannot be shown: a simulation has a clock of its own. */
export const isModeKnown = signal(false);

function take(state: SimState): void {
  simClock.value = { atMs: state.now / 1e6, realMs: performance.now(), speed: state.paused ? 0 : state.speed };
  sim.value = state;
  isModeKnown.value = true;
}

async function look(): Promise<void> {
  take(await requestJson<SimState>('sim/v1/state'));
}

/** Asks whether the cluster is simulated; if it is, its state every second from then on. */
export function startSimulation(): void {
  requestJson<{ simulated: boolean }>('ui/mode').then(
    ({ simulated }) => {
      if (simulated) pollWhileShown(1000, look, () => undefined); // the page says elsewhere that the server does not answer
      else isModeKnown.value = true;
    },
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 0) window.setTimeout(startSimulation, 3000);
      else isModeKnown.value = true;
    },
  );
}

export async function setClock(change: { paused?: boolean; speed?: number; forward?: string }): Promise<void> {
  take(await requestJson<SimState>('sim/v1/clock', { method: 'POST', body: JSON.stringify(change) }));
  refreshAll();
}

/** Does steps of a scenario now (docs/reference/simulate.md, "Steps"). */
export async function doSteps(...steps: Record<string, unknown>[]): Promise<void> {
  const body = JSON.stringify({ timeline: steps.map((step) => ({ at: '0s', ...step })) });
  await request('sim/v1/steps', { method: 'POST', body });
  await look();
  window.setTimeout(refreshAll, 150);
}
