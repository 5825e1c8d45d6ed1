// SPDX-License-Identifier: Apache-2.0
// The time of the scheduler: ours corrected by the server's, or the clock of a simulation.
import { signal } from '@preact/signals';
import { serverOffsetMs } from './api';

interface SimClock {
  atMs: number; // of the simulation
  realMs: number; // of performance.now() then
  speed: number; // 0: paused
}

/** Set while the cluster is simulated. */
export const simClock = signal<SimClock | undefined>(undefined);
/** Changes once a second, so that ages on the page move. */
export const tick = signal(0);

export function nowMs(): number {
  const sim = simClock.value;
  if (sim === undefined) return Date.now() + serverOffsetMs.value;
  // A clock that was not heard of for a while is not trusted further.
  return sim.atMs + Math.min(performance.now() - sim.realMs, 3000) * sim.speed;
}

export function startTicking(): void {
  setInterval(() => {
    if (!document.hidden) tick.value++;
  }, 1000);
}
