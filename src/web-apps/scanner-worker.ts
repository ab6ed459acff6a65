import type { Answer } from '../kit/http/endpoints/endpoint.ts';
import { contentTag } from '../kit/http/endpoints/headers.ts';
import type { SiteRequest } from '../kit/http/server/site.ts';
import type { Bundle } from '../kit/web-bundle/bundled.ts';
import { assetsPaths, entryOf, scriptAnswer } from './app-page.ts';

/** Where the worker is that opens the scanner without a network. Its scope is the scanner's pages. */
export const workerPath = '/scan/sw.js';

/**
 * The worker, with the list of the files of this build: a text that changes with any of them, by which browsers see that there
 * is a newer one. `page` is what its page is answered with.
 */
export function workerAnswer(bundle: Bundle, page: string, headers: SiteRequest['headers']): Answer {
  const { script, styles, imports, later } = entryOf(bundle.entries, 'scanner');
  const appearance = entryOf(bundle.entries, 'appearance').script;
  const code = bundle.files.get(entryOf(bundle.entries, 'offline-worker').script)?.plain.toString() ?? '';
  const addresses = (names: readonly string[]) => names.map((name) => `${assetsPaths.scanner}${name}`);
  const files = {
    page: '/scan',
    assets: assetsPaths.scanner,
    now: addresses([appearance, script, ...styles, ...imports]),
    later: addresses(later),
  };
  const build = { version: contentTag(`${JSON.stringify(files)}${page}${code}`), ...files };
  return scriptAnswer(`self.build=${JSON.stringify(build)};\n${code}`, headers, {
    'service-worker-allowed': '/scan',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  });
}
