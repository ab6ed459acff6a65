import { Outside } from './outside.ts';
import { OwnService } from './own-service.ts';

/** What of the world around the service a sentence needs to be shown. */
export type Need = 'nothing' | 'image host' | 'store' | 'its own service';

/** What the suite runs against, and what of the outside world is at hand there. */
export interface Target {
  readonly url: string;
  readonly operatorToken: string;
  readonly outside: Outside | null;
  readonly own: OwnService | null;
}

/** The installation that the environment names, or a service of its own. */
export async function openTarget(env: Readonly<Record<string, string | undefined>>): Promise<Target> {
  const { CONTRACT_URL: url, CONTRACT_OPERATOR_TOKEN: operatorToken, CONTRACT_FAKES: folder } = env;
  if (url === undefined) return openOwn();
  if (operatorToken === undefined) throw new Error('An installation is asked with its operator token.');
  const outside = folder === undefined ? null : await Outside.start(folder);
  return { url: url.replace(/\/+$/, ''), operatorToken, outside, own: null };
}

async function openOwn(): Promise<Target> {
  const own = await OwnService.start();
  return { url: own.url, operatorToken: own.operatorToken, outside: await Outside.start(own.folder), own };
}

/** What to do so that a sentence with this need can be shown; null when it can be. */
export function missing(need: Need, { outside, own }: Target): string | null {
  if (need === 'nothing') return null;
  if (need === 'its own service') {
    return own === null
      ? 'takes the database away or reads the log of a service of its own: run it without --url'
      : null;
  }
  return outside === null
    ? `needs an ${need === 'store' ? 'online store' : need} that the service can reach: give --fakes`
    : null;
}
