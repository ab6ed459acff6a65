import type { PublicCtx } from '../context.ts';
import { homePage } from '../drawing/home-page.ts';
import type { Site } from '../kit/http/site.ts';
import { bundleConsole } from './console-bundle.ts';
import { consoleAnswer } from './console-site.ts';

/** What the service shows to browsers beside the API: the page of the service itself and, where it is on, the console. */
export function createSite(
  app: Pick<PublicCtx['app'], 'config' | 'now' | 'sessionCache' | 'log'>,
  hasConsole: boolean,
): Site {
  const home = homePage();
  const bundle = hasConsole ? bundleConsole(app.config.dataDir, app.log) : null;
  return async (request) => {
    // Programs are told that there is no such path.
    const isHome = request.path === '/' && request.headers.accept?.includes('text/html') === true;
    if (isHome)
      return {
        status: 200,
        body: home.html,
        headers: { 'content-type': 'text/html; charset=utf-8', ...home.headers },
      };
    return bundle === null ? null : consoleAnswer(app, bundle, request);
  };
}
