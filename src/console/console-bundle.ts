import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bundle, openBundle } from '../kit/web-bundle/bundle.ts';

/** The program's own folder, which may be read-only. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the console is made of, for browsers. */
export type ConsoleBundle = () => Promise<Bundle>;

/** Begins to make it, or to read what a start before has made; who asks waits for it. What failed is tried again. */
export function startConsoleBundle(dataDir: string, onError: (error: unknown) => void): ConsoleBundle {
  let opening: Promise<Bundle> | null = null;
  const open = () => {
    opening ??= openBundle({
      root,
      entries: ['web/console/console.tsx', 'web/console/appearance.ts'],
      sources: ['web', 'sdk/typescript/src'],
      keptIn: join(dataDir, 'web'),
    }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  open().catch(onError);
  return open;
}
