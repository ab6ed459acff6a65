import type { Page } from '../page.ts';

export const cardPages: readonly Page[] = [];
