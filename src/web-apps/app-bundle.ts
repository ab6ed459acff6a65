import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBundle, shipBundle } from '../kit/web-bundle/bundle.ts';
import type { Bundle } from '../kit/web-bundle/bundled.ts';

/** The program's own folder, which may be read-only. */
const root = fileURLToPath(new URL('../..', import.meta.url));

const apps = {
  root,
  applications: [
    ['web/console/console.tsx'],
    ['web/scanner/scanner.tsx', 'web/scanner/offline/offline-worker.ts'],
    ['web/shared/appearance.ts'],
  ],
  sources: ['web', 'sdk/typescript/src', 'src/kit/anywhere', 'src/kit/money'],
  shippedIn: join(root, 'dist/web'),
};

interface Log {
  error(fields: object, message: string): void;
}

/** What console and scanner are made of, for browsers. */
export type AppBundle = () => Promise<Bundle>;

/** Makes the bundle that comes with the program, so that a start finds it. */
export function shipApps(): Promise<void> {
  return shipBundle(apps);
}

/** Begins to read the bundle that comes with the program or that an earlier start has made, or to make it; a request waits for it. What failed is tried again. */
export function bundleApps(dataDir: string, log: Log): AppBundle {
  let opening: Promise<Bundle> | null = null;
  const open = () => {
    opening ??= loadBundle({ ...apps, keptIn: join(dataDir, 'web') }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  open().catch((error) => log.error({ err: error }, 'the console could not be bundled'));
  return open;
}
