import { readFileSync } from 'node:fs';

/** The first of them imports the others. */
export const scriptNames = ['live-card.js', 'draw-card.js', 'keep-card.js', 'page-parts.js'] as const;

/** The scripts of the web card's page, by name. */
export const pageScripts = new Map(scriptNames.map((name) => [name, read(name)]));
/** The service worker of an installed web card. */
export const workerScript = read('sw.js');

/** As they stand: browsers run what is written here. */
function read(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}
