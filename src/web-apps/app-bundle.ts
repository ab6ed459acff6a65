import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBundle } from '../kit/web-bundle/bundle.ts';
import type { Bundle } from '../kit/web-bundle/bundled.ts';

/** The program's own folder, which may be read-only. */
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Log {
  error(fields: object, message: string): void;
}

/** What console and scanner are made of, for browsers. */
export type AppBundle = () => Promise<Bundle>;

/** Begins to make it, or to read what a start before has made; who asks waits for it. What failed is tried again. */
export function bundleApps(dataDir: string, log: Log): AppBundle {
  let opening: Promise<Bundle> | null = null;
  const open = () => {
    opening ??= loadBundle({
      root,
      entries: [
        'web/console/console.tsx',
        'web/scanner/scanner.tsx',
        'web/scanner/offline/offline-worker.ts',
        'web/shared/appearance.ts',
      ],
      sources: ['web', 'sdk/typescript/src', 'src/kit/anywhere', 'src/kit/money'],
      keptIn: join(dataDir, 'web'),
    }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  open().catch((error) => log.error({ err: error }, 'the console could not be bundled'));
  return open;
}
