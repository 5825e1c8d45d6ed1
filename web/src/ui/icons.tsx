// SPDX-License-Identifier: Apache-2.0
// Line icons of 16 by 16, drawn for this page.
import type { JSX } from 'preact';

const paths: Record<string, string> = {
  overview: 'M2 13V8M6 13V3M10 13V6M14 13v-3',
  queues: 'M3 3v10M3 5h5M3 10h8M11 3h2v4h-5V3zM11 8h2v4h-2z',
  applications: 'M2 3h12v3H2zM2 8h12v2H2zM2 12h8',
  nodes: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  users: 'M6 7a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 14c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5M10.5 2.5a2.5 2.5 0 0 1 0 4.5M12 9.8c1.6.6 2.5 2 2.5 4.2',
  preemptions: 'M2 5h9l-3-3M14 11H5l3 3',
  whatif: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M8 13v.1',
  configuration: 'M2 4h7M12 4h2M2 8h2M7 8h7M2 12h6M11 12h3M10.5 2.5v3M5.5 6.5v3M9.5 10.5v3',
  events: 'M8 2v6l3.5 2M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3',
  close: 'M4 4l8 8M12 4l-8 8',
  key: 'M5.5 10.5a3 3 0 1 0 0-5 3 3 0 0 0 0 5zM8 8h6M12 8v2.5',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  auto: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h4.5M8 8h6M8 11h4.5',
  play: 'M5 3l8 5-8 5z',
  pause: 'M5 3v10M11 3v10',
  step: 'M4 3l6 5-6 5zM12 3v10',
  plus: 'M8 3v10M3 8h10',
  drain: 'M8 2v8M5 7l3 3 3-3M3 13h10',
  up: 'M8 13V4M4.5 7.5L8 4l3.5 3.5',
  gang: 'M3 3h4v4H3zM9 9h4v4H9zM9 3h4v4H9zM3 9h4v4H3z',
  right: 'M6 3l5 5-5 5',
  down: 'M3 6l5 5 5-5',
};

export function Icon(props: { name: string }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[props.name] ?? ''} />
    </svg>
  );
}
