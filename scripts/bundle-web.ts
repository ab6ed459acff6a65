import { shipApps } from '../src/web-apps/app-bundle.ts';

/** Bundles console and scanner into dist/web, at a release and by `npm ci`. The service does so itself where this was left out. */
await shipApps();
