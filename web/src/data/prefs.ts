// SPDX-License-Identifier: Apache-2.0
// What a person chose on this browser: colours, and the resource that bars show.
import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

function read(key: string): string | null {
  try {
    return localStorage.getItem(`yunikorn-${key}`);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`yunikorn-${key}`, value);
  } catch {
    // lasts until the page is left
  }
}

const stored = read('theme');
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'auto');
/** Counts changes of colours, for what is drawn on canvases. */
export const paint = signal(0);

export function isDark(): boolean {
  return theme.value === 'dark' || (theme.value === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
}

export function startTheme(): void {
  effect(() => {
    write('theme', theme.value);
    document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
    paint.value = paint.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
    paint.value++;
  });
}
