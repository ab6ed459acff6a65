import type { Page } from '../page.ts';

export const commercePages: readonly Page[] = [];
