import { shipDocs } from '../src/start/docs-pages.ts';
import { shipApps } from '../src/web-apps/app-bundle.ts';

/** Makes what the service serves as files: console and scanner in dist/web, the pages of /docs in dist/docs. `npm ci` does so, and the image; the service does so itself where this was left out. */
await shipApps();
await shipDocs();
