// SPDX-License-Identifier: Apache-2.0
// Bars that are told apart by pattern as well as by colour.
import type { JSX } from 'preact';
import { amountWithName, percent } from '../model/units';

function width(part: number): { width: string } {
  return { width: `${Math.max(0, Math.min(1, part)) * 100}%` };
}

/** One resource of the whole cluster: used, what waits, and what there is. */
export function CapacityBar(props: { resource: string; used: number; capacity: number; pending: number }): JSX.Element {
  const { used, capacity, pending, resource } = props;
  const whole = Math.max(capacity, 1);
  const text = `${amountWithName(resource, used)} of ${amountWithName(resource, capacity)} in use${pending > 0 ? `, ${amountWithName(resource, pending)} waiting` : ''}`;
  return (
    <div class="bar" role="img" aria-label={text} title={text}>
      <span class={`fill used ${used / whole > 0.95 ? 'full' : ''}`} style={width(used / whole)} />
      {pending > 0 && <span class="fill pending" style={width(Math.min(pending / whole, 1 - Math.min(1, used / whole)))} />}
    </div>
  );
}

/**
 * A queue on the scale of the whole cluster: use within the guarantee (solid), beyond it (striped), what waits
 * (dotted), the maximum (end of the light track), the guarantee (a tick), the fair share (a triangle).
 */
export function QueueBar(props: {
  resource: string;
  scale: number;
  used: number;
  pending: number;
  guaranteed: number | undefined;
  maximum: number | undefined;
  fair: number | undefined;
}): JSX.Element {
  const { scale, used, pending, guaranteed, maximum, fair, resource } = props;
  const whole = Math.max(scale, 1);
  const within = guaranteed === undefined ? used : Math.min(used, guaranteed);
  const beyond = used - within;
  const room = Math.max(0, 1 - used / whole);
  const parts = [`${amountWithName(resource, used)} in use`];
  if (guaranteed !== undefined) parts.push(`${amountWithName(resource, guaranteed)} guaranteed`);
  if (maximum !== undefined) parts.push(`at most ${amountWithName(resource, maximum)}`);
  if (pending > 0) parts.push(`${amountWithName(resource, pending)} waiting`);
  if (beyond > 0) parts.push(`${amountWithName(resource, beyond)} beyond the guarantee`);
  if (fair !== undefined) parts.push(`fair share about ${amountWithName(resource, fair)}`);
  const text = parts.join(', ');
  return (
    <div class="qbar" role="img" aria-label={text} title={text}>
      <span class="qtrack" style={width(maximum === undefined ? 1 : maximum / whole)} />
      <span class="qfills">
        <span class="fill used" style={width(within / whole)} />
        {beyond > 0 && <span class="fill beyond" style={width(beyond / whole)} />}
        {pending > 0 && <span class="fill pending" style={width(Math.min(pending / whole, room))} />}
      </span>
      {guaranteed !== undefined && guaranteed > 0 && <span class="qmark guaranteed" style={{ left: `${Math.min(1, guaranteed / whole) * 100}%` }} />}
      {fair !== undefined && <span class="qmark fair" style={{ left: `${Math.min(1, fair / whole) * 100}%` }} />}
    </div>
  );
}

export function PartBar(props: { part: number; label: string }): JSX.Element {
  const text = `${props.label}: ${percent(props.part)}`;
  return (
    <span class="minibar" role="img" aria-label={text} title={text}>
      <span class={`fill used ${props.part > 0.95 ? 'full' : ''}`} style={width(props.part)} />
    </span>
  );
}
