import { readFileSync } from 'node:fs';

/** The script of the web card's page. */
export const pageScript = read('card.js');
/** The service worker of an installed web card. */
export const workerScript = read('sw.js');

/** They are sent as they stand. */
function read(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}
