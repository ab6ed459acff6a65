import type { Page } from '../page.ts';

export const operatorPages: readonly Page[] = [];
