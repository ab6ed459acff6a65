import type { PublicCtx } from '../context.ts';
import type { Site } from '../kit/http/server/site.ts';
import { badgeAnswer } from '../rendering/badges/badges.ts';
import { homePage } from '../rendering/home-page.ts';
import { bundleApps } from './app-bundle.ts';
import { assetsPaths, fileAnswer } from './app-page.ts';
import { consoleAnswer } from './console-site.ts';
import { scannerAnswer } from './scanner-site.ts';

/** What the service shows to browsers besides the API: the page of the service itself, badges and, where they are on, console and scanner. */
export function createSite(
  app: Pick<PublicCtx['app'], 'config' | 'now' | 'sessionCache' | 'log' | 'badges'>,
  hasConsole: boolean,
): Site {
  const bundle = hasConsole ? bundleApps(app.config.dataDir, app.log) : null;
  return async (request) => {
    const { path, headers } = request;
    // Programs get `not_found`.
    const isHome = path === '/' && headers.accept?.includes('text/html') === true;
    if (isHome) {
      const home = homePage(headers['accept-language'], hasConsole);
      return {
        status: 200,
        body: home.html,
        headers: { 'content-type': 'text/html; charset=utf-8', ...home.headers },
      };
    }
    const badge = badgeAnswer(app.badges, path);
    if (badge !== null || bundle === null) return badge;
    const assets = Object.values(assetsPaths).find((one) => path.startsWith(one));
    if (assets !== undefined) return fileAnswer(await bundle(), path.slice(assets.length), headers);
    return (await scannerAnswer(bundle, request)) ?? (await consoleAnswer(app, bundle, request));
  };
}
