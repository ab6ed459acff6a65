import type { Page } from '../page.ts';

export const passPages: readonly Page[] = [];
