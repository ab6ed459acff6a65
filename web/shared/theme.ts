import { signal } from '@preact/signals';
import { recall, remember } from './remembered.ts';

export type Theme = 'system' | 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = signal<Theme>(asTheme(recall('theme')));

export function chooseTheme(chosen: Theme): void {
  remember('theme', chosen === 'system' ? null : chosen);
  theme.value = chosen;
  apply();
}

/** Colours the page, and goes on doing so when the system changes. */
export function followTheme(): void {
  system.addEventListener('change', apply);
  apply();
}

function apply(): void {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

function asTheme(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
