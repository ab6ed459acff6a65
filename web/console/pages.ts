import { match } from '../shared/router.ts';
import { cardPages } from './cards/pages.ts';
import { commercePages } from './commerce/pages.ts';
import { developerPages } from './developers/pages.ts';
import { homePages } from './home/pages.ts';
import { operatorPages } from './operator/pages.ts';
import type { Page } from './page.ts';
import { passPages } from './passes/pages.ts';
import { settingsPages } from './settings/pages.ts';

/** Contents of the console, in the order of the navigation. */
export const pages: readonly Page[] = [
  ...homePages,
  ...passPages,
  ...cardPages,
  ...commercePages,
  ...developerPages,
  ...settingsPages,
  ...operatorPages,
];

/** The page at a path with the parameters in it; null where there is none. */
export function findPage(path: string) {
  for (const page of pages) {
    const params = match(page.path, path);
    if (params !== null) return { page, params };
  }
  return null;
}
