import type { en } from '../en/scanner.ts';

export const de: typeof en = {
  title: 'Scanner',
};
